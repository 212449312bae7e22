// A living gateway's SSH port under those who mean no good, while somebody goes on working through it.
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { acceptInvite, signIn, type WireClient } from '../../e2e/rigs/client.ts';
import { freePort, type GatewayRig, openGateway } from '../../e2e/rigs/gateway.ts';
import { rubbish } from './services/protocols/ssh/port/rubbish.testing.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });
const PASSWORD = 'correct horse battery';
const LOGIN = userInfo().username;
/** So many at once as the kernel keeps until they are taken. */
const WAVE = 200;

let gateway: GatewayRig;
let ann: WireClient;
let port: number;
const folder = mkdtempSync(join(tmpdir(), 'postern-attackers-'));
const key = join(folder, 'key');
const flood = new Set<Socket>();

beforeAll(async () => {
  port = await freePort();
  gateway = await openGateway({ flags: ['--ssh-listen', `127.0.0.1:${port}`] });
  await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  ann = await signIn(gateway.url, 'admin', PASSWORD);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
  const publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
  const path = `sites/${ann.cluster}/ssh`;
  const { certificate } = (await ann.call('POST', `${path}/certificate`, { publicKey })) as { certificate: string };
  writeFileSync(`${key}-cert.pub`, `${certificate}\n`);
  const { hostKey } = (await ann.call('GET', path)) as { hostKey: string };
  writeFileSync(join(folder, 'known'), `[127.0.0.1]:${port} ${hostKey}\n`);
});
afterAll(async () => {
  for (const socket of flood) socket.destroy();
  await gateway?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** What a command says that somebody runs on a server through the port. */
function ssh(words: string): Promise<string> {
  const options = ['IdentitiesOnly=yes', 'IdentityAgent=none', 'BatchMode=yes', 'StrictHostKeyChecking=yes'];
  const given = ['-F', '/dev/null', '-p', String(port), '-i', key, '-o', `UserKnownHostsFile=${join(folder, 'known')}`];
  const host = `admin:${LOGIN}@${hostname()}@127.0.0.1`;
  return new Promise(done =>
    execFile('ssh', [...given, ...options.flatMap(one => ['-o', one]), host, words], (error, out, said) =>
      done(error ? `${said}${error.message}` : out.trim()),
    ),
  );
}
/** From an address of its own; resolves when it has heard the first line, or its end. */
async function stranger(from: string, say?: Buffer): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined);
  flood.add(socket);
  socket.once('close', () => flood.delete(socket));
  if (say) socket.write(say);
  await new Promise(done => socket.once('data', done).once('close', done));
  return socket;
}
async function inWaves<Made>(count: number, make: (at: number) => Promise<Made>): Promise<readonly Made[]> {
  const all: Made[] = [];
  for (let at = 0; at < count; at += WAVE)
    all.push(
      ...(await Promise.all(Array.from({ length: Math.min(WAVE, count - at) }, (_one, next) => make(at + next)))),
    );
  return all;
}
const isHeld = (socket: Socket): boolean => !socket.destroyed && !socket.readableEnded;
const residentMegabytes = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;

test('two thousand connections that never log in, of three addresses, of which all keep talking: who signs in from a fourth is let in at once, and a bounded number is held', async () => {
  expect(await ssh('echo before-$((40+2))')).toBe('before-42');
  const before = residentMegabytes();
  const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
  const sockets = await inWaves(2000, at => stranger(addresses[at % 3] ?? '', Buffer.from('SSH-2.0-')));
  // A byte now and then is enough not to count as still.
  const talking = setInterval(() => {
    for (const socket of sockets) if (isHeld(socket)) socket.write('x');
  }, 100);
  try {
    for (let time = 0; time < 3; time += 1) expect(await ssh('echo in-$((40+2))')).toBe('in-42');
    expect(await ann.call('GET', 'sites')).toHaveLength(1);
    await expect.poll(() => sockets.filter(isHeld).length).toBeLessThanOrEqual(500);
    // Of each address, as long as no other wants the place.
    const held = (from: string): number => sockets.filter(one => isHeld(one) && one.localAddress === from).length;
    for (const one of addresses) expect(held(one)).toBeLessThanOrEqual(400);
    expect(residentMegabytes() - before).toBeLessThan(200);
  } finally {
    clearInterval(talking);
    for (const socket of sockets) socket.destroy();
  }
  await expect.poll(() => ssh('echo after-$((40+2))')).toBe('after-42');
});

test('an address that has come to nothing too often is not heard; its neighbour is, and its own people come in at the console’s port', async () => {
  for (let at = 0; at < WAVE; at += 1) (await stranger('127.0.0.9', Buffer.from('rubbish\r\n'))).destroy();
  const late = await stranger('127.0.0.9');
  await expect.poll(() => isHeld(late)).toBe(false);
  expect(late.bytesRead).toBe(0);
  const neighbour = await stranger('127.0.0.10');
  expect([isHeld(neighbour), neighbour.bytesRead > 0]).toEqual([true, true]);
  neighbour.destroy();
  expect(await ann.call('GET', 'sites')).toHaveLength(1);
});

test('a thousand connections of rubbish, each of an address of its own, tell the gateway’s log of nothing that went wrong, and nobody is let in', async () => {
  const quiet = gateway.output().length;
  const answers = await inWaves(1000, async seed => {
    const from = `127.0.${1 + Math.floor(seed / 200)}.${1 + (seed % 200)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined);
    let said = '';
    socket.on('data', (bytes: Buffer) => {
      said += bytes.toString('latin1');
    });
    const closed = once(socket, 'close');
    socket.end(rubbish(seed));
    await closed;
    return said;
  });
  for (const [seed, said] of answers.entries())
    expect([seed, said]).toEqual([seed, expect.stringMatching(/^($|SSH-2\.0-Postern\r\n)/)]);
  expect(gateway.output().slice(quiet)).not.toMatch(/"level":[56]0|Error/);
  expect(await ssh('echo after-$((40+2))')).toBe('after-42');
});
