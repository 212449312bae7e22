// Guards in MySQL sessions: a real MariaDB, its own client, a driver's prepared statements, reviewers, and the audit log.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditTrail, type DatabaseClient, logIn, openBooks } from '../../e2e/rigs/databases.ts';
import type { MariadbRig } from '../../e2e/rigs/mariadb.ts';
import type { WaitingStatement } from '../contract/reviews.ts';
import type { Explanation } from '../contract/rights.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

let rig: Rig;
let server: MariadbRig;
let folder: string;
let ann: Browser;
let reviewer: Browser;
let client: DatabaseClient;

const careful = `kind: role
version: v7
metadata: { name: careful }
spec:
  guards:
    - { name: no blind writes, statements: [update_without_where, delete_without_where], tables: [customers], effect: block, message: name the rows }
    - { name: cards, columns: [customers.card], effect: block }
    - { name: files, statements: [copy], effect: block }
    - { name: clear out, statements: [delete_without_where], tables: [old], effect: ask }
    - { name: schema, statements: [ddl], effect: warn }
`;
const reviewing = `kind: role
version: v7
metadata: { name: reviewing }
spec: { allow: { rules: [{ resources: [statement_review], verbs: [list, update] }] } }
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-my-guards-'));
  rig = await openRig({ databases: true });
  server = await openBooks(rig);
  await server.admin(
    "create table orders.customers (id int primary key, name text, card text); insert into orders.customers values (1, 'a', '4111'), (2, 'b', '4222'); create table orders.old (id int); insert into orders.old values (1), (2)",
  );
  for (const role of [careful, reviewing]) await rig.store.resources.create(roleResource(role));
  await rig.addUser('ann', ['access', 'shop', 'careful']);
  await rig.addUser('rob', ['access', 'reviewing']);
  ann = await rig.signIn('ann');
  reviewer = await rig.signIn('rob');
  client = await logIn(folder, ann, 'books');
});
afterAll(async () => {
  await server?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** What the client prints for statements, errors too. */
function open(statements: string) {
  const { port, authority, certificate, key } = client;
  const words = [
    ...['--no-defaults', '--force', '-N', '-hlocalhost', '--protocol=tcp', `-P${port}`, '-uapp', '-Dorders'],
    ...[`--ssl-ca=${authority}`, `--ssl-cert=${certificate}`, `--ssl-key=${key}`, '--ssl-verify-server-cert'],
  ];
  const running = spawn('mariadb', words, { stdio: 'pipe' });
  let said = '';
  const hear = (bytes: Buffer): void => {
    said += bytes;
  };
  running.stdout.on('data', hear);
  running.stderr.on('data', hear);
  running.stdin.on('error', () => undefined);
  running.stdin.end(statements.replaceAll('; ', ';\n'));
  return { running, printed: new Promise<string>(done => running.once('close', () => done(said.trim()))) };
}
const mariadb = (statements: string): Promise<string> => open(statements).printed;
const REVIEWS = '/v1/webapi/sites/-current-/reviews';
const held = async (): Promise<readonly WaitingStatement[]> =>
  ((await reviewer.call('GET', REVIEWS)).json as { items: WaitingStatement[] }).items;

test('what a guard blocks is not executed, the client says why and goes on; the audit log has the guard', async () => {
  const from = new Date();
  const printed = await mariadb(
    "delete from customers; select count(*) from customers; update customers set name = 'c' where id = 1; select card from customers; create table made (a int); select name from customers into outfile '/tmp/x'; select name from customers where id = 1 /*!50000 union select card from customers */; this is no statement",
  );
  expect(printed).toContain(
    'Postern: guard "no blind writes" of role careful blocks update without where, delete without where on customers: name the rows',
  );
  expect(printed).toContain('guard "cards" of role careful blocks statements with column customers.card');
  expect(printed).toContain('guard "files" of role careful blocks copy');
  expect(printed.match(/blocks what cannot be looked into/g)).toHaveLength(2);
  expect(printed).toContain('\n2\n');
  expect(printed).not.toContain('4111');
  await expect.poll(async () => (await auditTrail(rig, from)).at(-1)?.code).toBe('TDB01I');
  const entries = await auditTrail(rig, from);
  expect(entries.slice(1, 6).map(({ code, db_query, guard }) => [code, db_query, guard])).toEqual([
    ['TDB02W', 'delete from customers', 'no blind writes'],
    ['TDB02I', 'select count(*) from customers', undefined],
    ['TDB02I', "update customers set name = 'c' where id = 1", undefined],
    ['TDB02W', 'select card from customers', 'cards'],
    ['TDB02I', 'create table made (a int)', 'schema'],
  ]);
  const summary = await rig.services.recordings.summary(String(entries[0]?.sid));
  expect(summary?.commands.map(({ text, status }) => [text, status]).slice(0, 2)).toEqual([
    ['delete from customers', 1],
    ['select count(*) from customers', 0],
  ]);
});

test('a transaction goes on behind what was blocked, and ways round the words are closed', async () => {
  const printed = await mariadb(
    'begin; insert into old values (3); delete from customers; commit; select count(*) from old; prepare p from \'delete from customers\'; set sql_mode = ansi_quotes; select "card" from customers where id = 1',
  );
  expect(printed).toContain('\n3\n');
  expect(printed.match(/blocks what cannot be looked into/g)).toHaveLength(2);
  expect(await server.admin('select count(*) from orders.customers')).toBe('2');
});

test('what a guard asks about waits for a reviewer, who sees its plan; Ctrl-C ends the wait', async () => {
  const once = open('delete from old; select 7');
  await expect.poll(async () => (await held()).length).toBe(1);
  const [first] = await held();
  expect(first).toMatchObject({ text: 'delete from old', user: 'ann' });
  await expect
    .poll(async () => (await held()).map(({ plan, noPlan }) => [plan, noPlan]))
    .toEqual([[expect.stringContaining('Deleting all rows'), '']]);
  expect(await server.admin('select count(*) from orders.old')).toBe('3');
  await reviewer.call('POST', `${REVIEWS}/${first?.id}`, { decision: 'once', reason: '' });
  expect(await once.printed).toBe('7');
  expect(await server.admin('select count(*) from orders.old')).toBe('0');

  const stopped = open('delete from old; select 8');
  await expect.poll(async () => (await held()).length).toBe(1);
  stopped.running.kill('SIGINT');
  expect(await stopped.printed).toContain('cancelled while it waited');
  expect(await held()).toEqual([]);
});

test('whoever asks what they may do there hears of the guards', async () => {
  const query = new URLSearchParams({ action: 'db', principal: 'app', target: 'books' });
  const { json } = await ann.call('GET', `/v1/webapi/sites/-current-/rights/explain?${query}`);
  const { allowed, reasons } = json as Explanation;
  expect(allowed).toBe(true);
  expect(reasons.filter(({ kind }) => kind === 'guards').map(({ text }) => text)).toContain(
    'Role careful asks about delete without where on old (guard "clear out").',
  );
});
