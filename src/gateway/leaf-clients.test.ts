// People's own clients at a leaf: psql and ssh come to the root with what the root certifies, and the leaf judges, records and notes what they do.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { filesByWire, openOrders, ordersDocument, role } from '../../e2e/rigs/databases.ts';
import { freePort } from '../../e2e/rigs/gateway.ts';
import { type LeafPair, openLeafPair } from '../../e2e/rigs/leaf.ts';
import type { PostgresRig } from '../../e2e/rigs/postgres.ts';
import { openSshd } from '../../e2e/rigs/sshd.ts';
import type { Challenge } from '../contract/mfa.ts';
import { enrolSoftwareKey } from './software-key.testing.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });
const run = promisify(execFile);
const LOGIN = userInfo().username;
const START = resolve(import.meta.dirname, '../cli/postern.mjs');

let pair: LeafPair;
let postgres: PostgresRig;
let folder: string;
const MAP = '[{remote: access, local: [access, shop]}]';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-leaf-'));
  pair = await openLeafPair('[{remote: access, local: [access]}]', undefined, ['--second-factor', 'optional']);
  postgres = await openOrders(await filesByWire(pair.leaf.url, pair.ben));
  await pair.apply('leaf', [role('shop', 'app'), ordersDocument(postgres)].join('---\n'));
  await pair.map(MAP);
});
afterAll(async () => {
  await postgres?.dispose();
  await pair?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

interface Certified extends Record<'certificate' | 'authority' | 'host', string> {
  readonly port: number;
}
let files = 0;
/** What libpq is told. */
async function logIn(name = 'orders', more: object = {}): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = { publicKey: publicKey.export({ type: 'spki', format: 'pem' }), ...more };
  const said = (await pair.ann.call('POST', `sites/acme-eu/databases/${name}/certificate`, body)) as Certified;
  const write = (text: string): string => {
    const path = join(folder, `file-${++files}`);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const key = write(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const given = [`sslcert=${write(said.certificate)}`, `sslkey=${key}`, `sslrootcert=${write(said.authority)}`];
  return `host=${said.host} port=${said.port} user=app dbname=orders sslmode=verify-full ${given.join(' ')}`;
}
const psql = async (line: string, statement: string): Promise<string> =>
  (await run('psql', [line, '-qAtXc', statement])).stdout.trim();
async function events(who: 'ann' | 'ben', cluster: string, code: string): Promise<readonly Record<string, unknown>[]> {
  const { events: found } = (await pair[who].call('GET', `sites/${cluster}/events/search?limit=500`)) as {
    events: Record<string, unknown>[];
  };
  return found.filter(event => event.code === code);
}
/** Somebody who has begun a statement that lasts. */
async function sleeping(line: string) {
  const child = spawn('psql', [line, '-AtX'], { stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
  const closed = once(child, 'close');
  child.stdin.write("select 'in it';\n");
  await expect.poll(() => said, { timeout: 10_000 }).toContain('in it');
  child.stdin.write('select pg_sleep(60);\n');
  return { closed, said: () => said };
}

test('psql comes to the root’s port, and works in the leaf’s database as whom the leaf’s roles name; both note it', async () => {
  const line = await logIn();
  expect(await psql(line, 'select current_user')).toBe('app');
  await expect
    .poll(() => events('ben', 'acme-eu', 'TDB00I'), { timeout: 10_000 })
    .toMatchObject([{ user: 'hub/admin', db_service: 'orders', db_user: 'app' }]);
  const certified = await events('ann', 'hub', 'TC000I');
  const routes = certified.map(({ identity }) => (identity as Record<string, unknown>).cluster);
  expect(routes).toContain('acme-eu');
  await expect(psql(line.replace('user=app', 'user=postern'), 'select 1')).rejects.toThrow('database user "postern"');
  await expect(logIn('elsewhere')).rejects.toThrow('was not found');
});

test('without a mapped role that names the database, a certificate of before opens nothing', async () => {
  const line = await logIn();
  await pair.map('[{remote: access, local: [access]}]');
  await expect(psql(line, 'select 1')).rejects.toThrow('You may not use orders as database user "app"');
  await pair.map('[{remote: nobody, local: [access]}]');
  await expect(psql(line, 'select 1')).rejects.toThrow('none of your roles is mapped');
  await pair.map(MAP);
  expect(await psql(line, 'select 1')).toBe('1');
});

test('a lock at the leaf ends what is open, in words, and what is begun', async () => {
  const line = await logIn();
  const open = await sleeping(line);
  const lock = (await pair.ben.call('PUT', 'sites/acme-eu/locks', {
    targets: { user: 'hub/admin' },
    message: 'looked at',
    ttl: '1h',
  })) as { name: string };
  await open.closed;
  expect(open.said()).toContain('looked at');
  await expect(psql(line, 'select 1')).rejects.toThrow('looked at');
  await pair.ben.call('DELETE', `sites/acme-eu/locks/${lock.name}`);
  expect(await psql(line, 'select 1')).toBe('1');
});

/** Of the command line and of ssh, whose configuration is written beside it. */
const homeOf = () => ({ PATH: process.env.PATH ?? '', HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') });
test('the command line does it all: a database of the leaf in psql, and ssh at its server', async () => {
  const password = join(folder, 'password');
  writeFileSync(password, `${pair.password}\n`, { mode: 0o600 });
  const env = homeOf();
  const postern = async (...words: string[]): Promise<string> =>
    (await run(process.execPath, [START, ...words], { env })).stdout.trim();
  await postern('sign-in', '--url', pair.root.url, '--user', 'admin', '--password-file', password);
  expect(await postern('db', 'ls', '--cluster', 'acme-eu')).toMatch(/^orders +postgres +app/m);
  const select = ['--', '-qAtXc', "select 'at ' || current_database()"];
  expect(await postern('db', 'connect', 'orders', '--cluster', 'acme-eu', ...select)).toBe('at orders');
  const config = join(folder, 'ssh_config');
  writeFileSync(config, await postern('config', 'ssh', '--print'));
  const asked = ['-F', config, '-o', 'BatchMode=yes', `${LOGIN}@${hostname()}%acme-eu`, 'echo on-$((40+2))'];
  expect((await run('ssh', asked, { env })).stdout.trim()).toBe('on-42');
  await expect
    .poll(async () => (await events('ben', 'acme-eu', 'T2004I')).map(({ user }) => user), { timeout: 10_000 })
    .toContain('hub/admin');
});

/** What comes back of a word that is sent to a port; '' where nobody takes it. */
async function sent(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let back = '';
  socket.on('data', bytes => {
    back += bytes;
    socket.end();
  });
  socket.write('word');
  await new Promise(done => socket.once('close', done));
  return back;
}
test('ports of the leaf’s network are forwarded by ssh -L as the leaf’s roles say, noted there, and end with the role; ssh -R leads from there to the client', async () => {
  const sshd = await openSshd({
    trustedUserCa: await pair.leaf.command('ca', 'export'),
    config: ['AllowTcpForwarding yes'],
  });
  const echo = createServer(socket => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  const asked: ChildProcess[] = [];
  try {
    await once(echo, 'listening');
    const { port: target } = echo.address() as { port: number };
    await pair.leaf.command('servers', 'add', `${sshd.host}:${sshd.port}`, '--name', 'inner', '--yes');
    const local = await freePort();
    function ssh(...words: readonly string[]) {
      const given = ['-F', join(folder, 'ssh_config'), '-o', 'BatchMode=yes', '-o', 'ExitOnForwardFailure=yes', '-N'];
      const child = spawn('ssh', [...given, ...words, `${LOGIN}@inner%acme-eu`], { env: homeOf(), stdio: 'pipe' });
      asked.push(child);
      let said = '';
      child.stderr.on('data', (bytes: Buffer) => {
        said += bytes.toString();
      });
      return { said: () => said, closed: once(child, 'close') };
    }
    const open = ssh('-L', `${local}:127.0.0.1:${target}`);
    await expect.poll(() => sent(local), { timeout: 20_000 }).toBe('word');
    await expect
      .poll(() => events('ben', 'acme-eu', 'T3003I'), { timeout: 10_000 })
      .toMatchObject([{ user: 'hub/admin', addr: `127.0.0.1:${target}` }]);
    const there = await freePort();
    const back = ssh('-R', `127.0.0.1:${there}:127.0.0.1:${target}`);
    await expect.poll(() => sent(there), { timeout: 20_000 }).toBe('word');

    await pair.apply('leaf', NO_PORTS);
    await pair.map('[{remote: access, local: [no-ports]}]');
    await open.closed;
    await back.closed;
    expect(await sent(there)).toBe('');
    const denied = ssh('-R', `127.0.0.1:${there}:127.0.0.1:${target}`);
    await denied.closed;
    expect(denied.said()).toContain('remote port forwarding failed');
    const refused = ssh('-L', `${local}:127.0.0.1:${target}`);
    await expect
      .poll(async () => `${await sent(local)}${refused.said()}`, { timeout: 20_000 })
      .toContain('Your roles do not let you forward ports (port_forwarding).');
  } finally {
    await pair.map(MAP);
    for (const child of asked) child.kill('SIGKILL');
    echo.close();
    await sshd.dispose();
  }
});
const NO_PORTS =
  "kind: role\nversion: v7\nmetadata: {name: no-ports}\nspec: {options: {port_forwarding: false, reach_loopback: true}, allow: {logins: ['{{internal.logins}}'], node_labels: {'*': '*'}}}\n";

// From here on the administrator of the root has a key, and signs in with it.
test('where the leaf asks for a second factor, psql goes on with a certificate that was touched for at the root, and with no other', async () => {
  const plain = await logIn();
  await pair.apply(
    'leaf',
    'kind: role\nversion: v7\nmetadata: {name: touched}\nspec: {options: {require_session_mfa: true}}\n',
  );
  await pair.map('[{remote: access, local: [access, shop, touched]}]');
  await expect(logIn()).rejects.toThrow('MFA required');
  await expect(psql(plain, 'select 1')).rejects.toThrow('second factor');
  const key = await enrolSoftwareKey(pair.root.url, pair.ann.call);
  const challenge = () =>
    pair.ann.call('POST', 'sites/acme-eu/databases/orders/certificate/challenge') as Promise<Challenge>;
  const answer = key.get(await challenge());
  const line = await logIn('orders', { webauthnAssertionResponse: answer });
  expect(await psql(line, 'select 1')).toBe('1');
  await expect(logIn('orders', { webauthnAssertionResponse: answer })).rejects.toThrow('was not accepted');
  const begun = await events('ben', 'acme-eu', 'TDB00I');
  expect(begun.filter(({ with_mfa }) => String(with_mfa).startsWith('/hub/'))).toHaveLength(1);
  await pair.map(MAP);
});

test('the leaf goes away in the middle: the client is let go, and the next is told that it is offline', async () => {
  const line = await logIn();
  const open = await sleeping(line);
  await pair.leaf.kill('SIGKILL');
  await open.closed;
  await pair.until('offline');
  await expect(psql(line, 'select 1')).rejects.toThrow('cluster "acme-eu" is offline: it was last connected at');
  await pair.leaf.start();
  await pair.until('online');
  expect(await psql(line, 'select 1')).toBe('1');
});
