import { expect, test } from 'vitest';
import { oidc } from '../../contract/connector-documents.ts';
import { roleSchema } from './roles/schema.ts';
import { completeYaml } from './yaml-completion.ts';

const names = { role: async () => ['access', 'ops team'], label: async () => ['env', 'tier'] };
/** What is offered at `|`. */
const offered = async (text: string, schema: Parameters<typeof completeYaml>[0] = roleSchema) => {
  const caret = text.indexOf('|');
  const found = await completeYaml(schema, names, text.replace('|', ''), caret);
  return found && { start: found.start, labels: found.options.map(({ label }) => label), options: found.options };
};
const labels = async (text: string) => (await offered(text))?.labels ?? null;

test('each level offers its own keys, without those that are there', async () => {
  expect(await labels('ki|')).toEqual(['kind', 'version', 'sub_kind', 'metadata', 'spec']);
  expect(await labels('kind: role\n|\nspec: {}')).toEqual(['version', 'sub_kind', 'metadata']);
  expect(await labels('spec:\n  |')).toEqual(['options', 'allow', 'deny', 'guards']);
  expect(await labels('spec:\n  allow:\n    logins: [root]\n    lo|\n  deny: {}')).not.toContain('logins');
  expect(await labels('spec:\n  allow:\n    logins: [root]\n  |\n  deny: {}')).toEqual(['options', 'guards']);
  expect(await labels('spec:\n  options:\n    record_session:\n      s|')).toEqual(['desktop', 'default', 'ssh']);
});
test('the key under the caret is offered too, so that it can become another', async () =>
  expect(await labels('spec:\n  al|low:\n    logins: []\n  deny: {}')).toEqual(['options', 'allow', 'guards']));
test('keys stand in items of lists, at either indentation, and in brackets', async () => {
  const rule = ['resources', 'verbs', 'where', 'actions'];
  for (const text of [
    'spec:\n  allow:\n    rules:\n      - |',
    'spec:\n  allow:\n    rules:\n    - re|',
    'spec:\n  allow:\n    rules: [{|',
    'spec: {allow: {rules: [{resources: [a], verbs: [b]}, {re|}]}}',
    'spec:\n  allow:\n    rules: [\n      {resources: [a]},\n      {|',
  ])
    expect(await labels(text), text).toEqual(rule);
  expect(await labels('spec:\n  allow:\n    rules:\n      - resources: [a]\n        |')).toEqual(rule.slice(1));
  expect(await labels('spec:\n  allow:\n    rules:\n      - {resources: [a]}\n      - {ver|')).toEqual(rule);
});
test('values are those that the schema names', async () => {
  expect(await labels('version: |')).toEqual(['v3', 'v4', 'v5', 'v6', 'v7']);
  expect(await labels('spec:\n  options:\n    forward_agent: t|')).toEqual(['true', 'false', 'yes', 'no']);
  expect(await labels('spec:\n  options:\n    require_session_mfa: |')).toContain('hardware_key');
  expect(await labels('spec:\n  options:\n    lock: s|')).toEqual(["''", 'best_effort', 'strict']);
  for (const text of [
    'spec: {allow: {rules: [{verbs: [list, |',
    'spec:\n  allow:\n    rules:\n      - verbs:\n          - li|',
    'spec:\n  allow:\n    rules:\n      - resources: [event]\n        verbs: [re|]',
  ])
    expect((await labels(text))?.slice(-3), text).toEqual(['enroll', 'use', "'*'"]);
  expect(await labels('spec: {allow: {rules: [{resources: [|')).toContain('ssh_session');
  expect(await labels('spec: {allow: {join_sessions: [{modes: [|')).toEqual(['observer', 'moderator', 'peer']);
});
test('names of roles and of labels are those that there are', async () => {
  expect(await labels('spec: {allow: {impersonate: {roles: [|')).toEqual(['access', "'ops team'"]);
  expect(await labels('spec:\n  allow:\n    node_labels:\n      env: dev\n      |')).toEqual(['tier']);
  expect((await offered('spec:\n  claims_to_roles:\n    - roles: [|', oidc))?.labels).toEqual(['access', "'ops team'"]);
});
test('a key brings the beginning of what it holds, at its column', async () => {
  const texts = async (text: string) =>
    Object.fromEntries((await offered(text))?.options.map(({ label, text }) => [label, text]) ?? []);
  expect((await texts('|')).spec).toBe('spec:\n  ');
  expect(await texts('spec:\n  allow:\n    |')).toMatchObject({
    logins: 'logins: []',
    node_labels: 'node_labels:\n      ',
    rules: 'rules:\n      - ',
  });
  expect((await texts('spec: {|')).allow).toBe('allow: ');
});
test('a key brings the sentence that its schema has of it, and a connector those of its kind', async () => {
  const allow = (await offered('spec:\n  |'))?.options.find(({ label }) => label === 'allow');
  expect(allow?.info).toBe('What its holders may do.');
  const issuer = (await offered('spec:\n  iss|', oidc))?.options.find(({ label }) => label === 'issuer_url');
  expect(issuer?.info).toMatch(/^The provider/);
});
test.each([
  ['a comment', 'spec:\n  # al|'],
  ['a comment behind a value', 'version: v7 # v|'],
  ['a text of several lines', 'metadata:\n  description: >-\n    ki|'],
  ['a place that leads nowhere', 'spec:\n  nothing:\n    |'],
  ['behind what is finished', 'spec: {allow: {}} |'],
  ['the value of a key that takes keys', 'spec: al|'],
])('nothing is offered in %s', async (_what, text) => expect(await labels(text)).toBeNull());
test('a word is replaced from where it begins', async () => {
  expect((await offered('spec:\n  al|'))?.start).toBe(8);
  expect((await offered('spec: {allow: {rules: [{verbs: [list, re|'))?.start).toBe(38);
  expect((await offered("spec: {allow: {rules: [{verbs: ['re|"))?.start).toBe(32);
});
