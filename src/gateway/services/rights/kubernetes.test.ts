import { expect, test } from 'vitest';
import { createRights } from './rights.ts';
import { parseRole } from './role.ts';

const LABELS = { env: 'prod' };
const role = (name: string, version: string, spec: string): string =>
  `kind: role\nversion: ${version}\nmetadata: { name: ${name} }\nspec:\n${spec}`;
const rightsOf = (...contents: readonly string[]) =>
  createRights(contents.map(parseRole), { name: 'ann', roles: [], traits: {} }).kubernetes(LABELS);
const web = role(
  'web',
  'v7',
  `  allow:
    kubernetes_labels: { env: prod }
    kubernetes_resources:
      - { kind: pod, namespace: 'shop-*', name: 'web-*', verbs: [get, list, exec] }
      - { kind: namespace, name: 'shop-*', verbs: [get, list] }
      - { kind: networkpolicy, namespace: shop-a, verbs: ['*'] }
`,
);

test('kinds, namespaces, names and verbs are held to what is written, singular or plural', () => {
  const { permits } = rightsOf(web);
  const pod = { kind: 'pods', namespace: 'shop-a', name: 'web-0' };
  expect(permits({ ...pod, verb: 'get' })).toBe(true);
  expect(permits({ ...pod, verb: 'exec' })).toBe(true);
  expect(permits({ ...pod, verb: 'delete' })).toBe(false);
  expect(permits({ ...pod, verb: 'get', name: 'db-0' })).toBe(false);
  expect(permits({ ...pod, verb: 'get', namespace: 'kube-system' })).toBe(false);
  expect(permits({ ...pod, verb: 'get', kind: 'secrets' })).toBe(false);
  expect(permits({ verb: 'get', kind: 'namespaces', namespace: '', name: 'shop-a' })).toBe(true);
  expect(permits({ verb: 'delete', kind: 'networkpolicies', namespace: 'shop-a', name: 'x' })).toBe(true);
});

test('a list reaches all, some or none; one denied name makes some of all', () => {
  const { reach } = rightsOf(web);
  expect(reach({ verb: 'list', kind: 'pods', namespace: 'shop-a' })).toBe('some');
  expect(reach({ verb: 'list', kind: 'pods', namespace: null })).toBe('some');
  expect(reach({ verb: 'list', kind: 'pods', namespace: 'other' })).toBe('none');
  expect(reach({ verb: 'watch', kind: 'pods', namespace: null })).toBe('none');
  expect(reach({ verb: 'list', kind: 'networkpolicies', namespace: 'shop-a' })).toBe('all');
  expect(reach({ verb: 'list', kind: 'networkpolicies', namespace: null })).toBe('some');
  const all = role('all', 'v7', '  allow: { kubernetes_labels: { "*": "*" } }\n');
  const denied = (entry: string) => role('denied', 'v7', `  deny: { kubernetes_resources: [${entry}] }\n`);
  expect(rightsOf(all).reach({ verb: 'list', kind: 'secrets', namespace: null })).toBe('all');
  const some = rightsOf(all, denied('{ kind: secret, name: root }'));
  expect(some.reach({ verb: 'list', kind: 'secrets', namespace: null })).toBe('some');
  expect(some.permits({ verb: 'get', kind: 'secrets', namespace: 'a', name: 'root' })).toBe(false);
  expect(rightsOf(all, denied('{ kind: secret }')).reach({ verb: 'list', kind: 'secrets', namespace: 'a' })).toBe(
    'none',
  );
});

test('before version 7 a role is about pods alone; from it on, what names no verb allows none', () => {
  const old = (version: string, resources = '') =>
    rightsOf(role('old', version, `  allow: { kubernetes_labels: { env: prod }${resources} }\n`));
  const pods = { verb: 'list', kind: 'pods', namespace: null };
  expect(old('v5').reach(pods)).toBe('all');
  expect(old('v6').reach(pods)).toBe('none');
  expect(old('v6').reach({ ...pods, kind: 'deployments' })).toBe('all');
  expect(old('v6', ', kubernetes_resources: [{ kind: pod, namespace: a, name: b }]').reach(pods)).toBe('some');
  expect(old('v7', ', kubernetes_resources: [{ kind: pod }]').reach(pods)).toBe('none');
});

test('a cluster that no role selects gives nothing, and what cannot be decided is not allowed', () => {
  const pods = { verb: 'list', kind: 'pods', namespace: null };
  const rights = createRights([parseRole(web)], { name: 'ann', roles: [], traits: {} });
  expect(rights.kubernetes({ env: 'test' }).reach(pods)).toBe('none');
  const broken = role('broken', 'v7', "  deny: { kubernetes_resources: [{ kind: pod, name: '^(($' }] }\n");
  expect(rightsOf(web, broken).permits({ verb: 'get', kind: 'pods', namespace: 'shop-a', name: 'web-0' })).toBe(false);
});
