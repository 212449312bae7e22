import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { headOf } from './recordings.testing.ts';
import { createRecordings } from './recordings.ts';
import { repackFile } from './repack.ts';

type Tampering =
  | { readonly how: 'flip'; readonly at: number; readonly bit: number }
  | { readonly how: 'cut' | 'swap'; readonly at: number; readonly to: number; readonly bytes: number }
  | { readonly how: 'tail'; readonly at: number };

/** The file after it was tampered with; places are shares of its length. */
function tampered(file: Buffer, by: Tampering): Buffer {
  const place = (share: number): number => Math.min(file.length - 1, Math.floor(share * file.length));
  const at = place(by.at);
  if (by.how === 'tail') return file.subarray(0, at);
  if (by.how === 'flip') {
    const copy = Buffer.from(file);
    copy[at] = (copy[at] ?? 0) ^ (1 << by.bit);
    return copy;
  }
  if (by.how === 'cut') return Buffer.concat([file.subarray(0, at), file.subarray(at + by.bytes)]);
  const copy = Buffer.from(file);
  const to = Math.min(place(by.to), file.length - by.bytes);
  const from = Math.min(at, file.length - by.bytes);
  file.copy(copy, to, from, from + by.bytes);
  file.copy(copy, from, to, to + by.bytes);
  return copy;
}
const share = fc.double({ min: 0, max: 1, noNaN: true });
const bytes = fc.integer({ min: 1, max: 400 });
const tampering: fc.Arbitrary<Tampering> = fc.oneof(
  fc.record({ how: fc.constant('flip' as const), at: share, bit: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ how: fc.constantFrom('cut' as const, 'swap' as const), at: share, to: share, bytes }),
  fc.record({ how: fc.constant('tail' as const), at: share }),
);

test.each([
  ['as it was written', false],
  ['packed', true],
])(
  'a thousand flips, cuts, swaps and cut tails of a recording %s are all found, and every reader answers',
  async (_name, isPacked) => {
    const folder = mkdtempSync(join(tmpdir(), 'postern-tamper-'));
    let ms = 0;
    const recordings = createRecordings({ folder, clock: () => ms });
    try {
      const sid = randomUUID();
      const recorder = await recordings.open(headOf({ sid }), 'strict');
      for (let line = 0; line < 30; line += 1) {
        ms += 1000;
        recorder.output(Buffer.from(`line ${line} ${'text '.repeat(line * 5)}\r\n`));
      }
      await recorder.end();
      const path = join(folder, `${sid}.rec`);
      expect(isPacked ? await repackFile(path) : true).toBe(true);
      const whole = readFileSync(path);
      await fc.assert(
        fc.asyncProperty(tampering, async by => {
          const changed = tampered(whole, by);
          fc.pre(!changed.equals(whole));
          writeFileSync(path, changed);
          expect(await recordings.verify(sid)).toMatchObject({ ok: false });
          expect((await recordings.summary(sid))?.integrity.ok).toBe(false);
          expect(await recordings.segment(sid, 0)).not.toBeNull();
          expect(await recordings.events(sid)).not.toBeNull();
          expect(await recordings.stream(sid, 0, 1_000_000)).not.toBeNull();
          for (const lines of [await recordings.asciicast(sid), await recordings.file(sid, 'text')])
            for await (const line of lines ?? []) expect(line).toBeTypeOf('string');
        }),
        { numRuns: 1000 },
      );
      writeFileSync(path, whole);
      expect(await recordings.verify(sid)).toEqual({ ok: true });
    } finally {
      await recordings.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60_000,
);
