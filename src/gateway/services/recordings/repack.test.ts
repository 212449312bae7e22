import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createEventWriter } from './events.ts';
import { encodeChunk, FILE_MAGIC, KIND, LINK_BYTES } from './format.ts';
import { headOf } from './recordings.testing.ts';
import { createRecordings } from './recordings.ts';
import { repackFile } from './repack.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-repack-'));
let ms = 0;
const recordings = createRecordings({ folder, clock: () => ms });
afterAll(async () => {
  await recordings.close();
  rmSync(folder, { recursive: true });
});
const pathOf = (sid: string): string => join(folder, `${sid}.rec`);

/** Typed key by key, with something large in between; ended. */
async function typed(mode: 'strict' | 'best_effort' = 'strict') {
  const sid = randomUUID();
  const recorder = await recordings.open(headOf({ sid }), mode);
  for (let key = 0; key < 3000; key += 1) {
    ms = key * 120;
    recorder.output(Buffer.from(key % 60 === 59 ? '\r\nnotes.txt report.pdf\r\n$ ' : 'l'));
    if (key % 500 === 0) recorder.resize({ cols: 80 + (key % 7), rows: 24 });
    // What cannot be packed, and fits into no pack with others, stays as it is.
    if (mode === 'strict' && key % 1000 === 999) recorder.output(randomBytes(950_000));
    if (key === 1500) recorder.output(Buffer.alloc(70_000, 'a line of a log\r\n'));
  }
  return { sid, seal: await recorder.end() };
}

test.each(['strict', 'best_effort'] as const)(
  'packed, a recording is a fraction of its size, and all that was kept and signed is as it was: %s',
  async mode => {
    const { sid, seal } = await typed(mode);
    const said = async () => [
      await recordings.summary(sid),
      await recordings.segment(sid, 0),
      await recordings.events(sid),
      await recordings.verify(sid),
    ];
    const [before, size] = [await said(), readFileSync(pathOf(sid)).length];
    expect(await repackFile(pathOf(sid))).toBe(true);
    expect(readFileSync(pathOf(sid)).length).toBeLessThan(mode === 'strict' ? size - 160_000 : size);
    expect(await said()).toEqual(before);
    const other = createRecordings({ folder, vouched: async () => seal });
    expect(await other.verify(sid)).toEqual({ ok: true });
    await other.close();
    // There is no more to be had.
    expect(await repackFile(pathOf(sid))).toBe(false);
  },
);

test('a file that is not as it was written stays, to be seen, and so does one that an older gateway packed', async () => {
  const { sid } = await typed();
  const tampered = readFileSync(pathOf(sid));
  tampered[tampered.length >> 1] = (tampered[tampered.length >> 1] ?? 0) ^ 1;
  writeFileSync(pathOf(sid), tampered);
  expect(await repackFile(pathOf(sid))).toBe(false);
  writeFileSync(pathOf(sid), tampered.subarray(0, 2000));
  expect(await repackFile(pathOf(sid))).toBe(false);

  const old = randomUUID();
  const { size, ...rest } = headOf({ sid: old });
  const header = { version: 1, ...rest, ...size, mode: 'strict', key: '' };
  const first = encodeChunk({
    kind: KIND.header,
    ms: 0,
    sequence: 0,
    previous: Buffer.alloc(LINK_BYTES),
    plain: Buffer.from(JSON.stringify(header)),
  });
  const plain = createEventWriter()([{ kind: 'output', ms: 5, bytes: Buffer.alloc(9000, 'older ') }]);
  const second = encodeChunk({
    kind: KIND.events,
    ms: 5,
    sequence: 1,
    previous: first.link,
    plain,
    packed: zstdCompressSync(plain),
  });
  const file = Buffer.concat([FILE_MAGIC, first.bytes, second.bytes]);
  writeFileSync(pathOf(old), file);
  expect(await repackFile(pathOf(old))).toBe(false);
  expect(readFileSync(pathOf(old))).toEqual(file);
  expect(Buffer.from((await recordings.stream(old, 0, 12)) ?? []).toString()).toBe('older older ');
  expect(await recordings.summary(old)).toMatchObject({
    bytes: 9000,
    integrity: { problem: 'The end of the recording is missing.' },
  });
  expect(readdirSync(folder).filter(name => name.endsWith('.new'))).toEqual([]);
});
