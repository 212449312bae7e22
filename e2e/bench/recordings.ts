// Recordings: how fast one can seek in a long one, and what recording costs beside a plain write of the same bytes.
import { randomUUID } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import headless from '@xterm/headless';
import type { RecordingSegment } from '../../src/contract/recordings.ts';
import type { RecordingHead } from '../../src/gateway/ports/recordings.ts';
import { createRecordings } from '../../src/gateway/services/recordings/recordings.ts';
import type { Row } from './row.ts';
import { median, percentile } from './row.ts';

const HOUR_MS = 3_600_000;
const OUTPUT_BYTES = 50 * 1024 * 1024;
const PIECE_BYTES = 14_000;
const SEEKS = 200;

/** Work at a terminal: coloured listings, logs with times and numbers, a full-screen program now and then. */
export function* work(bytes = OUTPUT_BYTES, firstLine = 0): Generator<Buffer> {
  let line = firstLine;
  let made = 0;
  for (let piece = 0; made < bytes; piece += 1) {
    let text = piece % 50 === 40 ? '\x1b[?1049h\x1b[2J\x1b[H' : piece % 50 === 45 ? '\x1b[?1049l' : '';
    while (text.length < PIECE_BYTES) {
      line += 1;
      const noise = ((line * 2654435761) >>> 0).toString(36);
      text += `\x1b[3${line % 8}m2026-03-01T10:${String(line % 60).padStart(2, '0')}:00Z\x1b[0m host-${line % 17} sshd[${line % 32768}]: Accepted publickey for ${noise} from 10.0.${line % 256}.7 port ${line % 65536}\r\n`;
    }
    const printed = Buffer.from(text);
    made += printed.length;
    yield printed;
  }
}
export const headOf = (): RecordingHead => ({
  sid: randomUUID(),
  user: 'bench',
  login: 'root',
  serverId: 's',
  hostname: 'h',
  addr: 'h:22',
  clusterName: 'c',
  size: { cols: 120, rows: 40 },
  started: new Date(),
  kind: 'terminal',
  proto: 'ssh',
});

/** Rows for the speed table. Takes some 20 s. */
export async function benchRecordings(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  let ms = 0;
  const recordings = createRecordings({ folder, clock: () => ms });
  try {
    const pieces = [...work()];
    const total = pieces.reduce((sum, piece) => sum + piece.length, 0);

    const plain = openSync(join(folder, 'plain'), 'w');
    const plainBegan = performance.now();
    for (const piece of pieces) writeSync(plain, piece);
    const plainMs = performance.now() - plainBegan;
    closeSync(plain);

    const head = headOf();
    const recorder = await recordings.open(head, 'strict');
    const each: number[] = [];
    pieces.forEach((piece, index) => {
      ms = (index * HOUR_MS) / pieces.length;
      const began = performance.now();
      recorder.output(piece);
      each.push(performance.now() - began);
    });
    const recordMs = each.reduce((sum, one) => sum + one, 0);
    ms = HOUR_MS;
    await recorder.end();

    const keys = await recordings.open(headOf(), 'strict');
    const echo: number[] = [];
    for (let key = 0; key < 2000; key += 1) {
      const began = performance.now();
      keys.output(Buffer.from('x'));
      echo.push(performance.now() - began);
    }
    await keys.end();

    const indexBegan = performance.now();
    const summary = await recordings.summary(head.sid);
    const indexMs = performance.now() - indexBegan;
    if (!summary) throw new Error('the recording is not there');

    const seeks: number[] = [];
    const fetches: number[] = [];
    for (let index = 0; index < SEEKS; index += 1) {
      const to = ((index * 7919) % SEEKS) * (HOUR_MS / SEEKS);
      const began = performance.now();
      const { keyframes } = (await recordings.summary(head.sid)) ?? summary;
      const from = keyframes.findLast(frame => frame.ms <= to) ?? keyframes[0];
      const answer = JSON.stringify(await recordings.segment(head.sid, from?.index ?? 0));
      fetches.push(performance.now() - began);
      await show(JSON.parse(answer) as RecordingSegment, to);
      seeks.push(performance.now() - began);
    }

    const again = createRecordings({ folder });
    const checkBegan = performance.now();
    await again.verify(head.sid);
    const checkMs = performance.now() - checkBegan;
    await again.close();

    const rate = (bytes: number, took: number): string => `${(bytes / 1e6 / (took / 1000)).toFixed(0)} MB/s`;
    const size = `${(statSync(join(folder, `${head.sid}.rec`)).size / 1e6).toFixed(1)} MB on disk`;
    return [
      {
        what: `seek in a 1 h, ${(total / 1e6).toFixed(0)} MB recording, p95`,
        target: '≤ 150 ms',
        measured: `${percentile(seeks, 95).toFixed(0)} ms (median ${median(seeks).toFixed(0)})`,
        reference: `gateway's part ${percentile(fetches, 95).toFixed(1)} ms; ${summary.keyframes.length} key frames, made in ${(indexMs / 1000).toFixed(1)} s beside the main loop`,
      },
      {
        what: 'strict recording of bulk output',
        target: '—',
        measured: `${rate(total, recordMs)}, ${size}`,
        reference: `plain write(2) of the same pieces ${rate(total, plainMs)}`,
      },
      {
        what: 'strict recording of one key, p50 / p99',
        target: '—',
        measured: `${(median(echo) * 1000).toFixed(0)} / ${(percentile(echo, 99) * 1000).toFixed(0)} µs`,
        reference: 'part of the key echo',
      },
      {
        what: 'checking chain and signature of all of it',
        target: '—',
        measured: `${checkMs.toFixed(0)} ms`,
        reference: `${rate(total, checkMs)} of output`,
      },
    ];
  } finally {
    await recordings.close();
    rmSync(folder, { recursive: true });
  }
}

/** What the player does: draw the key frame, then all that was printed up to the moment. */
async function show(segment: RecordingSegment, to: number): Promise<void> {
  const terminal = new headless.Terminal({
    cols: segment.cols,
    rows: segment.rows,
    scrollback: 1000,
    allowProposedApi: true,
    logLevel: 'off',
  });
  let length = 0;
  for (const [when, one, rows] of segment.prints) if (when <= to && rows === undefined) length += one;
  terminal.write(segment.screen);
  await new Promise<void>(resolve => terminal.write(Buffer.from(segment.bytes, 'base64').subarray(0, length), resolve));
  terminal.dispose();
}
