// A machine joins by the line: a real gateway, a real sshd in a folder of its own, real curl and ssh, and a shell over the tunnel.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { acceptInvite, signIn, type WireClient } from '../../e2e/rigs/client.ts';
import { freePort, type GatewayRig, openGateway } from '../../e2e/rigs/gateway.ts';
import { pasteLine } from '../../e2e/rigs/paste.ts';
import type { MadeToken } from '../contract/new-join-token.ts';
import type { Node } from '../contract/nodes.ts';
import type { Application } from '../contract/resources.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const PASSWORD = 'correct horse battery';
const LOGIN = userInfo().username;

let home: string;
let gateway: GatewayRig;
let ann: WireClient;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'postern join '));
  ends.push(() => rm(home, { recursive: true, force: true }));
  gateway = await openGateway({ flags: ['--ssh-listen', `127.0.0.1:${await freePort()}`] });
  ends.push(() => gateway.dispose());
  await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  ann = await signIn(gateway.url, 'admin', PASSWORD);
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

async function token(role: 'Node' | 'Db' | 'App', more: object = {}): Promise<MadeToken & { readonly line: string }> {
  const made = (await ann.call('POST', 'token', { roles: [role], ...more })) as MadeToken;
  return { ...made, line: made.lines[0]?.line ?? '' };
}
/** A machine: sshd with a configuration of its own that trusts nobody yet. */
async function machine(name: string) {
  const folder = join(home, name);
  await mkdir(folder, { recursive: true });
  await mkdir('/run/sshd', { recursive: true });
  await new Promise<void>((done, fail) =>
    execFile('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'host')], error =>
      error ? fail(error) : done(),
    ),
  );
  const config = join(folder, 'sshd_config');
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey "${join(folder, 'host')}"`,
    `PidFile "${join(folder, 'sshd.pid')}"`,
    'AuthorizedKeysFile none',
    'PasswordAuthentication no',
    'PermitRootLogin yes',
    'StrictModes no',
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  const sshd = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  ends.push(() => sshd.kill('SIGKILL'));
  await new Promise<void>((done, fail) => {
    sshd.once('exit', () => fail(new Error('sshd ended')));
    let said = '';
    sshd.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes('Server listening')) done();
    });
  });
  const state = join(folder, 'post ern');
  const flags = ['--sshd-config', config, '--state', state, '--plain', '--name', name];
  ends.push(async () => {
    await pasteLine((await token('Node')).line, ...flags, '--uninstall').catch(() => undefined);
  });
  return { config, state, flags, port, sshd };
}
const servers = async (): Promise<readonly Node[]> =>
  ((await ann.call('GET', `sites/${ann.cluster}/nodes?search=%20`)) as { items: Node[] }).items;
const server = async (name: string): Promise<Node> => {
  const found = (await servers()).find(({ hostname }) => hostname === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const up = (name: string) =>
  expect.poll(async () => (await server(name)).offline ?? 'up', { timeout: 30_000, interval: 100 }).toBe('up');
async function shell(name: string) {
  const opened = await ann.shell({ server_id: (await server(name)).id, login: LOGIN });
  return opened;
}

test('from the pasted line to a shell over the tunnel; running it again changes nothing, and it is taken away whole', async () => {
  const { config, state, flags } = await machine('db-3');
  const before = await readFile(config, 'utf8');
  const made = await token('Node', { uses: 1, labels: [{ name: 'team', value: `it's "x" $(id)` }] });
  const dry = await pasteLine(made.line, ...flags, '--dry-run');
  expect(dry).toMatchObject({ status: 0, said: expect.stringContaining(`would write: ${config}`) });
  expect(await readFile(config, 'utf8')).toBe(before);

  const joined = await pasteLine(made.line, ...flags);
  expect(joined).toMatchObject({ status: 0, said: expect.stringContaining('Joined as db-3.') });
  await up('db-3');
  expect(await server('db-3')).toMatchObject({
    addr: '',
    tunnel: true,
    tags: [{ name: 'team', value: `it's "x" $(id)` }],
  });
  const first = await shell('db-3');
  first.send('echo over-$((40+2))\n');
  await first.until('over-42');
  first.close();
  const certificate = await new Promise<string>(done =>
    execFile('ssh-keygen', ['-L', '-f', join(state, 'ssh_host_cert.pub')], (_error, out) => done(out)),
  );
  expect(certificate).toMatch(/host certificate[\s\S]*Principals:\s+db-3/);

  const written = await readFile(config, 'utf8');
  const again = await pasteLine(made.line, ...flags);
  expect(again).toMatchObject({ status: 0, said: expect.stringContaining('has joined already as db-3') });
  expect(await readFile(config, 'utf8')).toBe(written);
  await up('db-3');

  expect(await pasteLine(made.line, ...flags, '--uninstall')).toMatchObject({ status: 0 });
  expect(await readFile(config, 'utf8')).toBe(before);
  await expect(readFile(join(state, 'tunnel_key'))).rejects.toThrow('ENOENT');
  await expect
    .poll(async () => (await server('db-3')).offline, { timeout: 30_000 })
    .toMatch(/^its tunnel is down: it was last up at 20/);
  await expect(shell('db-3')).rejects.toThrow();
});

/** Processes of a machine's tunnel: the ssh that holds it now. */
async function dialling(state: string): Promise<number> {
  const loop = (await readFile(join(state, 'tunnel.pid'), 'utf8')).trim();
  const children = await readFile(`/proc/${loop}/task/${loop}/children`, 'utf8');
  for (const pid of children.trim().split(' '))
    if ((await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim() === 'ssh') return Number(pid);
  throw new Error('nothing dials in');
}
/** OpenSSH's own client with a machine's key; what it says until it ends. */
function dial(state: string, ...words: readonly string[]) {
  const [host = '', port = ''] = sshPort;
  const options = ['-F', '/dev/null', '-i', join(state, 'tunnel_key'), '-p', port, '-o', 'BatchMode=yes'];
  const known = [
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
    '-o',
    'ExitOnForwardFailure=yes',
  ];
  const child = spawn('ssh', [
    ...options,
    ...known,
    ...words.slice(0, -1),
    `tunnel@${host}`,
    ...words.slice(-1).filter(Boolean),
  ]);
  ends.push(() => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
  const said = new Promise<string>(done => child.once('close', () => done(text)));
  return { child, said };
}
let sshPort: readonly string[] = [];
/** How often each misfortune comes. */
const MISFORTUNES = process.env.POSTERN_TEST_FULL ? 20 : 1;
/** What is kept of a session that is over. */
async function recorded(sid: string) {
  const about = `sites/${ann.cluster}/recordings/${sid}`;
  const { state, integrity } = (await ann.call('GET', about)) as { state: string; integrity: { ok: boolean } };
  const headers = { cookie: ann.cookie, authorization: `Bearer ${ann.bearer}` };
  const stream = `${gateway.url}/v1/webapi/sites/${ann.cluster}/sessions/${sid}/stream?offset=0&bytes=100000`;
  return { state, isWhole: integrity.ok, shown: await (await fetch(stream, { headers })).text() };
}

test('a tunnel that is cut, frozen, or whose gateway is killed is back by itself; a probe takes nothing away, and other names are refused', {
  timeout: MISFORTUNES * 120_000,
}, async () => {
  const { state, flags } = await machine('web-1');
  const { line } = await token('Node');
  expect(await pasteLine(line, ...flags)).toMatchObject({ status: 0 });
  await up('web-1');
  sshPort = (await readFile(join(state, 'gateway'), 'utf8')).trim().split('\n');
  const kept = await shell('web-1');

  const probe = dial(state, '-N', '');
  for (const [words, refusal] of [
    [['-N', '-R', '/postern/db/orders:127.0.0.1:1', ''], /forwarding failed/],
    [
      ['-N', ...Array.from({ length: 1000 }, (_, at) => ['-R', `/postern/app/a${at}:127.0.0.1:1`]).flat(), ''],
      /forwarding failed/,
    ],
    [['-N', '-R', '0:127.0.0.1:1', ''], /forwarding failed/],
    [['-W', '127.0.0.1:1', ''], /open failed/],
    [['id'], /channel|session/i],
  ] as const)
    expect(await dial(state, ...words).said).toMatch(refusal);
  kept.send('echo kept-$((40+2))\n');
  await kept.until('kept-42');
  probe.child.kill();
  await probe.said;
  kept.close();

  for (const misfortune of ['SIGKILL', 'SIGSTOP', 'the gateway is killed'] as const)
    for (let time = 0; time < MISFORTUNES; time += 1) {
      await up('web-1');
      const open = await shell('web-1');
      open.send(`echo seen-${time}-$((40+2))\n`);
      await open.until(`seen-${time}-42`);
      if (misfortune === 'the gateway is killed') {
        await gateway.kill('SIGKILL');
        await open.closed;
        await gateway.start();
        await expect.poll(() => recorded(open.sid)).toMatchObject({ state: 'cut', isWhole: true });
      } else {
        const pid = await dialling(state);
        process.kill(pid, misfortune);
        // What ran over it is told that it is over, and why.
        expect((await open.closed).reason).toMatch(/web-1.* was lost/);
        if (misfortune === 'SIGSTOP') {
          expect((await server('web-1')).offline).toMatch(/^its tunnel is down/);
          process.kill(pid, 'SIGCONT');
        }
        await expect.poll(() => recorded(open.sid)).toMatchObject({ state: 'sealed', isWhole: true });
      }
      expect((await recorded(open.sid)).shown).toContain(`seen-${time}-42`);
    }
  await up('web-1');

  await ann.call('DELETE', `sites/${ann.cluster}/nodes/${(await server('web-1')).id}`);
  await expect
    .poll(() => readFile(join(state, 'tunnel.log'), 'utf8'), { timeout: 30_000 })
    .toContain('Permission denied');
});

test('a bad token, one for another role and one that is used up end the script with one sentence; of two machines one gets in', async () => {
  const first = await machine('one');
  const second = await machine('two');
  const { line, id } = await token('Node', { uses: 1 });
  const said = await Promise.all([pasteLine(line, ...first.flags), pasteLine(line, ...second.flags)]);
  expect(said.map(({ status }) => status).toSorted()).toEqual([0, 1]);
  expect(said.find(({ status }) => status === 1)?.said).toBe(
    'postern: this join token has been used up: ask for another\n',
  );
  const bad = await pasteLine(line.replace(id, 'nobody.nothing'), ...first.flags);
  expect(bad).toEqual({
    status: 1,
    said: 'postern: this join token is not known here: it was mistyped, has ended, or was revoked\n',
  });
  const other = await pasteLine(line.replace('install-node', 'install-database'), ...first.flags);
  expect(other).toEqual({ status: 1, said: 'postern: this join token is for servers, not for databases\n' });
  const taken = await pasteLine((await token('Node')).line, ...(await machine('three')).flags.slice(0, -1), 'db-3');
  expect(taken).toMatchObject({ status: 1, said: expect.stringContaining('a server named db-3 exists') });
  const hostile = await pasteLine(
    (await token('Node')).line,
    ...(await machine('four')).flags.slice(0, -1),
    `x'; $(id) "`,
  );
  expect(hostile).toMatchObject({ status: 1, said: expect.stringContaining('name: ') });
  const log = (await ann.call('GET', `sites/${ann.cluster}/events/search?include=instance.join`)) as {
    events: { code: string; error?: string }[];
  };
  expect(log.events).toContainEqual(
    expect.objectContaining({ code: 'TJ002E', error: 'this join token has been used up: ask for another' }),
  );
});

test('an application and a database behind the same machine are reached over its one connection', async () => {
  const site = createServer((_asked, answer) => answer.end('from behind')).listen(0, '127.0.0.1');
  await once(site, 'listening');
  ends.push(() => site.close());
  const { port } = site.address() as AddressInfo;
  const state = join(home, 'behind');
  const flags = ['--state', state, '--plain'];
  const app = await token('App');
  const added = await pasteLine(app.line, ...flags, '--name', 'wiki', '--uri', `http://127.0.0.1:${port}`);
  expect(added).toMatchObject({ status: 0, said: expect.stringContaining('Joined as wiki.') });
  const trial = async (kind: string, name: string) =>
    (await ann.call('POST', `sites/${ann.cluster}/diagnostics/connections`, {
      resource_kind: kind,
      resource_name: name,
      ...(kind === 'db' && { database_user: 'app', database_name: 'orders' }),
    })) as { success: boolean };
  await expect.poll(async () => (await trial('app', 'wiki')).success, { timeout: 30_000 }).toBe(true);
  const me = (await ann.call('GET', 'users/admin')) as { roles: string[]; allTraits: Record<string, string[]> };
  const traits = { databaseUsers: ['app'], databaseNames: ['orders'] };
  await ann.call('PUT', 'users', { name: 'admin', roles: me.roles, traits });
  const { line } = await token('Db');
  const words = ['--name', 'orders', '--protocol', 'postgres', '--uri', '127.0.0.1:1'];
  expect(await pasteLine(line, ...flags, ...words)).toMatchObject({ status: 0 });
  expect((await readFile(join(state, 'forwards'), 'utf8')).trim().split('\n').toSorted()).toEqual([
    `/postern/app/wiki 127.0.0.1:${port}`,
    '/postern/db/orders 127.0.0.1:1',
  ]);
  await expect.poll(async () => (await trial('app', 'wiki')).success, { timeout: 30_000 }).toBe(true);
  expect(JSON.stringify(await trial('db', 'orders'))).toContain('its tunnel is up, but nothing answers at its end');

  // Taken out of the list, it is led to no more: the tunnel is cut, and what else is behind the machine is back by itself.
  const forwarded = Number((await readFile(join(state, 'tunnel.pid'), 'utf8')).trim());
  const before = await dialling(state);
  await ann.call('DELETE', `sites/${ann.cluster}/databases/orders`);
  await expect.poll(() => dialling(state).catch(() => before), { timeout: 30_000 }).not.toBe(before);
  process.kill(forwarded, 0);
  await expect.poll(async () => (await trial('app', 'wiki')).success, { timeout: 30_000 }).toBe(true);
  // Lists say what cannot be reached, and why.
  const listed = async () => {
    const { items } = (await ann.call('GET', `sites/${ann.cluster}/apps`)) as { items: readonly Application[] };
    return items.find(({ name }) => name === 'wiki')?.offline ?? '';
  };
  expect(await listed()).toBe('');
  process.kill(forwarded, 'SIGSTOP');
  process.kill(await dialling(state), 'SIGKILL');
  await expect.poll(listed, { timeout: 30_000 }).toMatch(/^its tunnel is down: it was last up at 20/);
  process.kill(forwarded, 'SIGCONT');
  expect(await pasteLine(line, ...flags, '--uninstall')).toMatchObject({ status: 0 });
});
