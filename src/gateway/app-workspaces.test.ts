// Workspaces through the web API: whose they are, how many, and what of somebody else's is shown to whom.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenWorkspace, WORKSPACE_TERMINALS_MOST, type Workspace } from '../contract/workspaces.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';
import { newServer } from './services/servers/servers.ts';

let rig: Rig;
let ann: Browser;
let dev: Browser;
let nobody: Browser;
const ids: Record<string, string> = {};
beforeAll(async () => {
  rig = await openRig();
  const { resources } = rig.store;
  for (const [name, labels] of [
    [
      'dev-only',
      'node_labels: { env: dev }\n    windows_desktop_labels: { env: dev }\n    windows_desktop_logins: [alice]',
    ],
    ['none', 'node_labels: { env: nowhere }'],
  ])
    await resources.create(
      roleResource(
        `kind: role\nversion: v7\nmetadata:\n  name: ${name}\nspec:\n  allow:\n    logins: [root]\n    ${labels}\n`,
      ),
    );
  for (const [hostname, env] of [
    ['db-1', 'prod'],
    ['web-1', 'dev'],
    ['web-2', 'dev'],
  ] as const)
    ids[hostname] = (
      await resources.create(
        newServer({ hostname, addr: `${hostname}:22`, labels: { env }, hostKey: 'ssh-ed25519 AAAA' }),
      )
    ).name;
  await rig.declared.apply(
    ['dev', 'prod'].map(env => ({
      name: `${env}.yaml`,
      content: `kind: windows_desktop\nversion: v3\nmetadata: {name: ${env}-win, labels: {env: ${env}}}\nspec: {addr: ${env}-win}\n`,
    })),
    { by: 'test' },
  );
  await rig.addUser('ann', ['access'], ['root']);
  await rig.addUser('dev', ['dev-only']);
  await rig.addUser('nobody', ['none']);
  [ann, dev, nobody] = [await rig.signIn('ann'), await rig.signIn('dev'), await rig.signIn('nobody')];
});
afterAll(() => rig.dispose());

const url = '/v1/webapi/workspaces';
const pane = (hostname: string, beside?: number) => ({
  serverId: ids[hostname] ?? hostname,
  hostname,
  login: 'root',
  ...(beside !== undefined && { beside, direction: 'right', share: 0.4 }),
});
const save = (who: Browser, name: string, tabs: readonly unknown[] = [{ name: '', panes: [pane('web-1')] }]) =>
  who.call('PUT', url, { name, tabs });
const idOf = async (name: string, tabs?: readonly unknown[]): Promise<string> =>
  ((await save(ann, name, tabs)).json as Workspace).id;
const namesOf = async (who: Browser) => ((await who.call('GET', url)).json as Workspace[]).map(({ name }) => name);

test('what one saves is in one’s own list and nobody else’s; the same name is replaced', async () => {
  const id = await idOf('build');
  const tabs = [{ name: 'logs', panes: [pane('web-1'), pane('web-2', 0)] }];
  expect(await idOf('build', tabs)).toBe(id);
  expect((await ann.call('GET', `${url}/${id}`)).json).toMatchObject({ id, name: 'build', tabs, closed: [] });
  expect([await namesOf(ann), await namesOf(dev)]).toEqual([['build'], []]);
});

test('whoever has the link opens what their roles give them, and hears which terminals they do not', async () => {
  const id = await idOf('shared', [
    { name: 'a', panes: [pane('db-1'), pane('web-1', 0), pane('web-2', 1)] },
    { name: 'b', panes: [pane('db-1')] },
  ]);
  const { tabs, closed } = (await dev.call('GET', `${url}/${id}`)).json as OpenWorkspace;
  expect(tabs).toEqual([{ name: 'a', panes: [pane('web-1'), pane('web-2', 0)] }]);
  expect(closed).toEqual(['root@db-1']);
  expect((await nobody.call('GET', `${url}/${id}`)).status).toBe(404);
});

test('a desktop among them opens for whom its labels and logins are', async () => {
  const desktop = (name: string, login: string) => ({ serverId: `desktop/${name}`, hostname: name, login });
  const id = await idOf('desks', [
    { name: '', panes: [desktop('dev-win', 'alice')] },
    { name: '', panes: [desktop('dev-win', 'bob')] },
    { name: '', panes: [desktop('prod-win', 'alice')] },
  ]);
  expect((await dev.call('GET', `${url}/${id}`)).json).toMatchObject({
    tabs: [{ panes: [desktop('dev-win', 'alice')] }],
    closed: ['bob@dev-win', 'alice@prod-win'],
  });
});

test('only its owner renames and deletes one', async () => {
  const id = await idOf('mine');
  for (const [method, body] of [
    ['PUT', { name: 'theirs' }],
    ['DELETE', undefined],
  ] as const)
    expect((await dev.call(method, `${url}/${id}`, body)).status, method).toBe(404);
  expect((await ann.call('PUT', `${url}/${id}`, { name: 'build' })).status).toBe(409);
  expect((await ann.call('PUT', `${url}/${id}`, { name: 'ours' })).json).toMatchObject({ id, name: 'ours' });
  expect((await ann.call('DELETE', `${url}/${id}`)).status).toBe(200);
  expect((await ann.call('GET', `${url}/${id}`)).status).toBe(404);
});

test.each([
  ['a name of nothing', '', undefined],
  ['a name with a control character', 'a\u0007', undefined],
  ['no tab', 'x', []],
  ['a tab without a terminal', 'x', [{ name: '', panes: [] }]],
  ['a first terminal beside another', 'x', [{ name: '', panes: [{ ...pane('a'), beside: 0 }] }]],
  ['a terminal beside a later one', 'x', [{ name: '', panes: [pane('a'), { ...pane('b'), beside: 1 }] }]],
  ['a terminal beside none', 'x', [{ name: '', panes: [pane('a'), pane('b')] }]],
  [
    'too many terminals',
    'x',
    Array.from({ length: 3 }, () => ({
      name: '',
      panes: Array.from({ length: 11 }, (_, index) => pane('a', index === 0 ? undefined : index - 1)),
    })),
  ],
])('%s is refused', async (_what, name, tabs) => {
  expect(WORKSPACE_TERMINALS_MOST).toBe(32);
  expect((await save(ann, name, tabs)).status).toBe(400);
});

test('a person has so many and no more', async () => {
  for (let count = (await namesOf(dev)).length; count < 50; count++) await save(dev, `w${count}`);
  expect((await save(dev, 'one too many')).status).toBe(400);
  expect((await save(dev, 'w7')).status).toBe(200);
});
