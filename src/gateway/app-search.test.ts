// One search over everything: each kind by the rights of its own list, bounded, and said when there is more.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';
import { newServer } from './services/servers/servers.ts';

let rig: Rig;
let ann: Browser;
let dev: Browser;
beforeAll(async () => {
  rig = await openRig();
  const { resources } = rig.store;
  await resources.create(
    roleResource(
      'kind: role\nversion: v7\nmetadata:\n  name: dev-only\nspec:\n  allow:\n    logins: [deploy]\n    node_labels:\n      env: dev\n',
    ),
  );
  for (const [hostname, env] of [
    ['db-1', 'prod'],
    ['db-2', 'dev'],
    ['web-1', 'dev'],
  ] as const)
    await resources.create(
      newServer({ hostname, addr: `${hostname}.example.com`, labels: { env }, hostKey: 'ssh-ed25519 AAAA' }),
    );
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root']);
  await rig.addUser('dev', ['dev-only']);
  ann = await rig.signIn('ann');
  dev = await rig.signIn('dev');
});
afterAll(() => rig.dispose());

interface Found {
  readonly [noun: string]: { readonly items: readonly Record<string, unknown>[]; readonly complete: boolean };
}
const search = async (who: Browser, query: Readonly<Record<string, string>> = {}): Promise<Found> => {
  const { status, json } = await who.call(
    'GET',
    `/v1/webapi/sites/${CLUSTER}/search?${new URLSearchParams(query).toString()}`,
  );
  expect(status).toBe(200);
  return json as Found;
};
const namesIn = (found: Found): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(
    Object.entries(found)
      .map(([noun, { items }]) => [noun, items.map(item => item.hostname ?? item.name)] as const)
      .filter(([, names]) => names.length > 0),
  );

test('finds every kind that holds all words', async () => {
  expect(namesIn(await search(ann, { search: 'd' }))).toMatchObject({
    server: ['db-1', 'db-2', 'web-1'],
    user: ['ann', 'dev'],
    role: expect.arrayContaining(['dev-only', 'editor', 'auditor']),
  });
  expect(namesIn(await search(ann, { search: 'WEB dev' }))).toEqual({ server: ['web-1'] });
  expect(namesIn(await search(ann, { search: 'dev', nouns: 'user,server' }))).toEqual({
    server: ['db-2', 'web-1'],
    user: ['dev'],
  });
});

test('a role is found without its YAML', async () => {
  const { role } = await search(ann, { search: 'dev-only' });
  expect(role?.items).toEqual([{ id: 'role:dev-only', kind: 'role', name: 'dev-only' }]);
});

test('each kind is held to the rights of its list: what a person may not list is not there, not even as a count', async () => {
  const found = await search(dev);
  expect(namesIn(found)).toEqual({ server: ['db-2', 'web-1'], cluster: [CLUSTER] });
  expect(Object.keys(found).filter(noun => ['user', 'role'].includes(noun))).toEqual([]);
});

test('answers no more of a kind than was asked for, and says so', async () => {
  const { server, role } = await search(ann, { limit: '1' });
  expect([server?.items.length, server?.complete, role?.items.length, role?.complete]).toEqual([1, false, 1, false]);
  const all = await search(ann, { nouns: 'server', limit: '9999' });
  expect(all.server?.complete).toBe(true);
});

test.each([
  [{ nouns: 'server,tokens' }, /nouns/],
  [{ limit: '0' }, /limit/],
  [{ search: 'x'.repeat(513) }, /search/],
])('%j is refused with what is wrong', async (query, said) => {
  const { status, json } = await ann.call(
    'GET',
    `/v1/webapi/sites/${CLUSTER}/search?${new URLSearchParams(query as Record<string, string>).toString()}`,
  );
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringMatching(said)]);
});
