// A real gateway process: what it says, what it refuses, how it ends.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../e2e/rigs/gateway.ts';
import { endProcesses, gatewayOn, type Ran, run as runIn, urlIn, verbOn } from './main.testing.ts';
import { openStore } from './store/open.ts';

// Real processes and stores: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-main-'));
});
afterEach(async () => {
  endProcesses();
  await rm(folder, { recursive: true, force: true });
});

const run = (file: string, ...words: readonly string[]) => runIn(folder, file, ...words);
const gateway = (...words: readonly string[]) => gatewayOn(folder, ...words);
const inviteIn = (ran: Ran) =>
  /(http:\/\/localhost:\d+\/web\/invite\/[0-9A-Za-z_-]{32,})\n$/.exec(ran.out())?.[1] ?? '';
const verb = (...words: readonly string[]) => verbOn(folder, ...words);

test('a gateway starts, is alone in its folder, ends cleanly, and starts again', async () => {
  const first = gateway('--log-level', 'trace');
  await first.until('/web/invite/');
  const old = inviteIn(first).split('/').at(-1) ?? '';
  expect([urlIn(first), old]).not.toContain('');
  expect((await fetch(`${urlIn(first)}/v1/webapi/users/password/token/${old}`)).status).toBe(200);
  // The link is for whoever reads the terminal: the log never holds it, however much it says.
  expect(first.err()).not.toContain(old);
  expect((await stat(join(folder, 'admin.sock'))).mode & 0o777).toBe(0o600);

  const rival = gateway();
  expect(await rival.ended).toBe(1);
  expect(rival.err()).toContain(
    `The data folder ${folder} is in use by another Postern process (pid ${first.child.pid})`,
  );
  expect(rival.out()).toBe('');

  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(existsSync(join(folder, 'admin.sock'))).toBe(false);

  const second = gateway();
  await second.until('/web/invite/');
  expect(inviteIn(second)).not.toContain(old);
  expect((await fetch(`${urlIn(second)}/v1/webapi/users/password/token/${old}`)).status).toBe(403);
  second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);

  const store = await openStore({ kind: 'sqlite', folder });
  const nodes = await store.resources.list('node', { limit: 10, selection: null, count: false });
  const roles = await store.resources.list('role', { limit: 10, selection: null, count: false });
  const joined = await store.events.search({
    from: new Date(0),
    to: new Date('2100-01-01'),
    limit: 10,
    types: ['instance.join'],
    descending: false,
  });
  await store.close();
  expect(nodes.items.map(({ subtype, address, labels }) => [subtype, address, labels])).toEqual([
    ['local', hostname(), { os: process.platform, arch: process.arch }],
  ]);
  expect(roles.items.map(({ name }) => name).sort()).toEqual(['access', 'auditor', 'editor']);
  expect(joined.events).toHaveLength(1);
});

test('every start shows a way in while nobody who may edit users and roles can sign in', async () => {
  const declared = join(folder, 'declared');
  await mkdir(declared);
  await writeFile(
    join(declared, 'users.yaml'),
    'kind: user\nversion: v2\nmetadata: {name: deb}\nspec: {roles: [editor]}\n',
  );
  await verb('users', 'add', 'ann', '--roles', 'access');
  const ran = gateway('--resources', declared);
  await ran.until('/web/invite/');
  const link = inviteIn(ran).split('/').at(-1) ?? '';
  await verb('users', 'add', 'bob', '--roles', 'editor');
  const url = `${urlIn(ran)}/v1/webapi/users/password/token`;
  expect(await (await fetch(`${url}/${link}`)).json()).toMatchObject({ user: 'admin' });
});

test('a port that another program uses is refused by name', async () => {
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const ran = run('src/gateway/main.ts', '--data', folder, '--listen', `127.0.0.1:${port}`);
  expect(await ran.ended).toBe(1);
  expect(ran.err()).toContain(`listen: 127.0.0.1:${port} is used by another program`);
  other.close();
});

test('a port that the gateway itself has for another purpose is refused by the setting that asks for it', async () => {
  const port = await freePort();
  const [console, databases] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${port}`];
  const both = ['--databases-listen', databases, '--ssh-listen', databases];
  const ran = run('src/gateway/main.ts', '--data', folder, '--listen', console, ...both);
  expect(await ran.ended).toBe(1);
  expect(ran.err()).toContain(`ssh-listen: ${databases} is used by another program or another port of this gateway`);
});

test('listening beyond loopback without TLS is refused before anything is made', async () => {
  const ran = run('src/gateway/main.ts', '--data', join(folder, 'new'), '--listen', '0.0.0.0:0');
  expect(await ran.ended).toBe(1);
  expect(ran.err()).toMatch(/^Postern was not started\.\n {2}listen: 0\.0\.0\.0:0 can be reached from other machines/);
  expect(existsSync(join(folder, 'new'))).toBe(false);
});

test.each([
  ['--data', () => run('src/gateway/main.ts', '--data', '/proc/nope')],
  ['--recordings', () => gateway('--recordings', '/proc/nope/below')],
])('%s with a folder that no system makes is refused with a sentence', async (_setting, start) => {
  const ran = start();
  expect(await ran.ended).toBe(1);
  expect([ran.out(), ran.err()]).toEqual([
    '',
    expect.stringMatching(/Postern: .*The folder \/proc\/nope cannot be made: /),
  ]);
});

test('a store that has lost everything beside its recordings is refused, and a new one is not', async () => {
  await writeFile(join(folder, 'postern.db'), '');
  await mkdir(join(folder, 'recordings'));
  await writeFile(join(folder, 'recordings', 'a.rec'), 'x');
  const refused = gateway();
  expect(await refused.ended).toBe(1);
  expect([refused.out(), refused.err()]).toEqual(['', expect.stringContaining('its content has been lost')]);
  await rm(join(folder, 'recordings', 'a.rec'));
  await gateway().until('/web/invite/');
});

test('--help answers and makes nothing', async () => {
  const help = run('src/gateway/start.mjs', '--help');
  expect(await help.ended).toBe(0);
  expect(help.out()).toContain('--tls-cert FILE');
  expect(existsSync(join(folder, '.local'))).toBe(false);
});

test('the command line does the same with a gateway running and without', async () => {
  const ran = gateway();
  await ran.until('Postern is ready');
  const ca = await verb('ca', 'export');
  expect(ca.out).toMatch(/^ssh-ed25519 AAAA\S+ postern-\S+\n$/);
  expect((await verb('users', 'add', 'ann', '--roles', 'access')).out).toContain(`${urlIn(ran)}/web/invite/`);
  ran.child.kill('SIGTERM');
  expect(await ran.ended).toBe(0);
  expect(await verb('ca', 'export')).toEqual(ca);
  expect(await verb('users', 'add', 'ann', '--roles', 'access')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('ann'),
  });
});
