import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { TextFound } from '../../store/recorded-text.ts';
import { headOf } from './recordings.testing.ts';
import { createRecordings } from './recordings.ts';
import type { TextHit } from './text-blocks.ts';
import { wanted } from './text-blocks.ts';
import { runTextJob } from './text-job.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

function rig(folder = mkdtempSync(join(tmpdir(), 'postern-text-'))) {
  const index = join(folder, 'text.db');
  let ms = 0;
  const problems: string[] = [];
  const recordings = createRecordings({ folder, clock: () => ms, report: problem => problems.push(problem) });
  undo.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => recordings.close(),
  );
  const record = async (prints: readonly (string | Uint8Array)[], started: string, waits = true): Promise<string> => {
    const sid = randomUUID();
    ms = 0;
    const recorder = await recordings.open(headOf({ sid, started: new Date(started) }), 'strict');
    prints.forEach((print, index) => {
      ms = index * 1000;
      recorder.output(typeof print === 'string' ? Buffer.from(print) : print);
    });
    await recorder.end();
    if (waits)
      await runTextJob({ kind: 'put', index, path: join(folder, `${sid}.rec`), sid, started: Date.parse(started) });
    return sid;
  };
  /** What a search tells of each recording: its id, and where the text stands. */
  async function found(text: string, more: Partial<typeof ever> = {}) {
    const words = wanted(text);
    const query = { ...ever, words, ...more };
    const candidates = (await runTextJob({ kind: 'find', index, query })) as readonly TextFound[];
    return Promise.all(
      candidates.map(async ({ sid, places }) => {
        const source = join(folder, `${sid}.rec`);
        return [sid, (await runTextJob({ kind: 'hits', index, source, places, text, most: 5 })) as TextHit[]] as const;
      }),
    );
  }
  return { folder, index, recordings, record, found, problems };
}
const ever = { from: 0, to: Number.MAX_SAFE_INTEGER, after: null as { sid: string; started: number } | null };

test('a text is found in every recording that printed it, newest first, with the line and the time', async () => {
  const { found, record } = rig();
  const old = await record(['$ ls\r\n', 'notes.txt  report-2024.pdf\r\n'], '2026-03-01T10:00:00Z');
  const young = await record(['\x1b[32m$\x1b[0m cat no', 'tes.txt\r\n'], '2026-03-02T10:00:00Z');
  expect(await found('Notes.TXT')).toEqual([
    [young, [{ ms: 1000, line: '$ cat notes.txt' }]],
    [old, [{ ms: 1000, line: 'notes.txt  report-2024.pdf' }]],
  ]);
  expect(await found('report-20')).toMatchObject([[old, [{ ms: 1000 }]]]);
  expect(await found('notes.txt', { to: Date.parse('2026-03-01T12:00:00Z') })).toMatchObject([[old, [{}]]]);
  const after = { sid: young, started: Date.parse('2026-03-02T10:00:00Z') };
  expect(await found('notes', { after })).toMatchObject([[old, [{}]]]);
});

test.each([
  ['words that stand apart', 'ls txt', []],
  ['the middle of a word', 'otes', []],
  ['other scripts, without blanks between their words', '東京', [{ ms: 0, line: '大東京都 naïve' }]],
  ['letters with marks', 'NAÏVE', [{ ms: 0, line: '大東京都 naïve' }]],
  ['the beginning of a long word', `${'k'.repeat(60)}`, [{ ms: 1000, line: 'k'.repeat(120) }]],
  ['what the index has signs for', '"OR" txt*', []],
])('%s', async (_what, text, expected) => {
  const { found, record } = rig();
  await record(['大東京都 naïve\r\n', `${'k'.repeat(300)}\r\n`, 'ls "or" notes.txt*\r\n'], '2026-03-01T10:00:00Z');
  expect((await found(text)).flatMap(([, hits]) => hits)).toEqual(expected);
});

test('a text too short to look for is refused with the reason', async () => {
  const { recordings } = rig();
  await expect(recordings.text.find(' -*- ', ever)).rejects.toMatchObject({ code: 'bad_request' });
});

test('a text is found wherever it stands in a long recording, also where two parts of the index meet, and once', async () => {
  const { found, record } = rig();
  // One print in each chunk of 3,001 bytes: the parts of 128 kB meet at other places of each line.
  const lines = Array.from({ length: 200 }, (_, at) =>
    `needle-${at}x ${'filling '.repeat(374)}`.slice(0, 2999).concat('\r\n'),
  );
  await record(lines, '2026-03-01T10:00:00Z');
  for (const at of [0, 42, 43, 44, 45, 86, 87, 88, 131, 199]) {
    const hits = (await found(`needle-${at}x`)).flatMap(([, all]) => all);
    expect(hits.map(({ ms }) => ms)).toEqual([at * 1000]);
  }
});

test('what ended while the index was not there is indexed at the next start, and what is gone is forgotten', async () => {
  const first = rig();
  const kept = await first.record(['the quick fox\r\n'], '2026-03-01T10:00:00Z', false);
  const gone = await first.record(['the quick dog\r\n'], '2026-03-02T10:00:00Z');
  rmSync(join(first.folder, `${gone}.rec`));
  expect(await first.found('quick')).toEqual([[gone, []]]);
  const { recordings, problems } = rig(first.folder);
  await recordings.recover();
  await vi.waitFor(
    async () => expect((await recordings.text.find('quick', ever)).map(({ sid }) => sid)).toEqual([kept]),
    10_000,
  );
  expect(problems).toEqual([]);
});

test('an index that cannot be read is made anew', async () => {
  const { index, found, record } = rig();
  writeFileSync(index, 'no database');
  const sid = await record(['the quick fox\r\n'], '2026-03-01T10:00:00Z');
  expect(await found('quick')).toMatchObject([[sid, [{ line: 'the quick fox' }]]]);
});

test('of a damaged recording what can be read is found', async () => {
  const { folder, index, found, record } = rig();
  const sid = await record(['before it\r\n', 'after it\r\n'], '2026-03-01T10:00:00Z', false);
  const path = join(folder, `${sid}.rec`);
  truncateSync(path, readFileSync(path).indexOf('after it'));
  await runTextJob({ kind: 'put', index, path, sid, started: 1 });
  expect(await found('before')).toMatchObject([[sid, [{ ms: 0 }]]]);
  expect(await found('after')).toEqual([]);
});
