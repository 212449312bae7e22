// What a recording takes of the disk beside what was printed: a session of real programs in a real pty, typed key by key.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { spawn } from '@lydell/node-pty';
import { createRecordings } from '../../src/gateway/services/recordings/recordings.ts';
import { headOf } from './recordings.ts';
import type { Row } from './row.ts';

const PROMPT = 'at-bench$ ';
/** A full-screen program has drawn when nothing came for this long, ms. */
const QUIET_MS = 300;
/**
 * What people do at a terminal: look around, read logs and listings, watch, page through files. Nothing of it is random: of 1.5 MB, 4 kB are
 * what hashes in it hold. But each is printed once, where people print the same again and again, so that it packs worse than a day's work:
 * by zstd 19 each by itself, a package log to 6.8 %, `top` to 8.4 %, what grep finds to 11 %, listings of files to 12 to 17 %, the search
 * in package names to 24 %. Nothing that packs without loss brings all of it at once to 10 % (brotli's best: 11.5 %).
 */
const lines = [
  'ls -la --color=always /etc',
  'cat /etc/services',
  'ls -lR --color=always /etc',
  'ps aux',
  'df -h',
  'dpkg -l',
  'ls -l --color=always /usr/bin',
  'apt-cache show bash coreutils tar',
  'apt-cache search server | head -2000',
  'git log --stat --color=always -n 200',
  'grep -rn --color=always export src/gateway/services',
  'env',
  'head -c 300000 /var/log/dpkg.log',
  'top -b -n 3',
];
/** Programs that fill the screen, and the keys that are pressed in them. */
const programs: readonly (readonly [line: string, keys: readonly string[]])[] = [
  ['vim -N -u NONE -c "syntax on" README.md', [...Array(15).fill('\x06'), ...Array(30).fill('j'), ':q!\r']],
  ['top -d 1', [...Array(20).fill(''), 'q']],
  ['less src/manual/sessions.md', [...Array(12).fill(' '), 'q']],
];

/** Row for the speed table. Takes some 60 s. */
export async function benchRecordingSize(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  const recordings = createRecordings({ folder });
  const heads = { strict: headOf(), best_effort: headOf() };
  const recorders = [
    await recordings.open(heads.strict, 'strict'),
    await recordings.open(heads.best_effort, 'best_effort'),
  ];
  // Last: what it prints before somebody listens is lost.
  const shell = spawn('bash', ['--norc', '--noprofile', '-i'], {
    cols: 120,
    rows: 40,
    encoding: null,
    env: { ...process.env, TERM: 'xterm-256color', PS1: PROMPT, PAGER: 'cat', GIT_PAGER: 'cat' },
  });
  try {
    const printed: Buffer[] = [];
    let latest = performance.now();
    let end = '';
    // Without an encoding the pty gives bytes, whatever its types say.
    shell.onData(data => {
      const piece = data as unknown as Buffer;
      for (const recorder of recorders) recorder.output(piece);
      printed.push(piece);
      end = (end + piece.toString('latin1')).slice(-PROMPT.length);
      latest = performance.now();
    });
    const prompted = async (): Promise<void> => {
      while (end !== PROMPT || performance.now() - latest < 20) await wait(5);
    };
    const quiet = async (): Promise<void> => {
      do await wait(20);
      while (performance.now() - latest < QUIET_MS);
    };
    /** Each key is echoed by itself, as a person's are. */
    const type = async (line: string): Promise<void> => {
      for (const key of line) {
        shell.write(key);
        await wait(30);
      }
      shell.write('\r');
      await wait(50);
    };
    await prompted();
    for (const line of lines) {
      await type(line);
      await prompted();
    }
    for (const [line, keys] of programs) {
      await type(line);
      await quiet();
      for (const key of keys) {
        shell.write(key);
        // top draws by itself, once a second.
        if (key === '') await wait(1000);
        else await quiet();
      }
      await prompted();
    }
    for (const recorder of recorders) {
      await recorder.end();
      await recorder.settle();
    }
    // Packed when nobody waits for it.
    while (readdirSync(folder).some(name => name.endsWith('.unpacked'))) await wait(20);
    const raw = Buffer.concat(printed);
    const share = (bytes: number): string => `${((bytes / raw.length) * 100).toFixed(1)} %`;
    const sizeOf = (mode: keyof typeof heads): string => share(statSync(join(folder, `${heads[mode].sid}.rec`)).size);
    return [
      {
        what: `size of a recording, strict / best effort (${(raw.length / 1e6).toFixed(1)} MB of typed commands, listings, logs, vim, top, less in ${printed.length} pieces)`,
        target: '≤ 10 % of the output',
        measured: `${sizeOf('strict')} / ${sizeOf('best_effort')}`,
        reference: `all of it at once: gzip ${share(gzipSync(raw).length)}, zstd 19 ${share(zstdCompressSync(raw, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }).length)}, brotli 11 ${share(brotliCompressSync(raw).length)}`,
      },
    ];
  } finally {
    shell.kill();
    await recordings.close();
    rmSync(folder, { recursive: true });
  }
}
