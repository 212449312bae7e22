// Databases on a person's own machine: psql with what `db login` wrote, `db connect`, and the plain port of `proxy db`.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import { openBooks, openCache, openDatabases } from '../../../e2e/rigs/databases.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const run = promisify(execFile);
let rig: CommandLineRig;
const servers: { dispose(): Promise<void> }[] = [];
beforeAll(async () => {
  rig = await openCommandLine({ databases: true });
  for (const open of [openDatabases, openBooks, openCache]) servers.push(await open(rig.gateway));
  await rig.gateway.addUser('ada', ['access', 'editor', 'shop']);
  await rig.signIn('ada');
});
afterAll(async () => {
  for (const server of servers) await server.dispose();
  await rig?.dispose();
});

test('a log-in writes what a client needs for its owner alone, and the line that is printed works', async () => {
  expect(await rig.run(['db', 'ls'])).toMatch(/^orders +postgres +app +orders$/m);
  const printed = await rig.run(['db', 'login', 'orders']);
  const line = printed.split('\n').at(-1) ?? '';
  expect((await run('sh', ['-c', `${line} -qAtXc 'select current_user'`])).stdout.trim()).toBe('app');
  const folder = join(rig.folder, 'config', 'postern', 'databases', 'orders');
  expect((await stat(join(folder, 'client.key'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(folder, 'client.key'), 'utf8')).toContain('PRIVATE KEY');
  expect(await rig.run(['db', 'ls'])).toMatch(/^orders +postgres +app +orders +20\d\d-/m);
});

test('connect opens psql as the only user that roles name, and says what psql says', async () => {
  const { out, status } = await rig.spawn(['db', 'connect', 'orders', '--', '-qAtXc', 'select current_database()']);
  expect([out.trim(), status]).toEqual(['orders', 0]);
  const refused = await rig.spawn(['db', 'connect', 'orders', '--db-user', 'postern', '--', '-c', 'select 1']);
  expect(refused.error).toContain('You may not use orders as database user "postern".');
  expect(refused.status).toBe(2);
  expect((await rig.spawn(['db', 'connect', 'elsewhere'])).error).toContain('"elsewhere" was not found');
});

test('a plain port leads any client there, until it is ended', async () => {
  const { file, args, env } = rig.program(['proxy', 'db', 'orders']);
  const proxy = spawn(file, args, { env, stdio: 'pipe' });
  const ended = new Promise(done => proxy.once('close', done));
  let printed = '';
  for await (const bytes of proxy.stdout) {
    printed += String(bytes);
    if (printed.includes('psql ')) break;
  }
  const line = /psql '(.*)'/.exec(printed)?.[1] ?? '';
  expect(
    (await run('psql', [line, '-qAtXc', 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'])).stdout.trim(),
  ).toBe('t');
  proxy.kill('SIGINT');
  expect(await ended).toBe(0);
});

test('the clients of MariaDB and Redis are opened the same way, and the lines that log-ins print work', async () => {
  const statement = 'select current_user(), database()';
  const books = await rig.spawn(['db', 'connect', 'books', '--', '-Ne', statement]);
  expect([books.out.trim(), books.error, books.status]).toEqual(['app@%\torders', '', 0]);
  expect((await rig.spawn(['db', 'connect', 'cache', '--', 'ACL', 'WHOAMI'])).out.trim()).toBe('app');
  const line = async (name: string) => (await rig.run(['db', 'login', name])).split('\n').at(-1) ?? '';
  expect((await run('sh', ['-c', `${await line('books')} -Ne '${statement}'`])).stdout.trim()).toBe('app@%\torders');
  expect((await run('sh', ['-c', `${await line('cache')} PING`])).stdout.trim()).toBe('PONG');
});

test.each([
  ['books', /^mariadb .*/m, '-Ne "select 7"', '7'],
  ['cache', /^redis-cli .*/m, 'PING', 'PONG'],
])('a plain port leads to %s as well, by the line that is printed', async (name, line, more, answer) => {
  const { file, args, env } = rig.program(['proxy', 'db', name]);
  const proxy = spawn(file, args, { env, stdio: 'pipe' });
  const ended = once(proxy, 'close');
  let said = '';
  for await (const bytes of proxy.stdout) {
    said += String(bytes);
    if (line.test(said) && said.endsWith('\n')) break;
  }
  expect((await run('sh', ['-c', `${line.exec(said)?.[0]} ${more}`])).stdout.trim()).toBe(answer);
  proxy.kill('SIGINT');
  expect((await ended)[0]).toBe(0);
});

test('set-up writes the archive and says the lines of the engine', async () => {
  const to = join(rig.folder, 'orders.tar.gz');
  const printed = await rig.run(['db', 'setup', 'orders.internal,10.0.0.7', '--to', to]);
  expect(printed).toContain('hostssl all all 0.0.0.0/0 cert');
  expect((await run('tar', ['tzf', to])).stdout.trim().split('\n')).toEqual(['server.crt', 'server.key', 'server.cas']);
  expect(
    await rig.run(['db', 'setup', 'books', '--protocol', 'mysql', '--db-user', 'app', '--to', `${to}.my`]),
  ).toContain("create user 'app'@'%' require subject '/CN=app';");
  const redis = ['db', 'setup', 'cache', '--protocol', 'redis', '--to', `${to}.re`];
  await expect(rig.run(redis)).rejects.toThrow('name the users of this Redis');
  expect(await rig.run([...redis, '--db-user', 'app'])).toContain('aclfile /etc/redis/users.acl');
  expect((await run('tar', ['tzf', `${to}.re`])).stdout).toContain('users.acl');
});
