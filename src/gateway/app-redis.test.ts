// Redis through the gateway: a real server and redis-cli; what each person may, and what the audit log has of it.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkCertificates } from '../../e2e/rigs/database-certificates.ts';
import { auditTrail, type DatabaseClient, logIn, openCache, role } from '../../e2e/rigs/databases.ts';
import type { RedisRig } from '../../e2e/rigs/redis.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const run = promisify(execFile);
/** Real servers and clients: seconds are for a machine that is busy with other things. */
const SLOW = { timeout: 20_000 };

let rig: Rig;
let server: RedisRig;
let folder: string;
let ann: Browser;
let cache: DatabaseClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-re-'));
  rig = await openRig({ databases: true });
  server = await openCache(rig);
  await rig.store.resources.create(roleResource(role('anybody', '"*"')));
  await rig.addUser('ann', ['access', 'shop']);
  await rig.addUser('bob', ['access', 'anybody']);
  ann = await rig.signIn('ann');
  cache = await logIn(folder, ann, 'cache');
});
afterAll(async () => {
  await server?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const words = ({ port, authority, certificate, key }: DatabaseClient): string[] => [
  ...['-h', 'localhost', '-p', String(port), '--tls', '--cacert', authority, '--cert', certificate, '--key', key],
  '--no-auth-warning',
];
/** What redis-cli prints for a command, errors too. */
async function redis(line: readonly string[], ...command: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run('redis-cli', [...line, ...command]).catch(
    error => error as { stdout: string; stderr: string },
  );
  return `${stdout}${stderr}`.trim();
}
/** Whether the sessions that began since have all ended, as the audit log says. */
const ended = (from: Date, sessions: number) =>
  expect
    .poll(async () => (await auditTrail(rig, from)).filter(({ code }) => code === 'TDB01I').length, SLOW)
    .toBe(sessions);

/** A client of bytes, which answers what the server said since it was last asked. */
async function open(client: DatabaseClient) {
  const socket = connect({
    ...{ host: '127.0.0.1', port: client.port, servername: 'localhost', ca: readFileSync(client.authority) },
    ...{ cert: readFileSync(client.certificate), key: readFileSync(client.key) },
  });
  let said = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => {
    said += bytes.toString('latin1');
  });
  const closed = once(socket, 'close');
  await once(socket, 'secureConnect');
  return {
    socket,
    closed,
    async says(bytes: string | Buffer, expected: string | RegExp): Promise<void> {
      said = '';
      socket.write(bytes);
      await expect.poll(() => said, SLOW)[typeof expected === 'string' ? 'toBe' : 'toMatch'](expected as never);
    },
  };
}

test('redis-cli works as the user that roles name, and each command is in the audit log, passwords not', async () => {
  const from = new Date();
  expect(await redis(words(cache), 'SET', 'greeting', 'hello "world"')).toBe('OK');
  expect(await redis(words(cache), 'ACL', 'WHOAMI')).toBe('app');
  expect(await redis(words(cache), 'CONFIG', 'SET', 'requirepass', 'swordfish')).toContain('NOPERM');
  expect(await redis([...words(cache), '--user', 'app', '--pass', 'swordfish'], 'GET', 'greeting')).toBe(
    'hello "world"',
  );
  expect(await redis([...words(cache), '-3'], 'HGETALL', 'greeting')).toContain('WRONGTYPE');
  await ended(from, 5);
  const entries = await auditTrail(rig, from);
  expect(entries.filter(({ code }) => code === 'TDB02I').map(({ db_query }) => db_query)).toEqual([
    'SET greeting "hello \\"world\\""',
    'ACL …',
    'CONFIG …',
    'GET greeting',
    'HELLO …',
    'HGETALL greeting',
  ]);
  expect(entries.filter(({ code }) => code === 'TDB02W').map(({ db_query }) => db_query)).toEqual([
    'CONFIG …',
    'HGETALL greeting',
  ]);
  expect(entries[0]).toMatchObject({
    code: 'TDB00I',
    user: 'ann',
    db_service: 'cache',
    db_protocol: 'redis',
    db_user: 'app',
  });
  expect(JSON.stringify(entries)).not.toContain('swordfish');
});

test('another user is refused with a sentence, and where roles name several, one must be said', async () => {
  expect(await redis([...words(cache), '--user', 'default', '--pass', 'x'], 'PING')).toContain(
    'may not use cache as database user "default"',
  );
  const free = await logIn(folder, await rig.signIn('bob'), 'cache');
  expect(await redis(words(free), 'PING')).toContain('say as which database user');
  expect(await redis([...words(free), '--user', 'app', '--pass', 'x'], 'PING')).toBe('PONG');
  // The server knows no such user, and says so.
  expect(await redis([...words(free), '--user', 'nobody', '--pass', 'x'], 'PING')).toContain('WRONGPASS');
});

test('transactions, subscriptions, both versions of the protocol and lines by hand pass; signing in again does not', async () => {
  const from = new Date();
  const { closed, says } = await open(cache);
  await says('PING\r\n', '+PONG\r\n');
  await says('set  "a key" \'it is\'\n', '+OK\r\n');
  await says('*2\r\n$3\r\nGET\r\n$5\r\na key\r\n', '$5\r\nit is\r\n');
  await says('AUTH default x\r\n', /^-NOPERM Postern: who you are, your certificate has said/);
  await says('"\\x41UTH" default x\r\n', /^-NOPERM Postern: who you are/);
  await says('HELLO 3 AUTH default x\r\n', /^-NOPERM Postern: who you are/);
  await says('RESET\r\n', /^-NOPERM Postern: it would sign out/);
  await says('MULTI\r\nINCR n\r\nEXEC\r\n', '+OK\r\n+QUEUED\r\n*1\r\n:1\r\n');
  await says('HELLO 3\r\n', /^%7\r\n/);
  await says('SUBSCRIBE news\r\n', '>3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n');
  expect(await redis(words(cache), 'PUBLISH', 'news', 'now')).toBe('1');
  await says('PING\r\n', '+PONG\r\n');
  // Behind other commands it is not known where an answer belongs: the session is ended.
  await says('GET n\r\nAUTH default x\r\n', /-NOPERM Postern: who you are/);
  await closed;
  await ended(from, 2);
  const noted = (await auditTrail(rig, from)).map(({ code, db_query }) => `${code} ${db_query ?? ''}`.trim());
  for (const one of [
    'TDB02I set "a key" "it is"',
    'TDB02W AUTH …',
    'TDB02W RESET',
    'TDB02I INCR n',
    'TDB02I SUBSCRIBE news',
  ])
    expect(noted).toContain(one);
  expect(JSON.stringify(noted)).not.toContain('default');
});

test('a value of 64 MB passes, what is none ends its session, and the audit log has its first bytes', async () => {
  const from = new Date();
  const { socket, closed, says } = await open(cache);
  const length = 64 * 1024 * 1024;
  socket.write(`*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$${length}\r\n`);
  socket.write(Buffer.alloc(length, 'x'));
  await says('\r\n', '+OK\r\n');
  await says('STRLEN big\r\n', `:${length}\r\n`);
  await says('*2\r\n$3\r\nGET\r\n$1\r\nlonger\r\n', /what was sent is not as redis writes it/);
  await closed;
  await ended(from, 1);
  const entries = await auditTrail(rig, from);
  expect(entries.map(({ code }) => code)).toEqual(['TDB00I', 'TDB02I', 'TDB02I', 'TDB06I', 'TDB01I']);
  expect(String(entries[1]?.db_query)).toMatch(/x… \(67108870 bytes\)$/);
  expect(await redis(words(cache), 'DEL', 'big')).toBe('1');
});

test('without a certificate, with that of another database, or by another name, nobody gets in', async () => {
  const bare = words(cache).filter(
    (word, index, all) => ![word, all[index - 1]].some(one => one === '--cert' || one === '--key'),
  );
  expect(await redis(bare, 'PING')).toMatch(/NOPERM|certificate|closed|reset/i);
  expect(await redis([...words(cache), '--sni', 'elsewhere'], 'PING')).toContain(
    'this gateway is not called elsewhere',
  );
  const from = new Date();
  const queue = await logIn(folder, ann, 'queue');
  expect(await redis(words(queue), 'PING')).toBe('PONG');
  // The end of an earlier session may come between.
  const begun = (await auditTrail(rig, from)).find(({ code }) => code === 'TDB00I');
  expect(begun).toMatchObject({ db_service: 'queue' });
});

test('a certificate counts until it ends, as long as no lock has come, and with the factor that roles ask for', async () => {
  const said = await checkCertificates(rig, folder, {
    name: 'cache',
    use: client => redis(words(client), 'PING'),
    works: 'PONG',
  });
  expect(said).toEqual([]);
});
