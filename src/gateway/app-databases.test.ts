// Databases through the gateway: a real PostgreSQL, psql and certificates; what each person may, and what the audit log has of it.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkCertificates } from '../../e2e/rigs/database-certificates.ts';
import { auditTrail, type DatabaseClient, logIn, openDatabases, signedFiles } from '../../e2e/rigs/databases.ts';
import type { PostgresRig } from '../../e2e/rigs/postgres.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';

const run = promisify(execFile);

/** What a person's machine has after a log-in. */
interface Client {
  readonly line: string;
  readonly port: number;
}

let rig: Rig;
let postgres: PostgresRig;
let folder: string;
let ann: Browser;
let orders: Client;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-db-'));
  rig = await openRig({ databases: true });
  postgres = await openDatabases(rig);
  await rig.addUser('ann', ['access', 'shop']);
  await rig.addUser('bob', ['access', 'reader']);
  ann = await rig.signIn('ann');
});
beforeEach(async () => {
  orders = await login(ann, 'orders');
});
afterAll(async () => {
  await postgres?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function login(who: Browser, name: string): Promise<Client> {
  const { port, certificate, authority, key } = await logIn(folder, who, name);
  return {
    port,
    line: `host=localhost hostaddr=127.0.0.1 port=${port} user=app dbname=orders sslmode=verify-full sslrootcert=${authority} sslcert=${certificate} sslkey=${key}`,
  };
}
/** What psql prints, errors too. */
async function psql(line: string, ...statements: readonly string[]): Promise<string> {
  const args = ['-qAtX', '-d', line, ...statements.flatMap(text => ['-c', text])];
  const { stdout, stderr } = await run('psql', args).catch(error => error as { stdout: string; stderr: string });
  return `${stdout}${stderr}`.trim();
}

test('psql works as the database user that the certificate of the session names, and each statement is in the audit log', async () => {
  const from = new Date();
  const printed = await psql(
    orders.line,
    'select current_user, ssl, client_dn from pg_stat_ssl where pid = pg_backend_pid()',
    "create table t as select i, repeat('x', 100) as v from generate_series(1, 20000) i",
    'select count(*) from t',
    'select * from nope',
  );
  expect(printed).toContain('app|t|/CN=app');
  expect(printed).toContain('20000');
  // The end is written once both sides have hung up.
  await expect.poll(async () => (await auditTrail(rig, from)).at(-1)?.code).toBe('TDB01I');
  const entries = await auditTrail(rig, from);
  expect(entries.map(({ code, db_query }) => [code, db_query])).toEqual([
    ['TDB00I', undefined],
    ['TDB02I', 'select current_user, ssl, client_dn from pg_stat_ssl where pid = pg_backend_pid()'],
    ['TDB02I', "create table t as select i, repeat('x', 100) as v from generate_series(1, 20000) i"],
    ['TDB02I', 'select count(*) from t'],
    ['TDB02I', 'select * from nope'],
    ['TDB02W', 'select * from nope'],
    ['TDB01I', undefined],
  ]);
  expect(entries[0]).toMatchObject({
    user: 'ann',
    db_service: 'orders',
    db_user: 'app',
    db_name: 'orders',
    success: true,
  });
  expect(entries[5]).toMatchObject({ success: false, error: 'relation "nope" does not exist (42P01)' });
});

test('what a client did is a recording: statements with their times, rows and errors, listed and played like any other', async () => {
  const from = new Date();
  await psql(orders.line, "select 'a'\nfrom generate_series(1, 3)", 'select 1/0', "select E'\\x1b[31m'");
  await expect.poll(async () => (await auditTrail(rig, from)).at(-1)?.code).toBe('TDB01I');
  const end = (await auditTrail(rig, from)).at(-1);
  const sid = String(end?.sid);
  expect(end).toMatchObject({ session_recording: 'node', participants: ['ann'] });
  const summary = await rig.services.recordings.summary(sid);
  expect(summary).toMatchObject({ state: 'sealed', integrity: { ok: true }, hostname: 'orders', login: 'app' });
  expect(summary?.commands.map(({ text, status }) => [text, status])).toEqual([
    ["select 'a' ⏎ from generate_series(1, 3)", 0],
    ['select 1/0', 1],
    ["select E'\\x1b[31m'", 0],
  ]);
  const auditor = await rig.addUser('ada', ['auditor']).then(() => rig.signIn('ada'));
  const listed = await auditor.call('GET', '/v1/webapi/sites/-current-/events/search/sessions');
  expect(JSON.stringify(listed.json)).toContain(sid);
  const printed = await auditor.call('GET', `/v1/webapi/sites/-current-/sessions/${sid}/stream`);
  expect(printed.body).toMatch(/\(3 rows, [\d.]+ ms\)/);
  expect(printed.body).toContain('ERROR:  division by zero (22012)');
  const file = (format: string) =>
    auditor.call('GET', `/v1/webapi/sites/-current-/recordings/${sid}/file?format=${format}`);
  const [heading, first, second, third, ...more] = (await file('csv')).body.split('\r\n');
  expect([heading, more]).toEqual(['time,statement,parameters,rows,ms,error,reviews', ['']]);
  // A spreadsheet takes it for one cell, over two lines.
  expect(first).toMatch(/^20\d\d-[-\d]+T[\d:.]+Z,"select 'a'\nfrom generate_series\(1, 3\)",,3,[\d.]+,,$/);
  expect(second).toMatch(/,select 1\/0,,,[\d.]+,division by zero \(22012\),$/);
  expect(third).toContain("select E'\\x1b[31m'");
  expect((await file('json')).json).toMatchObject([
    { statement: "select 'a'\nfrom generate_series(1, 3)", rows: 3, error: '' },
    { statement: 'select 1/0', rows: null, error: 'division by zero (22012)', reviews: [] },
    { statement: "select E'\\x1b[31m'", rows: 1 },
  ]);
  const looked = await rig.store.events.search({
    ...{ from, to: new Date(Date.now() + 60_000), limit: 100 },
    ...{ types: ['session.recording.access'], descending: false },
  });
  expect(looked.events.map(({ raw }) => [raw.user, raw.sid])).toContainEqual(['ada', sid]);
});

test('other users and databases are refused with a sentence, and so is replication; the audit log has it', async () => {
  const from = new Date();
  expect(await psql(orders.line.replace('user=app', 'user=postern'), 'select 1')).toContain(
    'You may not use orders as database user "postern".',
  );
  expect(await psql(orders.line.replace('dbname=orders', 'dbname=postgres'), 'select 1')).toContain(
    'You may not use database "postgres" of orders.',
  );
  expect(await psql(`${orders.line} replication=database`, 'IDENTIFY_SYSTEM')).toContain('replication is not for');
  expect((await auditTrail(rig, from)).map(({ code, db_user, db_name }) => [code, db_user, db_name])).toEqual([
    ['TDB00W', 'postern', 'orders'],
    ['TDB00W', 'app', 'postgres'],
  ]);
  const bob = await rig.signIn('bob');
  expect(await psql((await login(bob, 'orders')).line, 'select 1')).toContain(
    'may not use orders as database user "app"',
  );
});

test('Ctrl-C stops the statement in the database', async () => {
  const running = spawn('psql', ['-qAtX', '-d', orders.line, '-c', "select 'begun'", '-c', 'select pg_sleep(60)']);
  let printed = '';
  running.stderr.on('data', (text: Buffer) => {
    printed += text;
  });
  await once(running.stdout, 'data');
  const sleeping = async (): Promise<boolean> =>
    (await psql(
      postgres.url,
      "select count(*) from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'",
    )) === '1';
  await expect.poll(sleeping).toBe(true);
  const ended = once(running, 'close');
  running.kill('SIGINT');
  await ended;
  expect(printed).toContain('canceling statement due to user request');
  expect(await sleeping()).toBe(false);
});

test('a lock ends the session within a second, and the certificate opens nothing while it is in force', async () => {
  const running = spawn('psql', ['-qAtX', '-d', orders.line, '-c', "select 'begun'", '-c', 'select pg_sleep(60)']);
  let printed = '';
  running.stderr.on('data', (text: Buffer) => {
    printed += text;
  });
  await once(running.stdout, 'data');
  const { sessions } = (await ann.call('GET', '/v1/webapi/sites/-current-/sessions')).json as { sessions: unknown[] };
  expect(sessions).toMatchObject([
    {
      kind: 'db',
      database_name: 'orders',
      login: 'app',
      owner: 'ann',
      parties: [{ user: 'ann' }],
      participantModes: [],
    },
  ]);
  // The statement is told of once it has come.
  const lastCommand = () => rig.services.sessions.list()[0]?.session.last_command;
  await expect.poll(lastCommand).toBe('select pg_sleep(60)');
  const ended = once(running, 'close');
  const lock = { targets: { user: 'ann' }, message: 'left the laptop', ttl: '' };
  const made = await rig.services.locks.add(lock, { user: 'root', rights: null });
  await ended;
  expect(printed).toContain('left the laptop');
  expect(await psql(orders.line, 'select 1')).toContain('Postern:');
  await rig.services.locks.remove(made.name, { user: 'root', rights: null });
  // A lock ends web sessions, and with them what was made in them.
  expect(await psql(orders.line, 'select 1')).toContain('Postern:');
  ann = await rig.signIn('ann');
});

test('signing out takes the certificate along', async () => {
  const other = await rig.signIn('ann');
  const { line } = await login(other, 'invoices');
  expect(await psql(line, 'select 1')).toBe('1');
  await rig.services.identity.sessions.endOf((await rig.store.users.get('ann'))?.id ?? '');
  expect(await psql(line, 'select 1')).toContain('Postern:');
  ann = await rig.signIn('ann');
});

test('who shows no certificate, another one, or calls the gateway by another name, gets nowhere', async () => {
  expect(await psql(orders.line.replace(/sslcert=\S+ sslkey=\S+/, 'sslcert=/none'), 'select 1')).not.toBe('1');
  expect(await psql(orders.line.replace(/sslmode=\S+/, 'sslmode=disable'), 'select 1')).toContain('speaks TLS only');
  expect(
    await psql(orders.line.replace('host=localhost', 'host=elsewhere').replace('verify-full', 'require'), 'select 1'),
  ).toContain('not called elsewhere');
  const files = await signedFiles(rig, 'ann');
  writeFileSync(join(folder, 'foreign.crt'), files['server.crt'] ?? '');
  writeFileSync(join(folder, 'foreign.key'), files['server.key'] ?? '', { mode: 0o600 });
  const foreign = orders.line.replace(
    /sslcert=\S+ sslkey=\S+/,
    `sslcert=${folder}/foreign.crt sslkey=${folder}/foreign.key`,
  );
  expect(await psql(foreign, 'select 1')).toContain('show the certificate');
});

test('a message that the protocol does not have ends its own session, and the audit log has its first bytes', async () => {
  const from = new Date();
  const [, ca = '', cert = '', key = ''] = /sslrootcert=(\S+) sslcert=(\S+) sslkey=(\S+)/.exec(orders.line) ?? [];
  const socket = connectTls({
    ...{ host: '127.0.0.1', port: orders.port, servername: 'localhost', ALPNProtocols: ['postgresql'] },
    ...{ ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) },
  });
  socket.on('error', () => undefined);
  const parameters = Buffer.from('\0\x03\0\0user\0app\0database\0orders\0\0');
  socket.write(Buffer.concat([Buffer.from([0, 0, 0, parameters.length + 4]), parameters]));
  let said = '';
  socket.on('data', (bytes: Buffer) => {
    said += bytes.toString('latin1');
  });
  // ReadyForQuery.
  await expect.poll(() => said).toContain('Z\0\0\0\x05I');
  socket.write(Buffer.from('\x01\xff\xff\xff\xffgarbage', 'latin1'));
  await once(socket, 'close');
  expect(said).toContain('what was sent is not as postgres writes it');
  await expect
    .poll(async () => (await auditTrail(rig, from)).map(({ code }) => code))
    .toEqual(['TDB00I', 'TDB06I', 'TDB01I']);
  expect(await psql(orders.line, 'select 1')).toBe('1');
});

test('a statement of 64 MB passes, and is cut in the audit log alone', async () => {
  const from = new Date();
  const file = join(folder, 'long.sql');
  const length = 64 * 1024 * 1024;
  writeFileSync(file, `select length('${'x'.repeat(length)}')`);
  const { stdout } = await run('psql', [orders.line, '-qAtX', '-f', file], { timeout: 60_000 });
  expect(stdout.trim()).toBe(String(length));
  await expect.poll(async () => (await auditTrail(rig, from)).at(-1)?.code, { timeout: 20_000 }).toBe('TDB01I');
  expect(String((await auditTrail(rig, from))[1]?.db_query)).toMatch(/x… \(671088\d\d bytes\)$/);
}, 60_000);

test('bytes that no client sends end their own connection and nothing else', async () => {
  const random = (count: number): Buffer =>
    Buffer.from(Array.from({ length: count }, () => Math.floor(Math.random() * 256)));
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const socket = connect(orders.port, '127.0.0.1').on('error', () => undefined);
      socket.resume();
      socket.end(random(index + 1));
      await once(socket, 'close');
    }),
  );
  expect(await psql(orders.line, 'select 1')).toBe('1');
});

test('a certificate counts until it ends, as long as no lock has come, and with the factor that roles ask for', async () => {
  const use = ({ certificate, authority, key }: DatabaseClient) =>
    psql(
      orders.line.replace(/sslrootcert=.*/, `sslrootcert=${authority} sslcert=${certificate} sslkey=${key}`),
      'select 1',
    );
  expect(await checkCertificates(rig, folder, { name: 'orders', use, works: '1' })).toEqual([]);
});
