// MySQL through the gateway: a real MariaDB and its own client; what each person may, and what the audit log has of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkCertificates } from '../../e2e/rigs/database-certificates.ts';
import { addDatabases, auditTrail, type DatabaseClient, logIn, openBooks } from '../../e2e/rigs/databases.ts';
import type { MariadbRig } from '../../e2e/rigs/mariadb.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';

/** Real servers and clients: seconds are for a machine that is busy with other things. */
const SLOW = { timeout: 20_000 };

let rig: Rig;
let server: MariadbRig;
let folder: string;
let ann: Browser;
let books: DatabaseClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-my-'));
  rig = await openRig({ databases: true });
  server = await openBooks(rig);
  await addDatabases(rig, 'redis', server.port, ['cache']);
  await rig.addUser('ann', ['access', 'shop']);
  ann = await rig.signIn('ann');
  books = await logIn(folder, ann, 'books');
});
afterAll(async () => {
  await server?.dispose();
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
  await expect.poll(async () => (await auditTrail(rig, from)).at(-1)?.code, SLOW).toBe('TDB01I');
  const entries = await auditTrail(rig, from);
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
  await expect.poll(async () => (await auditTrail(rig, from)).at(-1)?.code, SLOW).toBe('TDB01I');
  const entries = await auditTrail(rig, from);
  expect(entries.map(({ code, schema_name }) => [code, schema_name])).toContainEqual(['TMY07I', 'orders']);
  expect(entries.find(({ db_query }) => db_query === 'select 7')).toMatchObject({ db_name: 'orders' });
  expect(entries.find(({ db_query }) => db_query === 'use secrets')).toMatchObject({ code: 'TDB02W' });
});

test('Ctrl-C stops the statement in the database', async () => {
  const running = spawn('mariadb', [...words(books), '--unbuffered', '-e', "select 'begun'; select sleep(60)"]);
  running.stderr.resume();
  await once(running.stdout, 'data');
  const sleeping = async (): Promise<boolean> =>
    (await server.admin("select count(*) from information_schema.processlist where info = 'select sleep(60)'")) === '1';
  await expect.poll(sleeping, SLOW).toBe(true);
  const ended = once(running, 'close');
  running.kill('SIGINT');
  await expect.poll(sleeping, SLOW).toBe(false);
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
  expect((await auditTrail(rig, from))[0]).toMatchObject({ db_service: 'prices' });
});

const little = (value: number, bytes: number): Buffer => {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, bytes);
  return written;
};
const packet = (sequence: number, body: Buffer): Buffer =>
  Buffer.concat([little(body.length, 3), Buffer.from([sequence]), body]);
/** A client of bytes, which has logged in; TLS is what its connection begins with. */
async function open() {
  const { tlsPort, certificate, authority, key } = books;
  const socket = connectTls({
    ...{ host: '127.0.0.1', port: tlsPort, servername: 'localhost', ALPNProtocols: ['postern-mysql'] },
    ...{ ca: readFileSync(authority), cert: readFileSync(certificate), key: readFileSync(key) },
  });
  const closed = new Promise(done => socket.once('close', done));
  let said = '';
  socket.on('error', () => undefined);
  // The ends of answers are enough: values may be long.
  socket.on('data', (bytes: Buffer) => {
    said = `${said}${bytes.toString('latin1')}`.slice(-4096);
  });
  await expect.poll(() => said, SLOW).toContain('8.0.36-postern');
  const capabilities = 0x200 | 0x8000 | 0x80000 | 0x2000;
  const names = Buffer.from('app\0\0mysql_native_password\0');
  socket.write(packet(1, Buffer.concat([little(capabilities, 4), little(0x1000000, 4), Buffer.alloc(24), names])));
  // The number of the packet and OK.
  await expect.poll(() => said, SLOW).toMatch(/\0\0\x02\0/);
  said = '';
  return { socket, closed, hears: () => said };
}

test('changing the user is refused and the session goes on; what no client sends ends it, and the audit log has its first bytes', async () => {
  const from = new Date();
  const { socket, closed, hears } = await open();
  socket.write(packet(0, Buffer.from('\x11root\0\0orders\0')));
  await expect.poll(hears, SLOW).toContain('changing the user is not relayed');
  socket.write(packet(0, Buffer.from('\x16select ? + 41')));
  await expect.poll(hears, SLOW).toContain('?');
  socket.write(packet(0, Buffer.concat([Buffer.from([25]), little(1, 4)])));
  socket.write(packet(0, Buffer.from('\x03select 4242')));
  await expect.poll(hears, SLOW).toContain('\x044242');
  socket.write(packet(5, Buffer.from('garbage')));
  await closed;
  expect(hears()).toContain('what was sent is not as mysql writes it');
  const noted = async () => {
    const all = await auditTrail(rig, from);
    const sid = all.find(({ code }) => code === 'TDB00I')?.sid;
    return all.filter(entry => entry.sid === sid).map(({ code }) => code);
  };
  await expect.poll(noted, SLOW).toEqual(['TDB00I', 'TDB02W', 'TDB02I', 'TDB06I', 'TDB01I']);
});

test('a statement of 17 MB passes and is cut in the audit log alone, and one that is longer than the server takes is answered', async () => {
  const from = new Date();
  const part = 0xffffff;
  const { socket, closed, hears } = await open();
  socket.write(packet(0, Buffer.concat([Buffer.from("\x03select length('"), Buffer.alloc(part - 16, 'x')])));
  socket.write(packet(1, Buffer.from("') as seen")));
  await expect.poll(() => hears().includes('\x0816777199'), SLOW).toBe(true);
  for (let sequence = 0; sequence < 4; sequence++)
    socket.write(packet(sequence, Buffer.alloc(part, sequence === 0 ? '\x03' : 'x')));
  socket.write(packet(4, Buffer.from('x')));
  await expect.poll(hears, SLOW).toContain('max_allowed_packet');
  await closed;
  await expect.poll(async () => (await auditTrail(rig, from)).at(-1)?.code, SLOW).toBe('TDB01I');
  expect(String((await auditTrail(rig, from))[1]?.db_query)).toMatch(/x… \(1677722\d bytes\)$/);
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

test('a certificate counts until it ends, as long as no lock has come, and with the factor that roles ask for', async () => {
  const said = await checkCertificates(rig, folder, {
    name: 'books',
    use: client => mariadb(words(client), 'select 1'),
    works: '1',
  });
  expect(said).toEqual([]);
});

test.each<[string, Buffer | string, RegExp]>([
  ['speaks something else', 'HTTP/1.1 400 Bad Request\r\n\r\n', /a packet of \d+ bytes in a hand-shake/],
  ['greets with nothing', packet(0, Buffer.from([10])), /a greeting that is none/],
  ['is too old for TLS', packet(0, Buffer.concat([Buffer.from('\x0a5.1\0'), Buffer.alloc(44)])), /does not offer TLS/],
  ['refuses in its greeting', packet(0, Buffer.from('\xff\x10\x04Too many', 'latin1')), /it says: Too many/],
])('a server that %s ends the connection with a sentence', async (_what, greeting, said) => {
  const liar = createServer(socket => {
    socket.on('error', () => undefined);
    socket.write(greeting);
  }).listen(0, '127.0.0.1');
  await once(liar, 'listening');
  await addDatabases(rig, 'mysql', (liar.address() as AddressInfo).port, ['liar']);
  expect(await mariadb(words(await logIn(folder, ann, 'liar')), 'select 1')).toMatch(said);
  liar.close();
});
