// Text search over a thousand recordings of a megabyte each: how large the index is, how fast it is made, how fast a search answers.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FOUND_PLACES_MOST, FOUND_RECORDINGS_MOST } from '../../src/contract/audit.ts';
import { createRecordings } from '../../src/gateway/services/recordings/recordings.ts';
import { headOf, work } from './recordings.ts';
import { median, percentile, type Row } from './row.ts';

const RECORDINGS = 1000;
const EACH_BYTES = 1_000_000;
/** Lines of one recording, so that no two hold the same. */
const EACH_LINES = 10_000;
const SEARCHES = 60;

/** Rows for the speed table. Takes some two minutes. */
export async function benchRecordingsSearch(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  const recordings = createRecordings({ folder });
  try {
    let total = 0;
    for (let one = 0; one < RECORDINGS; one += 1) {
      const recorder = await recordings.open(
        { ...headOf(), started: new Date(Date.UTC(2026, 0, 1) + one * 60_000) },
        'strict',
      );
      for (const piece of work(EACH_BYTES, one * EACH_LINES)) {
        recorder.output(piece);
        total += piece.length;
      }
      await recorder.end();
    }
    // As at a start with recordings that nobody has indexed yet.
    const began = performance.now();
    await recordings.recover();
    // What is missing is looked for a moment after the start.
    while (recordings.text.waiting() === 0) await wait(5);
    let longestMs = 0;
    for (let last = performance.now(); recordings.text.waiting() > 0; ) {
      await wait(5);
      longestMs = Math.max(longestMs, performance.now() - last - 5);
      last = performance.now();
    }
    const builtMs = performance.now() - began;
    const indexBytes = ['', '-wal'].reduce(
      (sum, tail) => sum + (statSync(join(folder, `text.db${tail}`), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );

    const noise = (line: number): string => ((line * 2654435761) >>> 0).toString(36);
    const took: number[] = [];
    for (let one = 0; one < SEARCHES; one += 1) {
      const line = ((one * 7919) % RECORDINGS) * EACH_LINES + 77;
      const text = [noise(line), 'accepted publickey', `port ${line % 65536}`, 'no such word'][one % 4] ?? '';
      const from = performance.now();
      let shown = 0;
      for (const found of await recordings.text.find(text, { from: 0, to: Number.MAX_SAFE_INTEGER, after: null })) {
        if ((await recordings.text.hits(found, text, FOUND_PLACES_MOST)).length > 0) shown += 1;
        if (shown >= FOUND_RECORDINGS_MOST) break;
      }
      took.push(performance.now() - from);
    }
    return [
      {
        what: `text search over ${RECORDINGS} recordings, ${(total / 1e9).toFixed(1)} GB of output, p50`,
        target: '≤ 200 ms',
        measured: `${median(took).toFixed(0)} ms (p95 ${percentile(took, 95).toFixed(0)})`,
        reference: 'a first page, read from the recordings themselves: a word of one, words of all, one of some, none',
      },
      {
        what: 'index of their text',
        target: '≤ 25 % of it, ≥ 20 MB/s',
        measured: `${((100 * indexBytes) / total).toFixed(1)} %, ${(total / 1e6 / (builtMs / 1000)).toFixed(0)} MB/s`,
        reference: `beside the main loop, which waited ${longestMs.toFixed(0)} ms at most`,
      },
    ];
  } finally {
    await recordings.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
