// The SSH port against OpenSSH's own client, and against those that mean no good.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listenForSsh, type SshPort } from './listener.ts';
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
  for (let at = 0; at < 1000; at += 1) (await dial(number)).write(Buffer.alloc(300, at % 256));
  await expect.poll(() => said(ssh(number, mine, 'bob', '127.0.0.1', 'x')), { timeout: 20_000 }).toBe('bob');
  expect(quiet.filter(socket => socket.destroyed || socket.readableEnded).length).toBeGreaterThan(0);
}, 60_000);

test('an address whose connections come to nothing is not heard for a while', async () => {
  const { number } = await openPort(openWay(60_000), { take: () => 3600 });
  (await dial(number)).end('rubbish\r\n');
  const refused = /Connection (closed|reset)/;
  await expect.poll(() => said(ssh(number, mine, 'bob', '127.0.0.1', 'x')), { timeout: 10_000 }).toMatch(refused);
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
