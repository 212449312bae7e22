// Masked columns in MySQL sessions: a real MariaDB, its own client, rows of prepared statements and their cursors, and what would go round a mask.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditTrail, type DatabaseClient, logIn, openBooks } from '../../e2e/rigs/databases.ts';
import type { MariadbRig } from '../../e2e/rigs/mariadb.ts';
import { openRig, type Rig } from './app.testing.ts';
import { packet, readPacket, writeLogin } from './services/protocols/databases/mysql/messages.ts';
import { roleResource } from './services/rights/source.ts';

const SECRET = '4111-2222';

let rig: Rig;
let server: MariadbRig;
let folder: string;
let client: DatabaseClient;
/** What the client printed for the ways round, line by line of its errors. */
let around: string;

const masking = `kind: role
version: v7
metadata: { name: masking }
spec:
  guards:
    - { name: cards, columns: [customers.card, '*.pin'], effect: mask }
`;

/** What would show a masked value, or something of it. */
const ways: readonly string[] = [
  'select upper(card) from customers',
  'select binary card from customers',
  'select card c from customers order by c',
  "select id from customers where card like '4%'",
  'select id from customers order by card',
  'select card as x from customers order by x',
  'select card from customers order by 1',
  'select distinct card from customers',
  'select max(card) from customers',
  'select (select card from customers where id = 1)',
  'select x from (select card as x from customers) s',
  'with s as (select * from customers) select s.card from s',
  'select name from customers union all select card from customers',
  'select 1 from customers natural join bills',
  'select c.id from customers c join bills b using (card)',
  'select id from customers group by c\u00e1rd',
  'select @kept := card from customers',
  'select card into @kept from customers where id = 1',
  "select card from customers into outfile '/tmp/postern-masks'",
  "select load_file('/etc/hostname') from customers where card is not null",
  'update customers set name = card',
  'insert into bills select id, card from customers',
  'insert into customers (id, name) values (1, 1) on duplicate key update name = card',
  'delete from customers where id = 9 returning upper(card)',
  'create table copied as select * from customers',
  'create view shown as select card from customers',
  'alter table customers change card plain text',
  'rename table customers to other',
  'select * from known',
  'select * from over_known',
  'select card_of(1)',
  'select orders.card_of(1)',
  'call tell()',
  "prepare p from 'select card from customers'",
  'handler customers open',
  'do @kept := (select card from customers where id = 1)',
  'set @kept = (select card from customers where id = 1)',
  'analyze format=json select id from customers where card = 1',
  'select * from mysql.column_stats',
  'show warnings',
  'create table linked (id int) engine=merge union=(customers)',
  'select card /*!50000 , upper(card) */ from customers',
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-my-masks-'));
  rig = await openRig({ databases: true });
  server = await openBooks(rig);
  await server.admin(
    `use orders; create table customers (id int primary key, name text not null, card varchar(20) unique, pin int);
     insert into customers values (1, 'a', '${SECRET}', 4711), (2, 'b', null, null);
     create table bills (id int, card text); insert into bills values (1, 'open');
     create view known as select id, card as c from customers; create view over_known as select * from known; create view names as select id, name from customers;
     create procedure tell() select card from customers;
     create function card_of(i int) returns text reads sql data return (select card from customers where id = i)`,
  );
  await rig.store.resources.create(roleResource(masking));
  await rig.addUser('ann', ['access', 'shop', 'masking']);
  client = await logIn(folder, await rig.signIn('ann'), 'books');
  around = await mariadb(...ways);
});
afterAll(async () => {
  await server?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** What the client prints for statements, a line each, errors too. */
async function mariadb(...statements: readonly string[]): Promise<string> {
  const { port, authority, certificate, key } = client;
  const running = spawn('mariadb', [
    ...['--no-defaults', '--force', '-N', '-hlocalhost', '--protocol=tcp', `-P${port}`, '-uapp', '-Dorders'],
    ...[`--ssl-ca=${authority}`, `--ssl-cert=${certificate}`, `--ssl-key=${key}`, '--ssl-verify-server-cert'],
    ...['--default-character-set=utf8mb4', '--skip-comments'],
  ]);
  let said = '';
  const hear = (bytes: Buffer): void => {
    said += bytes;
  };
  running.stdout.on('data', hear);
  running.stderr.on('data', hear);
  running.stdin.on('error', () => undefined);
  running.stdin.end(`${statements.join(';\n')};\n`);
  await once(running, 'close');
  return said.trim();
}

test('values of a masked column are hidden, by whatever name they come; those of other tables are not', async () => {
  const from = new Date();
  expect(await mariadb('select id, card, pin from customers order by id')).toBe('1\t****\tNULL\n2\tNULL\tNULL');
  expect(await mariadb('select * from customers where id = 1')).toBe('1\ta\t****\tNULL');
  expect(await mariadb('select c.`card` as x, c.* from customers as c where id = 1')).toBe('****\t1\ta\t****\tNULL');
  expect(await mariadb('select b.card, c.card from bills b join customers c on b.id = c.id')).toBe('open\t****');
  expect(await mariadb('select * from bills')).toBe('1\topen');
  expect(await mariadb('select * from names where id = 1')).toBe('1\ta');
  expect(await mariadb("insert into customers values (4, 'd', 'new', 1) returning id")).toBe('4');
  expect(await mariadb("update customers set card = 'newer', pin = 2 where id = 4")).toBe('');
  expect(await mariadb('select count(*) from customers')).toBe('3');
  expect(await mariadb('explain select card from customers')).not.toContain('ERROR');
  expect(await mariadb(`update customers set card = '${SECRET}' where id = 4`)).toMatch(
    /\nERROR 1062 \(23000\) at line 1: Duplicate entry for a key of the table$/,
  );
  await server.admin('delete from orders.customers where id = 4');
  const text = 'select id, card, pin from customers order by id';
  const told = async () => (await auditTrail(rig, from)).find(({ db_query }) => db_query === text);
  await expect.poll(async () => (await told())?.masked).toEqual(['customers.card', '*.pin']);
  const sid = String((await told())?.sid);
  const codes = async () => (await auditTrail(rig, from)).filter(entry => entry.sid === sid).map(({ code }) => code);
  await expect.poll(codes).toContain('TDB01I');
  let recorded = '';
  for await (const piece of (await rig.services.recordings.file(sid, 'text')) ?? []) recorded += piece;
  expect(recorded).toContain('-- guard "cards" of role masking masks column customers.card');
});

test.each(ways.map((way, at) => [way, at + 1] as const))('what would go round a mask is refused: %s', (_way, line) => {
  expect(around).toMatch(
    new RegExp(`^ERROR 1142 \\(42000\\) at line ${line}: Postern: guard "cards" of role masking masks`, 'm'),
  );
  expect(around).not.toContain(SECRET);
});

/** A connection of its own making, logged in. */
async function openWire(): Promise<TLSSocket> {
  const read = (path: string): string => readFileSync(path, 'utf8');
  const raw = connect(client.port, '127.0.0.1');
  const { body } = await readPacket(raw);
  expect(body[0]).toBe(10);
  // Multiple results; no end of columns is left out.
  const login = {
    capabilities: 0x20000 | 0x2000 | 5,
    charset: 45,
    user: 'app',
    database: 'orders',
    attributes: Buffer.alloc(0),
  };
  const [wish, whole] = writeLogin(login);
  raw.write(wish);
  const wire = connectTls({
    ...{ socket: raw, servername: 'localhost', ca: read(client.authority) },
    ...{ cert: read(client.certificate), key: read(client.key) },
  });
  wire.write(whole);
  expect((await readPacket(wire)).body[0]).toBe(0);
  return wire;
}
/** Rows that come before the end of so many lists. */
async function rowsOf(wire: TLSSocket, lists: number): Promise<readonly Buffer[]> {
  const rows: Buffer[] = [];
  for (let ends = 0; ends < lists; ) {
    const { body } = await readPacket(wire);
    expect(body[0]).not.toBe(0xff);
    if (body[0] === 0xfe && body.length < 9) ends += 1;
    else if (ends === lists - 1) rows.push(body);
  }
  return rows;
}

test('rows of a prepared statement are hidden in their binary form, those of its cursor too', async () => {
  const wire = await openWire();
  wire.write(packet(0, Buffer.from('\x16select id, card, pin, name from customers where id = 1')));
  const { body } = await readPacket(wire);
  expect(body[0]).toBe(0);
  await rowsOf(wire, 1);
  const execute = (flags: number): Buffer => Buffer.from([0x17, ...body.subarray(1, 5), flags, 1, 0, 0, 0]);
  // Zero, which values are null (the fourth bit from the third on: pin), then those that are not.
  const hidden = Buffer.from('\x00\x10\x01\x00\x00\x00\x04****\x01a', 'latin1');
  wire.write(packet(0, execute(0)));
  expect(await rowsOf(wire, 2)).toEqual([hidden]);
  const READ_ONLY_CURSOR = 1;
  wire.write(packet(0, execute(READ_ONLY_CURSOR)));
  await rowsOf(wire, 1);
  wire.write(packet(0, Buffer.from([0x1c, ...body.subarray(1, 5), 10, 0, 0, 0])));
  expect(await rowsOf(wire, 1)).toEqual([hidden]);
  wire.destroy();
});

test('each answer of several statements is described anew', async () => {
  const wire = await openWire();
  wire.write(packet(0, Buffer.from('\x1b\0\0')));
  await rowsOf(wire, 1);
  wire.write(
    packet(0, Buffer.from('\x03select name from customers where id = 1; select card, id from customers where id = 1')),
  );
  await rowsOf(wire, 2);
  expect((await rowsOf(wire, 2)).map(row => row.toString('latin1'))).toEqual(['\x04****\x011']);
  wire.destroy();
});
