// Login rules at sign-in: what a session's traits become, that they count at once, and what happens when a rule fails.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLUSTER, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

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
