// The dry run of a role: who would gain and who would lose what, by name, in the console and on the command line.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { effectsText, type RoleEffects } from '../contract/role-preview.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const team = (spec: string, name = 'team'): string =>
  `kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: {${spec}}\n`;
const WEB =
  "allow: {node_labels: {env: prod}, logins: [root, '{{internal.logins}}'], rules: [{resources: [event], verbs: [list]}]}";
let rig: Rig;
let ann: Browser;
beforeAll(async () => {
  rig = await openRig();
  for (const content of [team(WEB), team('allow: {node_labels: {env: prod}, logins: [root]}', 'spare')])
    await rig.store.resources.create(roleResource(content));
  await rig.addUser('ann', ['access', 'editor'], []);
  await rig.addUser('alice', ['team'], ['web']);
  await rig.addUser('bob', ['team', 'spare'], ['web']);
  await rig.addUser('carol', ['spare'], []);
  ann = await rig.signIn('ann');
  for (const at of [1, 2, 3, 4, 5]) await rig.addServer(`db-${at}`, { env: 'prod', rack: at > 3 ? 'b' : 'a' });
  await rig.addServer('lab-1', { env: 'lab' });
});
afterAll(() => rig.dispose());

const ask = (body: object, who = ann) => who.call('POST', '/v1/webapi/roles/preview', body);
async function effects(body: object): Promise<RoleEffects> {
  const { status, json } = await ask(body);
  expect(status).toBe(200);
  return json as RoleEffects;
}
const said = async (body: object) => (await effects(body)).people.map(effectsText);

test('what a role gives no longer is lost by whoever has it from no other role', async () => {
  expect(
    await said({ name: 'team', content: team("allow: {node_labels: {env: prod}, logins: ['{{internal.logins}}']}") }),
  ).toEqual(['alice would lose root on db-1, db-4 and 3 more servers; list on event', 'bob would lose list on event']);
});

test('what it gives besides is gained, with its names', async () => {
  const more = team(
    `${WEB.slice(0, -1).replace('verbs: [list]', 'verbs: [list, read]')}, app_labels: {env: prod}}`,
  ).replace('env: prod', 'env: [prod, lab]');
  expect(await said({ name: 'team', content: more })).toEqual([
    'alice would gain root, web on lab-1; read on event',
    'bob would gain root, web on lab-1; read on event',
  ]);
});

test('what it denies is lost, also where another role gives it', async () => {
  const denies = team(`${WEB}, deny: {node_labels: {rack: b}}`);
  expect(await said({ name: 'team', content: denies })).toEqual([
    'alice would lose root, web on db-4 and 1 more server',
    'bob would lose root, web on db-4 and 1 more server',
  ]);
});

test('a text that changes nothing for anybody names nobody, and neither does a new role', async () => {
  const nobody = { people: [], unnamed: 0, startKey: '' };
  expect(await effects({ name: 'team', content: `${team(WEB)}# said again\n` })).toEqual({ holders: 2, ...nobody });
  expect(await effects({ content: team(WEB, 'fresh') })).toEqual({ holders: 0, ...nobody });
});

test('without YAML it is the end of the role that is asked about, also while somebody holds it', async () => {
  expect(await said({ name: 'spare' })).toEqual(['carol would lose root on db-1, db-4 and 3 more servers']);
  expect((await effects({ name: 'spare' })).holders).toBe(2);
});

test('it refuses what saving would refuse', async () => {
  const refused = async (body: object) => {
    const { status, json } = await ask(body);
    return `${status} ${(json as { error: { message: string } }).error.message}`;
  };
  expect(await refused({ name: 'team', content: team('allow: {lojins: [x]}') })).toMatch(/^400 .*lojins.*line \d+/);
  expect(await refused({ name: 'team', content: team(WEB, 'other') })).toMatch(/^400 a role cannot be renamed/);
  expect(await refused({ name: 'editor', content: team(WEB, 'editor') })).toMatch(/^400 this would leave nobody/);
  expect(await refused({ name: 'gone', content: team(WEB, 'gone') })).toMatch(/^404/);
  expect(await refused({ content: team(WEB) })).toMatch(/^409/);
  expect((await ask({ name: 'team' }, await rig.signIn('alice'))).status).toBe(403);
});

test('whoever may not read users hears for how many something changes, and not for whom', async () => {
  const writes = 'allow: {rules: [{resources: [role], verbs: [list, read, update]}]}';
  await rig.store.resources.create(roleResource(team(writes, 'writes-roles')));
  await rig.addUser('writer', ['writes-roles'], []);
  const { json } = await ask({ name: 'team', content: team('allow: {}') }, await rig.signIn('writer'));
  expect(json).toMatchObject({ people: [], unnamed: 2 });
});

test('a dry run of files says the same, and changes nothing', async () => {
  const files = [{ name: 'team.yaml', content: team('allow: {}') }];
  const dry = await rig.declared.apply(files, { by: 'system:op', dryRun: true });
  expect(dry.notes).toContain('bob would lose web on db-1, db-4 and 3 more servers; list on event');
  expect(await said({ name: 'team', content: team(WEB) })).toEqual([]);
});

test('many holders are answered in parts, which together name each once', async () => {
  await rig.store.resources.putMany(
    Array.from({ length: 5000 }, (_, at) => ({
      kind: 'node' as const,
      name: `many-${at}`,
      title: `many-${at}`,
      description: '',
      address: '10.0.0.1:22',
      subtype: 'openssh',
      labels: { env: 'prod', at: String(at) },
      words: [],
      spec: {},
      expires: null,
    })),
  );
  for (const at of [1, 2, 3, 4, 5, 6]) await rig.addUser(`zoe-${at}`, ['team'], [`z${at}`]);
  await rig.addUser('zora', ['team'], ['web']);
  const parts: RoleEffects[] = [];
  do {
    const startKey = parts.at(-1)?.startKey;
    parts.push(await effects({ name: 'team', content: team('allow: {}'), ...(startKey && { startKey }) }));
  } while (parts.at(-1)?.startKey !== '');
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.flatMap(({ people }) => people.map(({ user }) => user))).toEqual([
    'alice',
    'bob',
    // Alike in roles and traits with alice: one answer serves both.
    'zora',
    ...[1, 2, 3, 4, 5, 6].map(at => `zoe-${at}`),
  ]);
});
