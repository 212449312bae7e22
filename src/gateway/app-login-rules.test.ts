// Login rules at sign-in: what a session's traits become, that they count at once, and what happens when a rule fails.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Explanation } from '../contract/rights.ts';
import { CLUSTER, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';
import type { UserRecord } from './store/store.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
  await rig.store.resources.create(
    roleResource(
      'kind: role\nversion: v7\nmetadata: {name: by-trait}\nspec: {allow: {logins: ["{{external.logins}}"], node_labels: {"*": "*"}}}\n',
    ),
  );
  await rig.addUser('ann', ['by-trait', 'auditor', 'editor'], ['Ann', 'root']);
  await rig.addServer('web-1');
});
afterEach(() => rig.dispose());

const apply = async (name: string, spec: string) =>
  (
    await rig.declared.apply(
      [
        {
          name: 'rule.yaml',
          content: `kind: login_rule\nversion: v1\nmetadata: {name: ${name}}\nspec: ${spec}\n`,
        },
      ],
      { by: 'root' },
    )
  ).problems;
const put = async (name: string, spec: string) => expect(await apply(name, spec)).toEqual([]);
type Browser = Awaited<ReturnType<Rig['signIn']>>;
async function logins(browser: Browser): Promise<readonly string[]> {
  const { json } = await browser.call('GET', `/v1/webapi/sites/${CLUSTER}/nodes`);
  return (json as { items: { sshLogins: string[] }[] }).items[0]?.sshLogins.toSorted() ?? [];
}
async function lastSignIn() {
  const until = new Date(Date.now() + 365 * 24 * 3_600_000);
  const { events } = await rig.store.events.search({
    ...{ from: new Date(0), to: until, limit: 1, types: ['user.login'], descending: true },
  });
  return events[0]?.raw as Record<string, unknown>;
}

test('rules go by priority and then by name, each with what the one before made, and the log has their names', async () => {
  await put('b', `{priority: 1, traits_expression: 'external.put("logins", strings.lower(external.logins))'}`);
  await put('c', `{priority: 1, traits_expression: 'external.add("logins", set("last"))'}`);
  await put('a', `{priority: 2, traits_expression: 'external.remove("missing")'}`);
  await put('z', `{priority: -1, traits_map: {logins: ['regexp.replace(external.logins, "^Ann$", "ANN-1")']}}`);
  const ann = await rig.signIn('ann');
  expect(await logins(ann)).toEqual(['ann-1', 'last']);
  expect(await lastSignIn()).toMatchObject({ code: 'T1000I', applied_login_rules: ['z', 'b', 'c', 'a'] });
});

test('whoever asks why somebody may log in reads which rules made the traits that decide it', async () => {
  await put('late', `{priority: 1, traits_expression: 'external.put("logins", strings.lower(external.logins))'}`);
  await put('early', `{priority: 0, traits_expression: external}`);
  const ann = await rig.signIn('ann');
  const why = async (asked: Record<string, string>) => {
    const query = new URLSearchParams({ action: 'ssh', target: 'web-1', ...asked });
    const { json } = await ann.call('GET', `/v1/webapi/sites/${CLUSTER}/rights/explain?${query}`);
    const { allowed, reasons } = json as Explanation;
    return [allowed, reasons.filter(({ kind }) => kind === 'rules').map(({ text }) => text)];
  };
  const named = 'Login rules made the traits that roles speak of: early, late.';
  expect(await why({ principal: 'ann' })).toEqual([true, [named]]);
  expect(await why({ principal: 'Ann' })).toEqual([false, [named]]);
  expect(await why({ action: 'update', target: 'roles' })).toEqual([true, [named]]);
  // Whoever has not signed in since has the traits that were written for them.
  await rig.addUser('bob', ['by-trait'], ['Bob']);
  expect(await why({ user: 'bob', principal: 'Bob' })).toEqual([true, []]);
  // The rule that is gone made them until the next sign-in.
  await rig.declared.remove('login_rule', 'late', 'root');
  expect(await why({ principal: 'ann' })).toEqual([true, [named]]);
  await rig.signIn('ann');
  expect(await why({ principal: 'Ann' })).toEqual([true, ['Login rules made the traits that roles speak of: early.']]);
});

test('without a rule traits stay what they are, and no rule is named', async () => {
  const ann = await rig.signIn('ann');
  expect(await logins(ann)).toEqual(['Ann', 'root']);
  expect(await lastSignIn()).not.toHaveProperty('applied_login_rules');
});

test('what the rules make counts at once where the person is signed in already, and what an administrator writes is kept as written', async () => {
  const first = await rig.signIn('ann');
  await put('none', `{priority: 0, traits_map: {}}`);
  expect(await logins(first)).toEqual(['Ann', 'root']);
  await rig.signIn('ann');
  expect(await logins(first)).toEqual([]);
  await put('none', `{priority: 0, traits_map: {logins: ['strings.upper(external.logins)']}}`);
  const body = { name: 'ann', roles: ['by-trait', 'auditor', 'editor'], allTraits: { logins: ['db'] } };
  expect((await first.call('PUT', '/v1/webapi/users', body)).status).toBe(200);
  expect(await logins(first)).toEqual(['DB']);
  expect((await rig.store.users.get('ann'))?.traits).toEqual({ logins: ['db'] });
  await rig.declared.remove('login_rule', 'none', 'root');
  expect(await logins(await rig.signIn('ann'))).toEqual(['db']);
});

test('a rule that fails lets nobody in, says which it is, and the log has the cause', async () => {
  await put(
    'long',
    `{priority: 0, traits_map: {logins: ['regexp.replace(external.logins, ".*", "${'x'.repeat(300)}")']}}`,
  );
  await expect(rig.signIn('ann')).rejects.toThrow();
  expect(await lastSignIn()).toMatchObject({
    code: 'T1000W',
    user: 'ann',
    success: false,
    error: expect.stringContaining(
      'login rule "long" failed: it gives trait logins a value of more than 255 characters',
    ),
  });
});

test('whoever is signed in when their new traits make a rule fail must sign in again', async () => {
  await put(
    'kept',
    `{priority: 0, traits_map: {logins: ['union(external.logins, regexp.replace(external.team, "^(.*)$", "$1$1"))']}}`,
  );
  const ann = await rig.signIn('ann');
  const traits = { logins: ['root'], team: ['y'.repeat(200)] };
  const body = { name: 'ann', roles: ['by-trait', 'auditor', 'editor'], allTraits: traits };
  await ann.call('PUT', '/v1/webapi/users', body);
  expect((await ann.call('GET', `/v1/webapi/sites/${CLUSTER}/nodes`)).status).toBe(403);
});

test('a rule that cannot be read is refused where it stands, and nothing is kept', async () => {
  expect(await apply('bad', `{priority: 0, traits_map: {logins: ['email.local(']}}`)).toEqual([
    expect.stringMatching(/^rule\.yaml:4:.*login_rule\/bad: spec\.traits_map\.logins\.0: failed to parse/),
  ]);
  expect(await rig.store.resources.get('login_rule', 'bad')).toBeNull();
});

const RULES = '/v1/webapi/loginrules';
const ruleYaml = (name: string, spec = '{priority: 0, traits_expression: external}') =>
  `kind: login_rule\nversion: v1\nmetadata: {name: ${name}}\nspec: ${spec}\n`;

test('whoever has the right writes, reads, changes and removes login rules; each step is noted with their name', async () => {
  const ann = await rig.signIn('ann');
  const made = await ann.call('POST', RULES, {
    content: ruleYaml('late', '{priority: 5, traits_expression: external}'),
  });
  expect([made.status, made.json]).toEqual([200, expect.objectContaining({ id: 'login_rule:late', name: 'late' })]);
  expect((await ann.call('POST', RULES, { content: ruleYaml('early') })).status).toBe(200);
  const names = async () => ((await ann.call('GET', RULES)).json as { name: string }[]).map(({ name }) => name);
  expect(await names()).toEqual(['early', 'late']);
  const later = ruleYaml('early', '{priority: 9, traits_expression: external}');
  expect((await ann.call('PUT', `${RULES}/early`, { content: later })).status).toBe(200);
  expect(await names()).toEqual(['late', 'early']);
  const { json } = await ann.call('GET', `${RULES}/early`);
  expect((json as { content: string }).content).toContain('priority: 9');
  expect((await ann.call('DELETE', `${RULES}/late`)).status).toBe(200);
  expect(await names()).toEqual(['early']);
  const { events } = await rig.store.events.search({
    ...{ from: new Date(0), to: new Date(Date.now() + 60_000), limit: 10, descending: false },
    types: ['login_rule.create', 'login_rule.delete'],
  });
  expect(events.map(({ raw }) => raw)).toMatchObject([
    { code: 'TLR00I', name: 'late', user: 'ann' },
    { code: 'TLR00I', name: 'early', user: 'ann' },
    { code: 'TLR00I', name: 'early', user: 'ann' },
    { code: 'TLR01I', name: 'late', user: 'ann' },
  ]);
});

test('rules are tried on a user step by step, with one that is not written yet, and nothing is kept or signed in', async () => {
  const ann = await rig.signIn('ann');
  await put('lower', `{priority: 1, traits_expression: 'external.put("logins", strings.lower(external.logins))'}`);
  const tried = async (body: object) => {
    const { status, json, body: text } = await ann.call('POST', `${RULES}/test`, body);
    return status === 200 ? json : [status, text];
  };
  const lower = { rule: 'lower', traits: { logins: ['ann', 'root'] } };
  expect(await tried({ user: 'ann' })).toEqual({ given: { logins: ['Ann', 'root'] }, steps: [lower] });
  const first = ruleYaml('first', `{priority: 0, traits_expression: 'external.add("team", set("ops"))'}`);
  expect(await tried({ user: 'ann', content: first })).toEqual({
    given: { logins: ['Ann', 'root'] },
    steps: [
      { rule: 'first', traits: { logins: ['Ann', 'root'], team: ['ops'] } },
      { rule: 'lower', traits: { logins: ['ann', 'root'], team: ['ops'] } },
    ],
  });
  // In place of the one of its name.
  const other = ruleYaml('lower', '{priority: 1, traits_map: {}}');
  expect(await tried({ user: 'ann', content: other })).toMatchObject({ steps: [{ rule: 'lower', traits: {} }] });
  const long = ruleYaml('long', `{priority: 9, traits_map: {logins: ['"${'x'.repeat(256)}"']}}`);
  expect(await tried({ user: 'ann', content: long })).toMatchObject({
    steps: [lower],
    refused: expect.stringContaining('login rule "long" failed'),
  });
  expect(await tried({ user: 'ann', content: 'kind: role' })).toEqual([400, expect.anything()]);
  expect(await tried({ user: 'nobody' })).toEqual([404, expect.stringContaining('nobody')]);
  expect(await rig.store.resources.get('login_rule', 'first')).toBeNull();
  expect((await rig.store.users.get('ann'))?.signInTraits).toBeUndefined();
});

test('rules are tried by whoever may read all of them and the user, and on no bot', async () => {
  await put('kept', '{priority: 0, traits_expression: external}');
  const rules = (where: string) =>
    `[{resources: [login_rule], verbs: [list, read]${where}}, {resources: [user], verbs: [read], where: 'equals(resource.metadata.name, "ann")'}]`;
  for (const [name, where] of [
    ['reads', ''],
    ['reads-not', `, where: 'equals(resource.metadata.name, "other")'`],
  ] as const)
    await rig.store.resources.create(
      roleResource(`kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: {allow: {rules: ${rules(where)}}}\n`),
    );
  await rig.addUser('kim', ['reads'], []);
  await rig.addUser('lee', ['reads-not'], []);
  await rig.addUser('bob', ['auditor'], []);
  const [kim, lee, bob] = await Promise.all(['kim', 'lee', 'bob'].map(name => rig.signIn(name)));
  const status = async (who: Browser | undefined, user: string) =>
    (await who?.call('POST', `${RULES}/test`, { user }))?.status;
  expect([await status(kim, 'ann'), await status(kim, 'bob'), await status(kim, 'nobody')]).toEqual([200, 403, 403]);
  expect([await status(lee, 'ann'), await status(bob, 'ann')]).toEqual([403, 403]);
  const ann = await rig.signIn('ann');
  const robot = { ...((await rig.store.users.get('bob')) as UserRecord), id: 'robot', name: 'bot-robot', isBot: true };
  await rig.store.users.create(robot);
  expect(await status(ann, 'bot-robot')).toBe(400);
});

test('what cannot be written is refused in words, and the right counts again at each call', async () => {
  const ann = await rig.signIn('ann');
  await put('there', '{priority: 0, traits_expression: external}');
  const refused = async (method: 'POST' | 'PUT' | 'DELETE' | 'GET', path: string, content?: string) => {
    const { status, body } = await ann.call(method, `${RULES}${path}`, content === undefined ? undefined : { content });
    return [status, body];
  };
  expect(await refused('POST', '', ruleYaml('there'))).toEqual([409, expect.stringContaining('exists already')]);
  expect(await refused('PUT', '/there', ruleYaml('other'))).toEqual([400, expect.stringContaining('be renamed')]);
  expect(await refused('PUT', '/gone', ruleYaml('gone'))).toEqual([404, expect.stringContaining('not found')]);
  expect(await refused('POST', '', 'kind: role\nversion: v7\nmetadata: {name: r}\nspec: {}\n')).toEqual([
    400,
    expect.stringContaining('login_rule expected'),
  ]);
  expect(await refused('POST', '', ruleYaml('bad', '{priority: 0, traits_expression: nonsense}'))).toEqual([
    400,
    expect.stringContaining('YAML:4:'),
  ]);
  await rig.store.resources.create(
    roleResource(
      `kind: role\nversion: v7\nmetadata: {name: one-rule}\nspec: {deny: {rules: [{resources: [login_rule], verbs: [delete]}]}}\n`,
    ),
  );
  await rig.addUser('bob', ['auditor']);
  const bob = await rig.signIn('bob');
  expect((await bob.call('GET', RULES)).status).toBe(403);
  const body = { name: 'ann', roles: ['by-trait', 'auditor', 'editor', 'one-rule'] };
  expect((await ann.call('PUT', '/v1/webapi/users', body)).status).toBe(200);
  expect((await refused('DELETE', '/there'))[0]).toBe(403);
  expect(await rig.store.resources.get('login_rule', 'there')).not.toBeNull();
});
