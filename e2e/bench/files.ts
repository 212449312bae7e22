// A large file through the gateway beside native `sftp`, on one sshd: how fast, what it costs the gateway in memory, and whether it is the same.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { residentBytes } from './memory.ts';
import { median, type Row } from './row.ts';
import { type Bench, openBench } from './socket.ts';

const run = promisify(execFile);
const SIZE_BYTES = 2 ** 30;
const PART_BYTES = 16 * 2 ** 20;
const ROUNDS = 3;
/** How often the gateway's memory is looked at while a file moves, ms. */
const LOOK_EVERY_MS = 100;

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
};

/** Seconds of a copy by the machine's own `sftp`. */
async function native({ sshd }: Bench, command: string): Promise<number> {
  const { keyFile, certificateFile } = await sshd.nativeIdentity(userInfo().username);
  const known = join(sshd.folder, 'known_hosts');
  await writeFile(known, `[${sshd.host}]:${sshd.port} ${sshd.hostKey}\n`);
  const batch = join(sshd.folder, 'batch');
  await writeFile(batch, `${command}\n`);
  const options = [`CertificateFile=${certificateFile}`, `UserKnownHostsFile=${known}`, 'IdentitiesOnly=yes'];
  const began = performance.now();
  await run('sftp', [
    ...['-q', '-b', batch, '-P', String(sshd.port), '-i', keyFile],
    ...options.flatMap(option => ['-o', option]),
    `${userInfo().username}@${sshd.host}`,
  ]);
  return (performance.now() - began) / 1000;
}

/** Seconds of a copy through the gateway, as a browser asks for it. */
async function throughGateway(
  { gateway, client }: Bench,
  method: 'GET' | 'POST',
  path: string,
  local: string,
): Promise<number> {
  const where = `sites/${client.cluster}/nodes/bench/${userInfo().username}/scp?location=${encodeURIComponent(path)}`;
  const began = performance.now();
  const asked = httpRequest(`${gateway.directUrl}/v1/webapi/${where}`, {
    method,
    headers: {
      cookie: client.cookie,
      authorization: `Bearer ${client.bearer}`,
      ...(method === 'POST' && { 'content-length': SIZE_BYTES }),
    },
  });
  const answer = new Promise<import('node:http').IncomingMessage>((done, fail) =>
    asked.once('response', done).once('error', fail),
  );
  if (method === 'POST') await pipeline(createReadStream(local, { highWaterMark: 2 ** 20 }), asked);
  else asked.end();
  const got = await answer;
  if (got.statusCode !== 200) throw new Error(`${method} scp: ${got.statusCode}`);
  if (method === 'GET') await pipeline(got, createWriteStream(local));
  else await got.resume().toArray();
  return (performance.now() - began) / 1000;
}

/** Runs something and answers by how much the gateway grew meanwhile, bytes. */
async function growth(pid: number, during: () => Promise<unknown>): Promise<number> {
  const before = await residentBytes(pid);
  let most = before;
  const looking = setInterval(() => {
    void residentBytes(pid).then(now => {
      most = Math.max(most, now);
    });
  }, LOOK_EVERY_MS);
  try {
    await during();
  } finally {
    clearInterval(looking);
  }
  return most - before;
}

export async function benchFiles(): Promise<readonly Row[]> {
  const bench = await openBench();
  const folder = await mkdtemp(join(tmpdir(), 'postern-bench-files-'));
  const at = (name: string): string => join(folder, name);
  try {
    const file = await open(at('from'), 'w');
    for (let left = SIZE_BYTES; left > 0; left -= PART_BYTES) await file.write(randomBytes(PART_BYTES));
    await file.close();
    const hash = await hashOf(at('from'));
    const rows: Row[] = [];
    for (const [method, what] of [
      ['GET', 'down'],
      ['POST', 'up'],
    ] as const) {
      const seconds: number[] = [];
      const natives: number[] = [];
      let grown = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const command = method === 'GET' ? `get ${at('from')} ${at('native')}` : `put ${at('from')} ${at('native')}`;
        natives.push(await native(bench, command));
        const [far, near] = method === 'GET' ? [at('from'), at('to')] : [at('to'), at('from')];
        const more = await growth(bench.gateway.pid, async () => {
          seconds.push(await throughGateway(bench, method, far, near));
        });
        grown = Math.max(grown, more);
        if ((await hashOf(at('to'))) !== hash) throw new Error(`${what}: the file is not the same`);
        await rm(at('to'));
        await rm(at('native'));
      }
      const rate = (time: number): string => `${(SIZE_BYTES / 1e6 / time).toFixed(0)} MB/s`;
      rows.push({
        what: `1 GiB over SFTP, ${what} through the gateway, hashes equal`,
        target: '≥ 0.6 × native, ≤ 30 MB more',
        measured: `${rate(median(seconds))} (${(median(natives) / median(seconds)).toFixed(2)} ×), ${(grown / 1e6).toFixed(0)} MB more`,
        reference: `sftp: ${rate(median(natives))}`,
      });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await bench.dispose();
  }
}
