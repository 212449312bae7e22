import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventWriter } from './events.ts';
import { BadChunk, encodeChunk, HEAD_BYTES, KIND, LINK_BYTES, openBody, parseHead } from './format.ts';
import { encodePack, openPack } from './pack.ts';

const zeros = Buffer.alloc(LINK_BYTES);
const output = fc.uint8Array({ maxLength: 300 }).map(bytes => createEventWriter()([{ kind: 'output', ms: 0, bytes }]));
// Bodies that only look like one output are kept whole.
const body = fc.oneof(
  output,
  output.map(plain => Buffer.concat([plain, plain])),
  fc.uint8Array({ maxLength: 40 }),
);
const chunks = fc.array(fc.record({ by: fc.nat(2 ** 33), plain: body }), { minLength: 1, maxLength: 30 }).map(steps => {
  let ms = 0;
  return steps.map(({ by, plain }) => {
    ms += by;
    return { ms, plain };
  });
});

test('chunks come back from a pack as they were, each with the link it would have alone', () => {
  fc.assert(
    fc.property(chunks, list => {
      let link: Uint8Array = zeros;
      const alone = list.map((chunk, at) => {
        const { link: next } = encodeChunk({ kind: KIND.events, ...chunk, sequence: 5 + at, previous: link });
        link = next;
        return { body: Buffer.from(chunk.plain).toString('hex'), sequence: 5 + at, link: next.toString('hex') };
      });
      const pack = encodePack(list, { sequence: 5, previous: zeros }, 3);
      // Too little to be packed.
      fc.pre(pack !== null);
      expect(pack.link).toEqual(link);
      const head = parseHead(pack.bytes);
      const plain = openBody(head, pack.bytes.subarray(HEAD_BYTES, HEAD_BYTES + head.length));
      expect(
        openPack(head, plain, zeros).map(one => ({
          body: Buffer.from(one.body).toString('hex'),
          sequence: one.head.sequence,
          link: one.link.toString('hex'),
        })),
      ).toEqual(alone);
    }),
    { numRuns: 200 },
  );
});

test('bytes that are no pack are refused and nothing else is thrown', () => {
  const head = { kind: KIND.pack, codec: 1, length: 0, size: 0, ms: 0, sequence: 1 } as const;
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
      try {
        openPack(head, bytes, zeros);
      } catch (error) {
        expect(error).toBeInstanceOf(BadChunk);
      }
    }),
    { numRuns: 1000 },
  );
  expect(() => openPack(head, Buffer.from([0xff, 0xff, 0xff, 0x7f]), zeros)).toThrow('another number of chunks');
});
