import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { recordingSummary } from '../../../contract/recordings.ts';
import { createEventWriter } from './events.ts';
import { encodeChunk, FILE_MAGIC, KIND, LINK_BYTES } from './format.ts';
import { headOf } from './recordings.testing.ts';
import type { Recordings, RecordingsPorts } from './recordings.ts';
import { createRecordings } from './recordings.ts';

const folders: string[] = [];
const opened: Recordings[] = [];
afterAll(async () => {
  await Promise.all(opened.map(one => one.close()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
function rig(more: Partial<RecordingsPorts> = {}) {
  const folder = more.folder ?? mkdtempSync(join(tmpdir(), 'postern-recordings-'));
  folders.push(folder);
  const problems: string[] = [];
  let ms = 0;
  const recordings = createRecordings({
    folder,
    clock: () => ms,
    report: (problem, error) => problems.push(`${problem}: ${String(error)}`),
    ...more,
  });
  opened.push(recordings);
  return {
    folder,
    recordings,
    problems,
    at: (now: number) => (ms = now),
    rec: (sid: string) => join(folder, `${sid}.rec`),
  };
}
const say = (text: string) => Buffer.from(text, 'utf8');

/** From here on no file of this process may grow past `bytes`: what a full disk looks like, half-written chunk included. */
function fillDisk(bytes: number) {
  const ignore = () => {};
  process.on('SIGXFSZ', ignore);
  const limit = (soft: string) => execFileSync('/usr/bin/prlimit', ['--pid', String(process.pid), `--fsize=${soft}:`]);
  limit(String(bytes));
  return {
    mend() {
      limit('unlimited');
      process.off('SIGXFSZ', ignore);
    },
  };
}

/** A sealed recording with prints a second apart; its file changes no more until it is settled. */
async function made(prints: readonly string[], more: Partial<RecordingsPorts> = {}) {
  const one = rig(more);
  const head = headOf();
  one.at(0);
  const recorder = await one.recordings.open(head, 'strict');
  prints.forEach((text, index) => {
    one.at(index * 1000);
    recorder.output(say(text));
  });
  const seal = await recorder.end();
  return { ...one, sid: head.sid, seal, settle: recorder.settle };
}

test('what was printed is read back with its times, sizes and people', async () => {
  const { recordings, at } = rig();
  const head = headOf();
  const recorder = await recordings.open(head, 'strict');
  recorder.output(say('hello '));
  at(500);
  recorder.resize({ cols: 100, rows: 30 });
  recorder.presence('bob', 'join');
  at(2000);
  recorder.output(say('wörld'));
  expect((await recordings.summary(head.sid))?.state).toBe('live');
  await recorder.end();
  await recorder.settle();
  expect(await recordings.summary(head.sid)).toEqual({
    sid: head.sid,
    serverId: head.serverId,
    durationMs: 2000,
    bytes: 12,
    cols: 80,
    rows: 24,
    started: '2026-03-01T10:00:00.000Z',
    ended: '2026-03-01T10:00:02.000Z',
    state: 'sealed',
    integrity: { ok: true },
    keyframes: [{ ms: 0, offset: 0, cols: 80, rows: 24, index: 0 }],
    activity: [6, ...new Array(398).fill(0), 6],
    commands: [],
    parties: [{ ms: 500, user: 'bob', change: 'join' }],
    resizes: [{ ms: 500, cols: 100, rows: 30 }],
    login: 'root',
    hostname: 'db-3',
    participants: ['alice', 'bob'],
  });
  expect(await recordings.segment(head.sid, 0)).toEqual({
    screen: '',
    ms: 0,
    offset: 0,
    cols: 80,
    rows: 24,
    bytes: say('hello wörld').toString('base64'),
    prints: [
      [0, 6],
      [500, 100, 30],
      [2000, 6],
    ],
  });
  expect(await recordings.segment(head.sid, 1)).toBeNull();
  expect(
    (await recordings.events(head.sid))?.map(({ event, ei, ms, offset, bytes, size }) => ({
      event,
      ei,
      ms,
      offset,
      bytes,
      size,
    })),
  ).toEqual([
    { event: 'session.start', ei: 0, size: '80:24' },
    { event: 'print', ei: 1, ms: 0, offset: 0, bytes: 6 },
    { event: 'resize', ei: 2, ms: 500, size: '100:30' },
    { event: 'session.join', ei: 3, ms: 500 },
    { event: 'print', ei: 4, ms: 2000, offset: 6, bytes: 6 },
    { event: 'session.end', ei: 5 },
  ]);
  const after = async (ei: number) => (await recordings.events(head.sid, ei))?.map(fact => fact.event);
  expect(await after(4)).toEqual(['session.end']);
  expect(await after(5)).toEqual([]);
  expect(Buffer.from((await recordings.stream(head.sid, 3, 5)) ?? []).toString()).toBe(
    `${'lo w\xc3'.slice(0, 4)}\ufffd`,
  );
  expect(await recordings.stream(head.sid, 12, 5)).toEqual(new Uint8Array(0));
});

test('asciicast has a header, distances in seconds and whole characters', async () => {
  const { recordings, at } = rig();
  const head = headOf();
  const recorder = await recordings.open(head, 'strict');
  const euro = say('€');
  recorder.output(euro.subarray(0, 1));
  at(250);
  recorder.output(euro.subarray(1));
  at(1250);
  recorder.resize({ cols: 90, rows: 30 });
  await recorder.end();
  const lines: unknown[] = [];
  for await (const line of (await recordings.asciicast(head.sid)) ?? []) lines.push(JSON.parse(line));
  expect(lines).toEqual([
    { version: 3, term: { cols: 80, rows: 24, type: 'xterm-256color' }, timestamp: 1772359200, title: 'root@db-3' },
    [0.25, 'o', '€'],
    [1, 'r', '90x30'],
  ]);
});

test('files are private and an id that is no uuid never becomes a path', async () => {
  const { folder, recordings, sid, rec, settle } = await made(['x']);
  await settle();
  expect([statSync(folder).mode & 0o777, statSync(rec(sid)).mode & 0o777]).toEqual([0o700, 0o600]);
  for (const bad of ['../../etc/passwd', '', sid.toUpperCase(), `${sid}/..`]) {
    await expect(recordings.summary(bad)).rejects.toMatchObject({ code: 'bad_request' });
    await expect(recordings.verify(bad)).rejects.toMatchObject({ code: 'bad_request' });
  }
  expect(await recordings.summary(randomUUID())).toBeNull();
  expect(readdirSync(folder).filter(name => name.endsWith('.open'))).toEqual([]);
});

test('any flipped bit is found, and what stands before it plays on', async () => {
  const { recordings, sid, rec } = await made(['one ', 'two ', 'three ', 'four '.repeat(200)]);
  const good = readFileSync(rec(sid));
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.nat(7), async (place, bit) => {
      const bad = Buffer.from(good);
      bad[place] = (bad[place] ?? 0) ^ (1 << bit);
      writeFileSync(rec(sid), bad);
      expect(await recordings.verify(sid)).toMatchObject({
        ok: false,
        problem: expect.any(String),
        at: expect.any(Number),
      });
    }),
    { numRuns: 400 },
  );
  const bad = Buffer.from(good);
  const place = bad.indexOf('three');
  bad[place] = 0x54;
  writeFileSync(rec(sid), bad);
  expect((await recordings.summary(sid))?.integrity).toEqual({
    ok: false,
    problem: 'A part of the recording was changed, removed or moved.',
    at: 1000,
  });
  expect(Buffer.from((await recordings.segment(sid, 0))?.bytes ?? '', 'base64').toString()).toContain('one two ');
  writeFileSync(rec(sid), good);
  expect(await recordings.verify(sid)).toEqual({ ok: true });
}, 30_000);

/** Where each chunk begins, and the end of the file. */
function boundsOf(file: Buffer): number[] {
  const bounds = [8];
  for (let at = 8; at < file.length; bounds.push(at)) at += 24 + file.readUInt32LE(at + 8) + 32;
  return bounds;
}

test('a chunk that was cut out, doubled or swapped is found', async () => {
  const { recordings, sid, rec } = await made(['one ', 'two ', 'three ', 'four ']);
  const good = readFileSync(rec(sid));
  const bounds = boundsOf(good);
  const chunks = bounds.slice(0, -1).map((from, index) => good.subarray(from, bounds[index + 1]));
  const magic = good.subarray(0, 8);
  const variants = [
    chunks.filter((_, index) => index !== 2),
    chunks.flatMap((chunk, index) => (index === 2 ? [chunk, chunk] : [chunk])),
    chunks.map((chunk, index) => chunks[index === 2 ? 3 : index === 3 ? 2 : index] ?? chunk),
    chunks.slice(0, -1),
    [...chunks, chunks.at(-1) ?? Buffer.alloc(0)],
    [...chunks.slice(0, 3), chunks.at(-1) ?? Buffer.alloc(0)],
  ];
  for (const variant of variants) {
    writeFileSync(rec(sid), Buffer.concat([magic, ...variant]));
    expect((await recordings.verify(sid))?.ok).toBe(false);
    expect(Buffer.from((await recordings.segment(sid, 0))?.bytes ?? '', 'base64').toString()).toMatch(/^one /);
  }
});

test('a whole new recording in the place of the old one is found by what the audit log knows', async () => {
  const one = await made(['rm -rf /']);
  const other = rig({ vouched: async () => one.seal });
  const recorder = await other.recordings.open(headOf({ sid: one.sid }), 'strict');
  recorder.output(say('ls'));
  await recorder.end();
  expect(await other.recordings.verify(one.sid)).toEqual({
    ok: false,
    problem: 'This is not the recording that the audit log knows.',
    at: 0,
  });
  writeFileSync(other.rec(one.sid), readFileSync(one.rec(one.sid)));
  expect(await other.recordings.verify(one.sid)).toEqual({ ok: true });
});

test('a recording cut anywhere is closed with every whole chunk and nothing else', async () => {
  const { folder, sid, rec } = await made(['one ', 'two ', 'three ']);
  const good = readFileSync(rec(sid));
  const bounds = boundsOf(good);
  const texts = ['one ', 'two ', 'three '];
  // Every byte of the chunks that hold output; the header, where all cuts are alike, in strides.
  for (let length = 0; length < good.length; length += length < (bounds[1] ?? 0) - 1 ? 19 : 1) {
    writeFileSync(rec(sid), good);
    truncateSync(rec(sid), length);
    writeFileSync(join(folder, `${sid}.open`), '');
    const { recordings } = rig({ folder });
    const [found, ...more] = await recordings.recover();
    const whole = bounds.filter(bound => bound <= length).length - 1;
    expect(more).toEqual([]);
    if (whole < 1) {
      expect([found, readdirSync(folder)]).toEqual([undefined, []]);
      await recordings.close();
      continue;
    }
    const kept = texts.slice(0, whole - 1).join('');
    expect(found).toMatchObject({
      cut: true,
      bytes: kept.length,
      participants: ['alice'],
      head: { sid, user: 'alice', size: { cols: 80, rows: 24 } },
    });
    expect(await recordings.summary(sid)).toMatchObject({ state: 'cut', bytes: kept.length, integrity: { ok: true } });
    expect(Buffer.from((await recordings.stream(sid, 0, 100)) ?? []).toString()).toBe(kept);
    await found?.settle();
    expect(await recordings.recover()).toEqual([]);
    await recordings.close();
  }
}, 30_000);

test('a sealed recording that the audit log does not know yet is told once and not closed again', async () => {
  const { folder, sid, seal, rec } = await made(['one ']);
  const before = readFileSync(rec(sid));
  writeFileSync(join(folder, `${sid}.open`), '');
  const [found] = await rig({ folder }).recordings.recover();
  expect(found).toMatchObject({ cut: false, seal, bytes: 4 });
  expect(readFileSync(rec(sid))).toEqual(before);
  expect(await rig({ folder, vouched: async () => seal }).recordings.recover()).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual([`${sid}.rec`, `${sid}.unpacked`]);
});

test('an open recording is left alone by recover, and its end is no fault', async () => {
  const { recordings } = rig();
  const head = headOf();
  const recorder = await recordings.open(head, 'strict');
  recorder.output(say('still here'));
  expect(await recordings.recover()).toEqual([]);
  expect(await recordings.summary(head.sid)).toMatchObject({ state: 'live', bytes: 10, integrity: { ok: true } });
  await recorder.end();
});

test('a discarded recording leaves nothing', async () => {
  const { folder, recordings } = rig();
  const recorder = await recordings.open(headOf(), 'strict');
  await recorder.discard();
  expect(readdirSync(folder)).toEqual([]);
});

test('two sessions never share a file', async () => {
  const { folder, recordings, sid, settle } = await made(['x']);
  await settle();
  await expect(recordings.open(headOf({ sid }), 'strict')).rejects.toThrow('EEXIST');
  expect(readdirSync(folder).sort()).toEqual([`${sid}.rec`, `${sid}.unpacked`]);
  expect(await recordings.verify(sid)).toEqual({ ok: true });
});

test.skipIf(process.platform !== 'linux')(
  'in strict mode an output that cannot be written throws; in best effort it becomes a gap',
  async () => {
    for (const mode of ['strict', 'best_effort'] as const) {
      const { recordings, problems, at, rec } = rig();
      const head = headOf();
      const recorder = await recordings.open(head, mode);
      const broken = fillDisk(statSync(rec(head.sid)).size + 3000);
      at(1000);
      if (mode === 'strict') expect(() => recorder.output(randomBytes(60_000))).toThrow('EFBIG');
      else recorder.output(randomBytes(70_000));
      broken.mend();
      at(2000);
      recorder.output(say('kept'));
      await recorder.end();
      const lines: string[] = [];
      for await (const line of (await recordings.asciicast(head.sid)) ?? []) lines.push(line);
      expect(lines.slice(1)).toEqual(
        mode === 'strict' ? ['[2,"o","kept"]\n'] : ['[2,"m","70000 bytes were not recorded"]\n', '[0,"o","kept"]\n'],
      );
      expect(problems.length).toBe(mode === 'strict' ? 0 : 1);
      expect(await recordings.verify(head.sid)).toEqual({ ok: true });
    }
  },
);

test('no flipped bit makes a reader fail: what can be read is answered, and the flip is found', async () => {
  const { recordings, sid, rec, problems } = await made(['hello\r\n', 'x'.repeat(5000), 'bye']);
  const whole = readFileSync(rec(sid));
  for (let place = 0; place < whole.length; place += 1) {
    const bit = 1 << (place % 8);
    for (const flip of new Set([bit, 0x01, 0x20])) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ flip;
      writeFileSync(rec(sid), changed);
      const lines: string[] = [];
      for await (const line of (await recordings.asciicast(sid)) ?? []) lines.push(line);
      const [summary, , facts] = [
        await recordings.summary(sid),
        await recordings.segment(sid, 0),
        await recordings.events(sid),
        await recordings.stream(sid, 0, 1000),
      ];
      expect(
        z.safeParse(z.omit(recordingSummary, { transfers: true, holds: true }), summary).success,
        `flip ${flip} at ${place}`,
      ).toBe(true);
      expect([summary?.integrity.ok, lines.length > 0, facts !== null], `flip ${flip} at ${place}`).toEqual([
        false,
        true,
        true,
      ]);
    }
  }
  expect(problems).toEqual([]);
  // Some thousand files, each read five times.
}, 120_000);

test('a recording whose end could not be written is sealed by a later try, once', async () => {
  const { recordings, at, rec } = rig();
  const head = headOf();
  const recorder = await recordings.open(head, 'strict');
  recorder.output(say('hello'));
  at(1000);
  const disk = fillDisk(statSync(rec(head.sid)).size);
  await expect(recorder.end()).rejects.toMatchObject({ code: 'EFBIG' });
  await expect(recorder.end()).rejects.toMatchObject({ code: 'EFBIG' });
  disk.mend();
  const seal = await recorder.end();
  expect(await recorder.end()).toEqual(seal);
  await recorder.settle();
  expect(await recordings.summary(head.sid)).toMatchObject({ state: 'sealed', bytes: 5, integrity: { ok: true } });
});

test('a recorder that gives up leaves the file to the next start', async () => {
  const { recordings, folder } = rig();
  const head = headOf();
  const recorder = await recordings.open(head, 'strict');
  recorder.output(say('hello'));
  await recorder.leave();
  const next = rig({ folder });
  expect(await next.recordings.recover()).toMatchObject([{ head: { sid: head.sid }, cut: true, bytes: 5 }]);
});

test('a file from before recordings had a kind is one of a terminal', async () => {
  const { recordings, folder, rec } = rig();
  const { sid, size, started, kind: _kind, ...rest } = headOf();
  const header = { version: 1, sid, ...rest, ...size, started, mode: 'strict', key: '' };
  const chunk = { kind: KIND.header, ms: 0, sequence: 0, previous: Buffer.alloc(LINK_BYTES) };
  const first = encodeChunk({ ...chunk, plain: Buffer.from(JSON.stringify(header)) });
  const plain = createEventWriter()([{ kind: 'output', ms: 0, bytes: say('hello') }]);
  const second = encodeChunk({ kind: KIND.events, ms: 0, sequence: 1, previous: first.link, plain });
  writeFileSync(rec(sid), Buffer.concat([FILE_MAGIC, first.bytes, second.bytes]));
  writeFileSync(join(folder, `${sid}.open`), '');
  expect(await recordings.recover()).toMatchObject([{ head: { sid, kind: 'terminal', user: 'alice' }, bytes: 5 }]);
  expect(await recordings.summary(sid)).toMatchObject({ state: 'cut', bytes: 5, integrity: { ok: true } });
});
