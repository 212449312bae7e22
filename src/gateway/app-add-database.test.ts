// Databases added one by one, and tried: which step fails is said with what to do, over a real PostgreSQL.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDatabases, openBooks, openCache, openDatabases, role } from '../../e2e/rigs/databases.ts';
import type { PostgresRig } from '../../e2e/rigs/postgres.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const DATABASES = '/v1/webapi/sites/-current-/databases';
let rig: Rig;
let postgres: PostgresRig;
const others: { dispose(): Promise<void> }[] = [];
let ann: Browser;
let ed: Browser;

beforeAll(async () => {
  rig = await openRig();
  postgres = await openDatabases(rig);
  await rig.addUser('ann', ['access', 'shop']);
  await rig.addUser('ed', ['access', 'editor', 'shop']);
  await rig.addUser('bob', ['access', 'reader']);
  ann = await rig.signIn('ann');
  ed = await rig.signIn('ed');
});
afterAll(async () => {
  for (const one of [postgres, ...others]) await one?.dispose();
  await rig?.dispose();
});

/** What each step of a trial said: its kind, and the error of the one that failed. */
async function tried(who: Browser, name: string, more: object = {}): Promise<readonly (readonly [string, string])[]> {
  const { json } = await who.call('POST', '/v1/webapi/sites/-current-/diagnostics/connections', {
    resource_kind: 'db',
    resource_name: name,
    ...more,
  });
  const { traces } = json as { traces: { traceType: string; status: string; error?: string }[] };
  return traces.map(({ traceType, status, error }) => [traceType, error ?? status] as const);
}
const add = (who: Browser, name: string, uri: string, more: object = {}) =>
  who.call('POST', DATABASES, { name, protocol: 'postgres', uri, labels: [{ name: 'team', value: 'shop' }], ...more });

// Rule 7.3: a database is added and changed
test('a database is added, changed and removed, each in the audit log; nonsense and doubles are refused', async () => {
  const uri = `127.0.0.1:${postgres.port}`;
  expect((await add(ann, 'crm', uri)).status).toBe(403);
  expect((await add(ed, 'crm', uri)).json).toMatchObject({
    name: 'crm',
    protocol: 'postgres',
    uri,
    database_users: ['app'],
  });
  expect((await add(ed, 'crm', uri)).status).toBe(409);
  expect((await add(ed, 'nonsense', 'a b')).status).toBe(400);
  expect((await add(ed, 'other', uri, { labels: [] })).json).toMatchObject({ name: 'other', database_users: [] });
  expect((await ed.call('PUT', `${DATABASES}/crm`, {})).status).toBe(400);
  const labels = [
    { name: 'env', value: 'prod' },
    { name: 'team', value: 'shop' },
  ];
  expect((await ed.call('PUT', `${DATABASES}/crm`, { labels })).json).toMatchObject({ labels, uri });
  // Whoever may change databases changes those that their roles select.
  await rig.addUser('eve', ['editor']);
  const eve = await rig.signIn('eve');
  expect((await eve.call('PUT', `${DATABASES}/crm`, { uri })).status).toBe(404);
  expect((await eve.call('DELETE', `${DATABASES}/crm`)).status).toBe(404);
  expect((await ed.call('DELETE', `${DATABASES}/crm`)).status).toBe(200);
  expect((await ed.call('DELETE', `${DATABASES}/crm`)).status).toBe(404);
  const to = new Date(Date.now() + 60_000);
  const found = await rig.store.events.search({ from: new Date(0), to, limit: 100, types: [], descending: false });
  const codes = found.events.filter(({ raw }) => raw.name === 'crm').map(({ code }) => code);
  expect(codes).toEqual(['TDB03I', 'TDB04I', 'TDB05I']);
});

test('a trial says which step fails: rights, user, way, log-in, database; one that goes through is a session in the audit log', async () => {
  const all = ['RBAC_DATABASE', 'RBAC_DATABASE_LOGIN', 'CONNECTIVITY', 'DATABASE_DB_USER', 'DATABASE_DB_NAME'];
  expect(await tried(ann, 'orders')).toEqual(all.map(step => [step, 'SUCCESS']));
  expect(await tried(ann, 'nowhere')).toEqual([['RBAC_DATABASE', '"nowhere" was not found']]);
  expect(await tried(ann, 'orders', { database_user: 'postern' })).toEqual([
    ['RBAC_DATABASE', 'SUCCESS'],
    ['RBAC_DATABASE_LOGIN', 'You may not use orders as database user "postern".'],
  ]);
  const bob = await rig.signIn('bob');
  expect((await tried(bob, 'orders')).at(-1)).toEqual(['DATABASE_DB_USER', expect.stringContaining('nobody')]);
  await add(ed, 'closed', '127.0.0.1:1');
  expect((await tried(ann, 'closed')).at(-1)).toEqual(['CONNECTIVITY', '127.0.0.1:1 cannot be reached: ECONNREFUSED']);
  await expect
    .poll(async () => {
      const to = new Date(Date.now() + 60_000);
      const found = await rig.store.events.search({ from: new Date(0), to, limit: 100, types: [], descending: false });
      return found.events.filter(({ code, raw }) => code === 'TDB01I' && raw.user === 'ann').length;
    })
    .toBe(1);
});

test('MariaDB and Redis are tried as well, each with the steps that it has', async () => {
  const books = await openBooks(rig);
  const cache = await openCache(rig);
  others.push(books, cache);
  const way = ['RBAC_DATABASE', 'RBAC_DATABASE_LOGIN', 'CONNECTIVITY', 'DATABASE_DB_USER'];
  expect(await tried(ann, 'books')).toEqual([...way, 'DATABASE_DB_NAME'].map(step => [step, 'SUCCESS']));
  expect(await tried(ann, 'cache')).toEqual(way.map(step => [step, 'SUCCESS']));
  const bob = await rig.signIn('bob');
  for (const name of ['books', 'cache'])
    expect((await tried(bob, name)).slice(2)).toEqual([
      ['CONNECTIVITY', 'SUCCESS'],
      ['DATABASE_DB_USER', expect.stringContaining(`${name} refused database user "nobody"`)],
    ]);
  // A database that is not there is another step than the user.
  await rig.store.resources.create(roleResource(role('anywhere', 'app').replace('[orders]', '["*"]')));
  await rig.addUser('fay', ['access', 'anywhere']);
  const fay = await rig.signIn('fay');
  for (const name of ['books', 'orders'])
    expect((await tried(fay, name, { database_name: 'nothing' })).slice(2)).toEqual([
      ['CONNECTIVITY', 'SUCCESS'],
      ['DATABASE_DB_USER', 'SUCCESS'],
      ['DATABASE_DB_NAME', expect.stringContaining('nothing')],
    ]);
  await addDatabases(rig, 'redis', 1, ['gone']);
  expect((await tried(ann, 'gone')).at(-1)?.[0]).toBe('CONNECTIVITY');
});

test('a trial can be read again by whoever made it, and by nobody else', async () => {
  const path = '/v1/webapi/sites/-current-/diagnostics/connections';
  const { json } = await ann.call('POST', path, { resource_kind: 'db', resource_name: 'nowhere' });
  const { id } = json as { id: string };
  expect((await ann.call('GET', `${path}/${id}`)).json).toEqual(json);
  expect((await ed.call('GET', `${path}/${id}`)).status).toBe(404);
});
