// MySQL through the gateway: a real MariaDB and its own client; what each person may, and what the audit log has of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DatabaseClient,
  logIn,
  type OtherDatabases,
  openOtherDatabases,
  trail,
} from '../../e2e/rigs/databases.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';

let rig: Rig;
let servers: OtherDatabases;
let folder: string;
let ann: Browser;
let books: DatabaseClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-my-'));
  rig = await openRig({ databases: true });
  servers = await openOtherDatabases(rig);
  await rig.addUser('ann', ['access', 'shop']);
  ann = await rig.signIn('ann');
  books = await logIn(folder, ann, 'books');
});
afterAll(async () => {
  await servers?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const words = ({ port, authority, certificate, key }: DatabaseClient, user = 'app', database = 'orders'): string[] => [
  ...['--no-defaults', '-N', '-hlocalhost', '--protocol=tcp', `-P${port}`, `-u${user}`],
  ...(database === '' ? [] : [`-D${database}`]),
  ...[`--ssl-ca=${authority}`, `--ssl-cert=${certificate}`, `--ssl-key=${key}`, '--ssl-verify-server-cert'],
];
/** What the client prints for lines that it reads, errors too. */
const mariadb = (line: readonly string[], statements: string): Promise<string> =>
  new Promise(done => {
    const client = spawn('mariadb', line, { stdio: 'pipe' });
    let printed = '';
    const hear = (bytes: Buffer): void => {
      printed += bytes;
    };
    client.stdout.on('data', hear);
    client.stderr.on('data', hear);
    client.stdin.on('error', () => undefined);
    client.once('close', () => done(printed.trim()));
    client.stdin.end(statements.replaceAll('; ', ';\n'));
  });

test('its client works as the database user that the certificate of the session names, and each statement is in the audit log', async () => {
  const from = new Date();
  const printed = await mariadb(
    [...words(books), '--force'],
    "select current_user(); create or replace table t as select seq, repeat('x', 100) v from seq_1_to_20000; select count(*) from t; select * from nope; prepare p from 'select ? + 1'; set @one = 1; execute p using @one; load data local infile '/etc/passwd' into table t",
  );
  for (const said of ['app@%', '20000\n', "Table 'orders.nope' doesn't exist", '\n2\n'])
    expect(printed).toContain(said);
  expect(printed).not.toContain('root:');
  // The end is written once both sides have hung up.
  await expect.poll(async () => (await trail(rig, from)).at(-1)?.code).toBe('TDB01I');
  const entries = await trail(rig, from);
  expect(entries.map(({ code, db_query }) => [code, db_query])).toEqual([
    ['TDB00I', undefined],
    ['TDB02I', 'select current_user()'],
    ['TDB02I', "create or replace table t as select seq, repeat('x', 100) v from seq_1_to_20000"],
    ['TDB02I', 'select count(*) from t'],
    ['TDB02I', 'select * from nope'],
    ['TDB02W', 'select * from nope'],
    ['TDB02I', "prepare p from 'select ? + 1'"],
    ['TDB02I', 'set @one = 1'],
    ['TDB02I', 'execute p using @one'],
    ['TDB02I', "load data local infile '/etc/passwd' into table t"],
    ['TDB02W', "load data local infile '/etc/passwd' into table t"],
    ['TDB01I', undefined],
  ]);
  expect(entries[0]).toMatchObject({ user: 'ann', db_service: 'books', db_protocol: 'mysql', db_user: 'app' });
  expect(entries[5]?.error).toContain("doesn't exist (42S02)");
});

test('other users and databases are refused with a sentence, at the log-in and later; what was moved to is in the audit log', async () => {
  const from = new Date();
  expect(await mariadb(words(books, 'root'), 'select 1')).toContain('may not use books as database user "root"');
  expect(await mariadb(words(books, 'app', 'secrets'), 'select 1')).toContain(
    'may not use database "secrets" of books',
  );
  const moved = await mariadb(
    [...words(books, 'app', ''), '--force'],
    'use orders; select 7; use secrets; select database()',
  );
  expect(moved).toContain('may not use database "secrets" of books');
  expect(moved).toContain('7\norders');
  await expect.poll(async () => (await trail(rig, from)).at(-1)?.code).toBe('TDB01I');
  const entries = await trail(rig, from);
  expect(entries.map(({ code, schema_name }) => [code, schema_name])).toContainEqual(['TMY07I', 'orders']);
  expect(entries.find(({ db_query }) => db_query === 'select 7')).toMatchObject({ db_name: 'orders' });
  expect(entries.find(({ db_query }) => db_query === 'use secrets')).toMatchObject({ code: 'TDB02W' });
});

test('Ctrl-C stops the statement in the database', async () => {
  const running = spawn('mariadb', [...words(books), '--unbuffered', '-e', "select 'begun'; select sleep(60)"]);
  running.stderr.resume();
  await once(running.stdout, 'data');
  const sleeping = async (): Promise<boolean> =>
    (await servers.mariadb.admin(
      "select count(*) from information_schema.processlist where info = 'select sleep(60)'",
    )) === '1';
  await expect.poll(sleeping).toBe(true);
  const ended = once(running, 'close');
  running.kill('SIGINT');
  await expect.poll(sleeping).toBe(false);
  running.kill('SIGKILL');
  await ended;
});

test('who shows no certificate, one for another database, or comes to the port of the others, gets nowhere', async () => {
  const bare = words(books).filter(word => !/^--ssl-(cert|key)=/.test(word));
  expect(await mariadb(bare, 'select 1')).toMatch(/certificate/);
  expect(
    await mariadb([...words(books).filter(word => !word.startsWith('--ssl')), '--skip-ssl'], 'select 1'),
  ).toContain('speaks TLS only');
  const cache = await logIn(folder, ann, 'cache');
  expect(await mariadb(words({ ...cache, port: books.port }), 'select 1')).toContain('cache speaks redis');
  // A certificate of another database leads to that one, and nowhere else.
  const prices = await logIn(folder, ann, 'prices');
  const from = new Date();
  expect(await mariadb(words({ ...prices, port: books.port }), 'select 1')).toBe('1');
  expect((await trail(rig, from))[0]).toMatchObject({ db_service: 'prices' });
});

const little = (value: number, bytes: number): Buffer => {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, bytes);
  return written;
};
const packet = (sequence: number, body: Buffer): Buffer =>
  Buffer.concat([little(body.length, 3), Buffer.from([sequence]), body]);
/** A client of bytes, which has logged in; TLS is what its connection begins with. */
async function open(): Promise<{ readonly socket: TLSSocket; said(): string }> {
  const { tlsPort, certificate, authority, key } = books;
  const socket = connectTls({
    ...{ host: '127.0.0.1', port: tlsPort, servername: 'localhost' },
    ...{ ca: readFileSync(authority), cert: readFileSync(certificate), key: readFileSync(key) },
    ALPNProtocols: ['postern-mysql'],
  });
  let said = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => {
    said += bytes.toString('latin1');
  });
  await expect.poll(() => said).toContain('8.0.36-postern');
  const capabilities = 0x200 | 0x8000 | 0x80000 | 0x2000;
  const names = Buffer.from('app\0\0mysql_native_password\0');
  socket.write(packet(1, Buffer.concat([little(capabilities, 4), little(0x1000000, 4), Buffer.alloc(24), names])));
  // The number of the packet and OK.
  await expect.poll(() => said).toMatch(/\0\0\x02\0/);
  return {
    socket,
    said: () => {
      const since = said;
      said = '';
      return since;
    },
  };
}

test('changing the user is refused and the session goes on; what no client sends ends it, and the audit log has its first bytes', async () => {
  const from = new Date();
  const { socket, said } = await open();
  said();
  let heard = '';
  const hears = () => {
    heard += said();
    return heard;
  };
  socket.write(packet(0, Buffer.from('\x11root\0\0orders\0')));
  await expect.poll(hears).toContain('changing the user is not relayed');
  socket.write(packet(0, Buffer.from('\x16select ? + 41')));
  await expect.poll(hears).toContain('?');
  socket.write(packet(0, Buffer.concat([Buffer.from([25]), little(1, 4)])));
  socket.write(packet(0, Buffer.from('\x03select 4242')));
  await expect.poll(hears).toContain('\x044242');
  socket.write(packet(5, Buffer.from('garbage')));
  await once(socket, 'close');
  expect(hears()).toContain('what was sent is not as mysql writes it');
  const noted = async () => {
    const all = await trail(rig, from);
    const sid = all.find(({ code }) => code === 'TDB00I')?.sid;
    return all.filter(entry => entry.sid === sid).map(({ code }) => code);
  };
  await expect.poll(noted).toEqual(['TDB00I', 'TDB02W', 'TDB02I', 'TDB06I', 'TDB01I']);
});

test('a statement that is longer than the server takes is answered in its words, and one of 20 MB is cut in the audit log alone', async () => {
  const from = new Date();
  const statement = (megabytes: number) => `select length('${'x'.repeat(megabytes * 1024 * 1024)}')`;
  const send = (text: string) => mariadb([...words(books), '--max-allowed-packet=1G'], text);
  expect(await send(statement(20))).toContain(String(20 * 1024 * 1024));
  expect(await send(statement(64))).toMatch(/bigger than 'max_allowed_packet'|gone away|Lost connection/);
  const [, query] = await trail(rig, from);
  expect(String(query?.db_query)).toMatch(/x… \(209715\d\d bytes\)$/);
  expect(await mariadb(words(books), 'select 1')).toBe('1');
});

test('bytes that no client sends end their own connection and nothing else', async () => {
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const socket = connect(books.port, '127.0.0.1').on('error', () => undefined);
      socket.resume();
      socket.end(Buffer.from(Array.from({ length: index + 1 }, () => Math.floor(Math.random() * 256))));
      await once(socket, 'close');
    }),
  );
  expect(await mariadb(words(books), 'select 1')).toBe('1');
});
