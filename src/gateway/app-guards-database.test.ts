// Guards in PostgreSQL sessions: a real server, psql and its pipeline, and the audit log.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditTrail, type DatabaseClient, logIn, openDatabases } from '../../e2e/rigs/databases.ts';
import type { PostgresRig } from '../../e2e/rigs/postgres.ts';
import type { Explanation } from '../contract/rights.ts';
import { openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const run = promisify(execFile);

let rig: Rig;
let postgres: PostgresRig;
let folder: string;
let client: DatabaseClient;

const careful = `kind: role
version: v7
metadata: { name: careful }
spec:
  guards:
    - { name: no blind writes, db_labels: { team: shop }, statements: [update_without_where, delete_without_where], effect: block, message: name the rows }
    - { name: cards, columns: [customers.card], effect: block }
    - { name: schema, statements: [ddl], effect: warn }
    - { name: elsewhere, db_labels: { team: other }, statements: [write], effect: block }
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-guards-'));
  rig = await openRig({ databases: true });
  postgres = await openDatabases(rig);
  await run('psql', [
    postgres.url.replace(/\/[^/]*$/, '/orders'),
    '-qc',
    "create table customers (id int primary key, name text, card text); insert into customers values (1, 'a', '4111'), (2, 'b', '4222'); alter table customers owner to app",
  ]);
  await rig.store.resources.create(roleResource(careful));
  await rig.addUser('ann', ['access', 'shop', 'careful']);
  client = await logIn(folder, await rig.signIn('ann'), 'orders');
});
afterAll(async () => {
  await postgres?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const line = (): string =>
  `host=localhost hostaddr=127.0.0.1 port=${client.port} user=app dbname=orders sslmode=verify-full sslrootcert=${client.authority} sslcert=${client.certificate} sslkey=${client.key}`;
/** What psql prints, errors too. */
async function psql(...statements: readonly string[]): Promise<string> {
  const args = ['-qAtX', '-d', line(), ...statements.flatMap(text => ['-c', text])];
  const { stdout, stderr } = await run('psql', args).catch(error => error as { stdout: string; stderr: string });
  return `${stdout}${stderr}`.trim();
}

test('what a guard blocks is not executed, psql says why, and the session goes on; the audit log has the guard', async () => {
  const from = new Date();
  const printed = await psql(
    'delete from customers',
    'select count(*) from customers',
    'update customers set name = $$c$$ where id = 1',
    'select card from customers',
    'create table made (a int)',
    'this is no statement',
  );
  expect(printed).toContain(
    'ERROR:  Postern: guard "no blind writes" of role careful blocks update without where, delete without where: name the rows',
  );
  expect(printed).toContain(
    'ERROR:  Postern: guard "cards" of role careful blocks statements with column customers.card',
  );
  expect(printed).toContain('WARNING:  Postern: guard "schema" of role careful warns of changes of tables');
  expect(printed).toContain('guard "no blind writes" of role careful blocks what cannot be looked into');
  expect(printed.split('\n')[0]).toBe('2');
  await expect.poll(async () => (await auditTrail(rig, from)).at(-1)?.code).toBe('TDB01I');
  const entries = await auditTrail(rig, from);
  expect(entries.slice(1, -1).map(({ code, db_query, guard }) => [code, db_query, guard])).toEqual([
    ['TDB02W', 'delete from customers', 'no blind writes'],
    ['TDB02I', 'select count(*) from customers', undefined],
    ['TDB02I', 'update customers set name = $$c$$ where id = 1', undefined],
    ['TDB02W', 'select card from customers', 'cards'],
    ['TDB02I', 'create table made (a int)', 'schema'],
    ['TDB02W', 'this is no statement', 'no blind writes'],
  ]);
  const sid = String(entries[0]?.sid);
  const summary = await rig.services.recordings.summary(sid);
  expect(summary?.commands.map(({ text, status }) => [text, status]).slice(0, 2)).toEqual([
    ['delete from customers', 1],
    ['select count(*) from customers', 0],
  ]);
});

test('a transaction is broken by what a guard blocks, as by any error, and its other statements are undone', async () => {
  expect(await psql('begin; update customers set name = $$x$$ where id = 2; delete from customers; commit')).toContain(
    'no blind writes',
  );
  expect(
    await psql('begin', 'update customers set name = $$x$$ where id = 2', 'delete from customers', 'commit'),
  ).toContain('no blind writes');
  expect(await psql('select name from customers where id = 2')).toBe('b');
});

test('prepared statements, pipelines and code that hides what it does are judged where they are executed', async () => {
  const { authority, certificate, key, port } = client;
  const read = (path: string): string => readFileSync(path, 'utf8');
  const driver = new pg.Client({
    host: 'localhost',
    port,
    user: 'app',
    database: 'orders',
    ssl: { ca: read(authority), cert: read(certificate), key: read(key) },
  });
  await driver.connect();
  const says = (query: pg.QueryConfig | string): Promise<unknown> =>
    driver.query(query).then(
      ({ rows }) => rows,
      (error: pg.DatabaseError) => `${error.code} ${error.message}`,
    );
  const named = { name: 'one', text: 'select name from customers where id = $1', values: [2] };
  expect(await says(named)).toEqual([{ name: 'b' }]);
  expect(await says({ text: 'delete from customers where $1', values: [true] })).toContain('42501 Postern: guard');
  expect(await says(named)).toEqual([{ name: 'b' }]);
  expect(await says("do $$ begin execute 'delete from customers'; end $$")).toContain('cannot be looked into');
  expect(await says('prepare hidden as delete from customers')).toContain('no blind writes');
  expect(await says('set standard_conforming_strings = off')).toContain('cannot be looked into');
  expect(await says('select * from customers')).toContain('"cards"');
  expect(await says('select count(*)::int as n from customers')).toEqual([{ n: 2 }]);
  await driver.end();
});

test("whoever asks what they may do there hears of the guards too, with their places, and of no other database's", async () => {
  const query = new URLSearchParams({ action: 'db', principal: 'app', target: 'orders' });
  const browser = await rig.signIn('ann');
  const { json } = await browser.call('GET', `/v1/webapi/sites/-current-/rights/explain?${query}`);
  const { allowed, reasons } = json as Explanation;
  expect(allowed).toBe(true);
  expect(reasons.filter(({ kind }) => kind === 'guards').map(({ role, line, text }) => [role, line, text])).toEqual([
    ['careful', 6, 'Role careful blocks update without where, delete without where (guard "no blind writes").'],
    ['careful', 7, 'Role careful blocks statements with column customers.card (guard "cards").'],
    ['careful', 8, 'Role careful warns of changes of tables and other objects (guard "schema").'],
  ]);
});

test('a guard that comes while a session runs ends it: what it relayed was not looked into', async () => {
  await rig.addUser('bob', ['access', 'shop']);
  const bob = await logIn(folder, await rig.signIn('bob'), 'orders');
  const from = new Date();
  const args = line()
    .replace(String(client.port), String(bob.port))
    .replace(client.certificate, bob.certificate)
    .replace(client.key, bob.key);
  const asleep = run('psql', ['-qAtX', '-d', args, '-c', 'select pg_sleep(60)']).catch(
    error => error as { stderr: string },
  );
  await expect.poll(async () => (await auditTrail(rig, from)).map(({ code }) => code)).toContain('TDB02I');
  await rig.services.identity.accounts.update(
    { name: 'bob', roles: ['access', 'shop', 'careful'] },
    { user: 'root', rights: null },
  );
  expect((await asleep).stderr).toContain('guards of your roles are about orders now. Connect again.');
});
