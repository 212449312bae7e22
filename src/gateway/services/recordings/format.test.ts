import { zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordedEvent } from './events.ts';
import { createEventWriter, readEvents } from './events.ts';
import {
  BadChunk,
  badChunk,
  encodeChunk,
  HEAD_BYTES,
  KIND,
  LINK_BYTES,
  linkOf,
  openBody,
  parseHead,
} from './format.ts';

const step = fc.oneof(
  fc.record({ kind: fc.constant('output' as const), by: fc.nat(100_000), bytes: fc.uint8Array({ maxLength: 3000 }) }),
  fc.record({
    kind: fc.constant('resize' as const),
    by: fc.nat(100_000),
    size: fc.record({ cols: fc.integer({ min: 1, max: 4095 }), rows: fc.integer({ min: 1, max: 4095 }) }),
  }),
  fc.record({
    kind: fc.constantFrom('join' as const, 'leave' as const),
    by: fc.nat(100_000),
    user: fc.string({ unit: 'grapheme', maxLength: 40 }),
  }),
  fc.record({ kind: fc.constant('gap' as const), by: fc.nat(100_000), lost: fc.nat(Number.MAX_SAFE_INTEGER) }),
);
const events = fc.array(step, { minLength: 1, maxLength: 20 }).map(steps => {
  let ms = 0;
  return steps.map(({ by, ...event }): RecordedEvent => {
    ms += by;
    return { ...event, ms } as RecordedEvent;
  });
});
const zeros = Buffer.alloc(LINK_BYTES);
const plainOf = (list: readonly RecordedEvent[]) =>
  list.map(event => (event.kind === 'output' ? { ...event, bytes: Buffer.from(event.bytes).toString('hex') } : event));

test('every list of events comes back from its chunk as it was', () => {
  fc.assert(
    fc.property(events, list => {
      const { bytes, link } = encodeChunk({
        kind: KIND.events,
        ms: list[0]?.ms ?? 0,
        sequence: 7,
        plain: createEventWriter()(list),
        previous: zeros,
      });
      const head = parseHead(bytes);
      const body = bytes.subarray(HEAD_BYTES, HEAD_BYTES + head.length);
      expect(plainOf(readEvents(body, head.ms, badChunk))).toEqual(plainOf(list));
      expect(linkOf(zeros, bytes.subarray(0, HEAD_BYTES), body)).toEqual(link);
      expect(bytes.subarray(HEAD_BYTES + head.length)).toEqual(link);
    }),
    { numRuns: 300 },
  );
});

test('bytes that are no events are refused and nothing else is thrown', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      try {
        readEvents(bytes, 0, badChunk);
      } catch (error) {
        expect(error).toBeInstanceOf(BadChunk);
      }
    }),
    { numRuns: 1000 },
  );
});

test('a body that unpacks to more than it says is refused', () => {
  const plain = Buffer.alloc(50_000, 'y\r\n');
  const packed = zstdCompressSync(plain);
  const { bytes } = encodeChunk({ kind: KIND.events, ms: 0, sequence: 0, plain, packed, previous: zeros });
  const head = parseHead(bytes);
  const body = bytes.subarray(HEAD_BYTES, HEAD_BYTES + head.length);
  expect(Buffer.from(openBody(head, body))).toEqual(plain);
  expect(() => openBody({ ...head, size: 10_000 }, body)).toThrow(BadChunk);
  expect(() => openBody({ ...head, size: 60_000 }, body)).toThrow(BadChunk);
});

test('a head that asks for more memory than any chunk has is refused', () => {
  const { bytes } = encodeChunk({ kind: KIND.events, ms: 0, sequence: 0, plain: Buffer.from('x'), previous: zeros });
  bytes.writeUInt32LE(0xffffffff, 8);
  expect(() => parseHead(bytes)).toThrow('larger than any');
});
