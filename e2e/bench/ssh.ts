// The SSH connector alone beside the native `ssh -tt`, on one sshd: what the gateway starts from before it records and relays.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Shell } from '../../src/gateway/ports/shell.ts';
import { createAuthority } from '../../src/gateway/services/protocols/ssh/authority.ts';
import { createSshConnector } from '../../src/gateway/services/protocols/ssh/connector.ts';
import { createDirectReach } from '../../src/gateway/services/reach/direct.ts';
import { findProgram, openSshd, type SshdRig } from '../rigs/sshd.ts';
import { percentile, type Row } from './row.ts';

const BULK_BYTES = 64 * 1024 * 1024;
const BULK_ROUNDS = 3;
const KEYS = 1_000;
const WARM_KEYS = 50;
const MEGABYTE = 1_000_000;

/** Stands on a line of its own where the measured output begins; quoted, so that an echoed command line does not hold it. */
const BEGIN = 'BEGIN-HERE';
export const begin = 'stty raw -echo; echo BEGIN-""HERE';
/** Command for a shell on a pty: the mark, and then this many bytes in lines of 80. */
export const bulkCommand = (bytes: number): string =>
  `${begin}; yes ${'0123456789'.repeat(7)}012345678 | head -c ${bytes}`;
/** Command for a shell on a pty: the mark, and then every key comes straight back. */
export const echoCommand = `${begin}; exec cat`;

/** Either end of a terminal session: what a measurement needs of it. */
export interface Line {
  write(bytes: Uint8Array): void;
  onOutput(listener: (bytes: Uint8Array) => void): void;
}

/** Skips what comes up to and with the mark, then hands on every piece, which is valid until it returns. Many may come in one turn of the loop. */
export function afterMark(
  line: Pick<Line, 'onOutput'>,
  begun: () => void,
  listener: (bytes: Uint8Array) => void,
): void {
  let seen: string | undefined = '';
  line.onOutput(bytes => {
    if (seen === undefined) return listener(bytes);
    seen += Buffer.from(bytes).toString('latin1');
    const at = seen.indexOf(`${BEGIN}\n`);
    if (at < 0) return;
    const rest = Buffer.from(seen.slice(at + BEGIN.length + 1), 'latin1');
    seen = undefined;
    begun();
    if (rest.length > 0) listener(rest);
  });
}

/** MB/s of a line on which `bulkCommand(count)` was started, from the mark to the last byte. */
export function measureBulk(line: Line, count: number): Promise<number> {
  return new Promise(done => {
    let left = count;
    let started = 0;
    afterMark(
      line,
      () => {
        started = performance.now();
      },
      bytes => {
        left -= bytes.length;
        if (left <= 0) done(count / MEGABYTE / ((performance.now() - started) / 1000));
      },
    );
  });
}

/** Milliseconds from each key to its echo, on a line on which `echoCommand` was started; one key at a time. */
export function measureEcho(line: Line, keys: number): Promise<readonly number[]> {
  return new Promise(done => {
    const times: number[] = [];
    let sent = 0;
    const press = (): void => {
      sent = performance.now();
      line.write(Buffer.of(0x61 + (times.length % 26)));
    };
    afterMark(line, press, () => {
      times.push(performance.now() - sent);
      if (times.length === WARM_KEYS + keys) done(times.slice(WARM_KEYS));
      else press();
    });
  });
}

/** Native `ssh -tt` into a pipe, with a certificate and a pinned host key like the gateway's. */
async function nativeShell(sshd: SshdRig, command: string): Promise<ChildProcessWithoutNullStreams> {
  const login = userInfo().username;
  const { keyFile, certificateFile } = await sshd.nativeIdentity(login);
  const known = join(sshd.folder, 'known_hosts');
  await writeFile(known, `[${sshd.host}]:${sshd.port} ${sshd.hostKey}\n`);
  const options = [
    `CertificateFile=${certificateFile}`,
    `UserKnownHostsFile=${known}`,
    'IdentitiesOnly=yes',
    'BatchMode=yes',
    'LogLevel=ERROR',
  ];
  return spawn(await findProgram('ssh', 'openssh-client'), [
    '-tt',
    ...['-F', 'none', '-i', keyFile, '-p', String(sshd.port)],
    ...options.flatMap(option => ['-o', option]),
    `${login}@${sshd.host}`,
    command,
  ]);
}

async function withNative<Result>(
  sshd: SshdRig,
  command: string,
  measure: (line: Line) => Promise<Result>,
): Promise<Result> {
  const child = await nativeShell(sshd, command);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const over = new Promise<never>((_done, fail) => {
    child.once('error', fail);
    child.once('exit', code => fail(new Error(`ssh ended with ${code}: ${said}`)));
  });
  over.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  const line: Line = {
    write: bytes => void child.stdin.write(bytes),
    onOutput(listener) {
      child.stdout.removeAllListeners('data');
      child.stdout.on('data', listener);
    },
  };
  try {
    return await Promise.race([measure(line), over]);
  } finally {
    child.kill('SIGKILL');
  }
}

/** MB/s of a pty's output through native `ssh -tt` into a pipe. */
export const nativeBulk = (sshd: SshdRig, bytes: number): Promise<number> =>
  withNative(sshd, bulkCommand(bytes), line => measureBulk(line, bytes));

/** Milliseconds from key to echo through native `ssh -tt`. */
export const nativeEcho = (sshd: SshdRig, keys: number): Promise<readonly number[]> =>
  withNative(sshd, echoCommand, line => measureEcho(line, keys));

const ms = (value: number): string => value.toFixed(2);

/** The two rows of the connector alone. */
export async function benchSsh(): Promise<readonly Row[]> {
  const login = userInfo().username;
  const authority = createAuthority(generateKeyPairSync('ed25519').privateKey, 'bench');
  const connector = createSshConnector({ authority, reach: createDirectReach(), audit: { emit: async () => {} } });
  const sshd = await openSshd({ trustedUserCa: authority.trustedUserCaLine() });
  const target = {
    id: 'bench',
    hostname: 'bench',
    subKind: 'openssh',
    addr: `${sshd.host}:${sshd.port}`,
    hostKeys: [sshd.hostKey],
    labels: {},
  };
  async function ours<Result>(command: string, measure: (line: Line) => Promise<Result>): Promise<Result> {
    const shell: Shell = await connector.open(target, {
      user: 'bench',
      sid: 'bench',
      login,
      size: { cols: 80, rows: 24 },
      ttlMs: 60_000,
    });
    const ended = new Promise<void>(done => shell.onExit(() => done()));
    try {
      shell.write(Buffer.from(`${command}\r`));
      return await measure(shell);
    } finally {
      shell.close();
      await ended;
    }
  }
  try {
    const bulk: number[] = [];
    const bulkNative: number[] = [];
    // By turns, so that a busy moment of the machine falls on both.
    for (let round = 0; round < BULK_ROUNDS; round++) {
      bulkNative.push(await nativeBulk(sshd, BULK_BYTES));
      bulk.push(await ours(bulkCommand(BULK_BYTES), line => measureBulk(line, BULK_BYTES)));
    }
    const echoNative = await nativeEcho(sshd, KEYS);
    const echo = await ours(echoCommand, line => measureEcho(line, KEYS));
    const [best, bestNative] = [Math.max(...bulk), Math.max(...bulkNative)];
    const added = (p: number): string => ms(percentile(echo, p) - percentile(echoNative, p));
    return [
      {
        what: 'SSH connector alone: bulk output of a pty',
        target: '≥ 0.9 × native',
        measured: `${best.toFixed(1)} MB/s (${(best / bestNative).toFixed(2)} ×)`,
        reference: `ssh -tt into a pipe: ${bestNative.toFixed(1)} MB/s`,
      },
      {
        what: 'SSH connector alone: key echo, p50 / p99',
        target: '≤ 0.4 / 3 ms over native',
        measured: `${ms(percentile(echo, 50))} / ${ms(percentile(echo, 99))} ms (${added(50)} / ${added(99)} over)`,
        reference: `ssh -tt: ${ms(percentile(echoNative, 50))} / ${ms(percentile(echoNative, 99))} ms`,
      },
    ];
  } finally {
    await sshd.dispose();
  }
}
