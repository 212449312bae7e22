// Masked columns in PostgreSQL sessions: a real server, psql and drivers of both formats, and what would go round a mask.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
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
const SECRET = '4111-2222';

let rig: Rig;
let postgres: PostgresRig;
let folder: string;
let client: DatabaseClient;

const masking = `kind: role
version: v7
metadata: { name: masking }
spec:
  guards:
    - { name: cards, columns: [customers.card, '*.pin'], effect: mask }
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-masks-'));
  rig = await openRig({ databases: true });
  postgres = await openDatabases(rig);
  await run('psql', [
    postgres.url.replace(/\/[^/]*$/, '/orders'),
    '-qc',
    `create table customers (id int primary key, name text not null, card text, pin int);
     insert into customers values (1, 'a', '${SECRET}', 4711), (2, 'b', null, null);
     create table bills (id int, card text); insert into bills values (1, 'open');
     create view known as select id, card from customers;
     create view over_known as select * from known;
     create function card_of(int) returns text language sql as 'select card from customers where id = $1';
     alter table customers owner to app; alter table bills owner to app; alter view known owner to app; alter view over_known owner to app;
     analyze customers`,
  ]);
  await rig.store.resources.create(roleResource(masking));
  await rig.addUser('ann', ['access', 'shop', 'masking']);
  client = await logIn(folder, await rig.signIn('ann'), 'orders');
});
afterAll(async () => {
  await postgres?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const line = (): string =>
  `host=localhost hostaddr=127.0.0.1 port=${client.port} user=app dbname=orders sslmode=verify-full sslrootcert=${client.authority} sslcert=${client.certificate} sslkey=${client.key}`;
/** What psql prints, errors and notices too. */
async function psql(...statements: readonly string[]): Promise<string> {
  const args = ['-qAtX', '-d', line(), ...statements.flatMap(text => ['-c', text])];
  const { stdout, stderr } = await run('psql', args).catch(error => error as { stdout: string; stderr: string });
  return `${stdout}${stderr}`.trim();
}
async function driver(): Promise<pg.Client> {
  const { authority, certificate, key, port } = client;
  const read = (path: string): string => readFileSync(path, 'utf8');
  const one = new pg.Client({
    ...{ host: 'localhost', port, user: 'app', database: 'orders' },
    ssl: { ca: read(authority), cert: read(certificate), key: read(key) },
  });
  await one.connect();
  return one;
}

test('values of a masked column are hidden, by whatever name they come; those of other tables are not', async () => {
  const from = new Date();
  expect(await psql('select id, card, pin from customers order by id')).toMatch(
    /^1\|\*{4}\|\n2\|\|\nNOTICE: {2}Postern: guard "cards" of role masking masks column customers\.card, \*\.pin$/,
  );
  for (const text of [
    'select * from customers where id = 1',
    'table customers',
    'select c.card as x, c.* from customers c',
    'select b.card, c.card from bills b join customers c using (id)',
    "update customers set name = 'z' where id = 1 returning *",
    'select name from customers; select card from customers',
  ]) {
    const printed = await psql(text);
    expect(printed).toContain('****');
    expect(printed).not.toContain(SECRET);
    expect(printed).not.toContain('4711');
  }
  expect(await psql('select b.card, c.card from bills b join customers c using (id)')).toMatch(/^open\|\*{4}\n/);
  expect(await psql('select card from bills')).toBe('open');
  await expect.poll(async () => (await auditTrail(rig, from)).at(-1)?.code).toBe('TDB01I');
  const [started, first] = await auditTrail(rig, from);
  expect([first?.db_query, first?.masked]).toEqual([
    'select id, card, pin from customers order by id',
    ['customers.card', '*.pin'],
  ]);
  let recorded = '';
  for await (const piece of (await rig.services.recordings.file(String(started?.sid), 'text')) ?? []) recorded += piece;
  expect(recorded).toContain('-- guard "cards" of role masking masks column customers.card');
});

test('drivers get them hidden in text and binary, from prepared statements, portals and cursors of theirs', async () => {
  const one = await driver();
  const named = { name: 'cards', text: 'select id, card, pin from customers where id = $1', values: [1] };
  const hidden = { id: 1, card: '****', pin: null };
  expect((await one.query(named)).rows).toEqual([hidden]);
  expect((await one.query(named)).rows).toEqual([hidden]);
  const binary = await one.query({ ...named, name: 'binary', binary: true } as pg.QueryConfig);
  expect(binary.rows).toEqual([hidden]);
  await expect(one.query('execute cards(1)')).rejects.toThrow('what this does with it cannot be told');
  await one.end();
});

test.each([
  `select upper(card) from customers`,
  `select id from customers where card like '4%'`,
  'select id from customers order by card',
  'select card as x from customers order by x',
  'select card from customers order by 1',
  'select distinct card from customers',
  'select c from customers c',
  'select c.row_to_json from customers c',
  'select to_jsonb(customers) from customers',
  'select name from bills, customers union all select card from customers',
  'select x from (select card as x from customers) s',
  'with s as (select * from customers) select s.card from s',
  'select 1 from customers natural join bills',
  'select c.id from customers c join bills b using (card)',
  'select a from customers as t (a, b, c, d)',
  'update customers set name = card',
  'insert into bills select id, card from customers',
  'create table copied as select * from customers',
  'create view shown as select card from customers',
  'alter table customers rename column card to plain',
  'alter table customers rename to other',
  'alter schema public rename to other',
  'copy customers to stdout',
  'copy customers (card) to stdout',
  'copy (select card from customers) to stdout',
  'declare c cursor for select card from customers',
  'prepare p as select card from customers',
  'select card_of(1)',
  'select * from known',
  'select * from over_known',
  "select most_common_vals from pg_stats where tablename = 'customers'",
  "do $$ begin raise notice '%', (select card from customers limit 1); end $$",
  "select query_to_xml('select card from customers', true, true, '')",
])('what would go round a mask is refused: %s', async text => {
  const printed = await psql(text);
  expect(printed).toContain('ERROR:  Postern: guard "cards" of role masking masks column');
  expect(printed).not.toContain(SECRET);
});

test('what does nothing with the column goes on, and it may be written; an error quotes no row of the table', async () => {
  expect(await psql('select count(*) from customers')).toContain('2');
  expect(
    await psql("insert into customers (id, name, card) values (3, 'c', '1')", 'delete from customers where id = 3'),
  ).not.toContain('ERROR');
  expect(await psql('select b.id from bills b order by 1')).toBe('1');
  const failed = await psql('update customers set name = null where id = 1');
  expect(failed).toContain('violates not-null constraint');
  expect(failed).not.toContain(SECRET);
});

/** What a client of its own making sends and hears. */
async function openWire() {
  const { authority, certificate, key, port } = client;
  const read = (path: string): string => readFileSync(path, 'utf8');
  const wire = new pg.Connection({
    ssl: { ca: read(authority), cert: read(certificate), key: read(key) },
  } as unknown as pg.ConnectionConfig) as unknown as NodeJS.EventEmitter & {
    connect(port: number, host: string): void;
    requestSsl(): void;
    startup(of: object): void;
    parse(of: { text: string; name: string }): void;
    bind(of: { portal: string; statement: string }): void;
    execute(of: { portal: string; rows: number }): void;
    sync(): void;
    query(text: string): void;
    end(): void;
  };
  const rows: (string | null)[][] = [];
  const errors: string[] = [];
  wire.on('dataRow', ({ fields }: { fields: (Buffer | null)[] }) => {
    rows.push(fields.map(field => field && String(field)));
  });
  wire.on('errorMessage', ({ message }: { message: string }) => void errors.push(message));
  wire.on('connect', () => wire.requestSsl());
  wire.on('sslconnect', () => wire.startup({ user: 'app', database: 'orders' }));
  wire.connect(port, 'localhost');
  const ready = async (): Promise<void> => void (await once(wire, 'readyForQuery'));
  await ready();
  return { wire, rows, errors, ready };
}

test('a portal that was bound for hidden rows is not read by other means', async () => {
  const { wire, rows, errors, ready } = await openWire();
  wire.query('begin');
  await ready();
  wire.parse({ name: 's', text: 'select card from customers where id = 1' });
  wire.bind({ portal: 'p', statement: 's' });
  wire.parse({ name: 't', text: 'select name from customers limit 0' });
  wire.bind({ portal: 'q', statement: 't' });
  wire.execute({ portal: 'q', rows: 0 });
  wire.execute({ portal: 'p', rows: 0 });
  wire.sync();
  await ready();
  // Nobody has asked what the columns are: all of them are hidden.
  expect(rows).toEqual([[null]]);
  wire.bind({ portal: 'r', statement: 's' });
  wire.sync();
  await ready();
  wire.query('fetch all from r');
  await ready();
  expect(errors).toEqual([expect.stringContaining('masks column')]);
  expect(rows).toHaveLength(1);
  wire.end();
});

test('a name that was bound anew behind an error is that of the rows it had, once a savepoint brings them back', async () => {
  const { wire, rows, ready } = await openWire();
  wire.query('begin');
  await ready();
  wire.parse({ name: 's', text: 'select card from customers where id = 1' });
  wire.parse({ name: 't', text: 'select 1' });
  wire.bind({ portal: 'p', statement: 's' });
  wire.sync();
  await ready();
  wire.query('savepoint one');
  await ready();
  wire.parse({ name: 'broken', text: 'select nothing from nowhere' });
  wire.bind({ portal: 'p', statement: 't' });
  wire.sync();
  await ready();
  wire.query('rollback to one');
  await ready();
  wire.execute({ portal: 'p', rows: 0 });
  wire.sync();
  await ready();
  expect(rows).toEqual([[null]]);
  wire.end();
});

test('whoever asks what they may do there hears of the mask', async () => {
  const query = new URLSearchParams({ action: 'db', principal: 'app', target: 'orders' });
  const { json } = await (await rig.signIn('ann')).call('GET', `/v1/webapi/sites/-current-/rights/explain?${query}`);
  expect((json as Explanation).reasons.map(({ text }) => text)).toContain(
    'Role masking masks column customers.card, *.pin (guard "cards").',
  );
});
