// The SSH port against OpenSSH's own client, and against those that mean no good.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { listenForSsh, type SshPort } from './listener.ts';
import { rubbish } from './rubbish.testing.ts';
import { closedWay, type Guest, type Offer, type Way } from './way.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-port-'));
const held: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterAll(async () => {
  for (const end of held.splice(0).reverse()) await end();
});

function newKey(name: string): string {
  const file = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  return file;
}
const blobOf = (file: string): Buffer => Buffer.from(readFileSync(`${file}.pub`, 'utf8').split(' ')[1] ?? '', 'base64');
const mine = newKey('mine');
const stranger = newKey('stranger');

/** Lets in whoever holds my key, and answers every command with the user name. */
function openWay(silentMostMs: number, seen: Offer[] = []): Way {
  return {
    async judge(offer) {
      seen.push(offer);
      if (!offer.blob.equals(blobOf(mine))) return null;
      return {
        publicKey: offer.blob,
        silentMostMs,
        begin({ connection }) {
          connection.on('session', accept =>
            accept().on('exec', acceptExec => {
              const channel = acceptExec();
              channel.write(`${offer.user}\n`);
              channel.exit(0);
              channel.end();
            }),
          );
        },
      };
    },
  };
}
async function openPort(way: Way, failures = { take: () => 0 }): Promise<SshPort & { readonly number: number }> {
  const privateKey = readFileSync(newKey(`host-${held.length}`), 'utf8');
  const report = (problem: string, error: unknown) => {
    throw new Error(problem, { cause: error });
  };
  const port = await listenForSsh(
    { hostKey: async () => ({ privateKey }), ways: { tunnel: closedWay, people: way }, failures, report },
    { host: '127.0.0.1', port: 0 },
  );
  held.push(() => port.close());
  return { ...port, number: port.port ?? 0 };
}
function ssh(port: number, key: string, user: string, ...words: readonly string[]): ChildProcess {
  const child = spawn('ssh', [
    ...['-F', '/dev/null', '-i', key, '-p', String(port), '-l', user],
    ...['-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes', '-o', 'StrictHostKeyChecking=no'],
    ...['-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR', ...words],
  ]);
  held.push(() => child.kill('SIGKILL'));
  return child;
}
async function said(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', bytes => {
    text += bytes;
  });
  child.stderr?.on('data', bytes => {
    text += bytes;
  });
  await once(child, 'close');
  return text.trim();
}
async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  held.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('whoever holds the key comes in by any user name, and nobody else: tunnels have a way of their own', async () => {
  const seen: Offer[] = [];
  const { number } = await openPort(openWay(60_000, seen));
  expect(await said(ssh(number, mine, 'alice:root@db-3', 'gate@127.0.0.1', 'x'))).toBe('alice:root@db-3');
  expect(await said(ssh(number, stranger, 'alice', '127.0.0.1', 'x'))).toContain('Permission denied');
  const asked = seen.length;
  expect(await said(ssh(number, mine, 'tunnel', '127.0.0.1', 'x'))).toContain('Permission denied');
  expect(seen).toHaveLength(asked);
  const both = seen.find(({ user }) => user === 'alice:root@db-3');
  expect(both).toMatchObject({
    algorithm: 'ssh-ed25519',
    remoteAddr: expect.stringMatching(/^127\.0\.0\.1:/),
  });
});

test('a key that another has signed for is no key', async () => {
  const { number } = await openPort({
    ...openWay(60_000),
    judge: async offer => ({ publicKey: blobOf(mine), silentMostMs: 60_000, begin: () => offer }),
  });
  expect(await said(ssh(number, stranger, 'alice', '127.0.0.1', 'x'))).toContain('Permission denied');
});

test('two thousand connections that say nothing, or rubbish, keep nobody out', async () => {
  const { number } = await openPort(openWay(60_000));
  const quiet = await Promise.all(Array.from({ length: 1000 }, () => dial(number)));
  for (const socket of quiet) socket.resume();
  for (let at = 0; at < 1000; at += 1) (await dial(number)).write(Buffer.alloc(300, at % 256));
  await expect.poll(() => said(ssh(number, mine, 'bob', '127.0.0.1', 'x')), { timeout: 20_000 }).toBe('bob');
  await expect.poll(() => quiet.filter(socket => socket.destroyed || socket.readableEnded).length).toBeGreaterThan(0);
}, 60_000);

test('of two thousand connections at once that do not log in a bounded number is held, and little of what they send', async () => {
  const { number } = await openPort(openWay(60_000));
  const before = process.memoryUsage();
  const flood: Socket[] = [];
  // So many at once as the kernel keeps until they are taken; each has heard the first line, or its end.
  for (let at = 0; at < 2000; at += 200)
    flood.push(
      ...(await Promise.all(
        Array.from({ length: 200 }, async () => {
          const socket = await dial(number);
          await new Promise(done => socket.once('data', done).once('close', done));
          return socket;
        }),
      )),
    );
  const isHeld = (socket: Socket): boolean => !socket.destroyed && !socket.readableEnded;
  // Whoever is too late to log in is hung up on only after this.
  await expect.poll(() => flood.filter(isHeld).length, { timeout: 8000 }).toBeLessThanOrEqual(400);
  expect(flood.filter(isHeld).length).toBeGreaterThan(0);
  // A first line without an end: it is cut off long before it is all here.
  const endless = Buffer.concat([Buffer.from('SSH-2.0-'), Buffer.alloc(256 * 1024, 'x')]);
  const kept = flood.filter(isHeld);
  for (const socket of kept) socket.write(endless);
  await expect.poll(() => kept.filter(isHeld).length, { timeout: 20_000 }).toBe(0);
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  expect((arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed) / 1e6).toBeLessThan(256);
  expect(await said(ssh(number, mine, 'bob', '127.0.0.1', 'x'))).toBe('bob');
}, 60_000);

test('three thousand connections of rubbish, each cut at its end, are ended with nothing but what SSH says in the clear, and ask nobody', async () => {
  const seen: Offer[] = [];
  const { number } = await openPort(openWay(60_000, seen));
  async function send(seed: number): Promise<string> {
    const socket = connect(number, '127.0.0.1').on('error', () => undefined);
    let answer = '';
    socket.on('data', bytes => {
      answer += bytes.toString('latin1');
    });
    socket.end(rubbish(seed));
    await new Promise(done => socket.once('close', done));
    return answer;
  }
  for (let seed = 0; seed < 3000; seed += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_one, at) => send(seed + at)));
    for (const [at, answer] of answers.entries())
      expect([seed + at, answer]).toEqual([seed + at, expect.stringMatching(/^($|SSH-2\.0-Postern\r\n)/)]);
  }
  expect(seen).toEqual([]);
  expect(await said(ssh(number, mine, 'bob', '127.0.0.1', 'x'))).toBe('bob');
}, 60_000);

test('an address whose connections come to nothing is not heard for a while, and whoever is signed in already comes in from there all the same', async () => {
  const { number, take } = await openPort(openWay(60_000), { take: () => 3600 });
  (await dial(number)).end('rubbish\r\n');
  const refused = /Connection (closed|reset)/;
  await expect.poll(() => said(ssh(number, mine, 'bob', '127.0.0.1', 'x')), { timeout: 10_000 }).toMatch(refused);
  // What a command line of somebody's brings comes another way, from the same address.
  const signedIn = createServer(socket => {
    const stream = Duplex.from({ readable: socket, writable: socket });
    take(stream, { remoteAddr: '127.0.0.1:1', way: openWay(60_000) });
  }).listen(0, '127.0.0.1');
  held.push(() => signedIn.close());
  await once(signedIn, 'listening');
  const { port } = signedIn.address() as { port: number };
  expect(await said(ssh(port, mine, 'bob', '127.0.0.1', 'x'))).toBe('bob');
});

test('a peer that has fallen silent is cut off', async () => {
  const over = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const { number } = await openPort({
    async judge(offer) {
      const begin = ({ connection }: Guest) => {
        connection.on('close', over.resolve);
        began.resolve();
      };
      return { publicKey: offer.blob, silentMostMs: 400, begin };
    },
  });
  const client = ssh(number, mine, 'bob', '-N', '127.0.0.1');
  await began.promise;
  client.kill('SIGSTOP');
  await over.promise;
});
