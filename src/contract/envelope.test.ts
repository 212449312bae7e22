import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadFrame, decodeFrame, encodeFrame, type FrameType, frameTypes } from './envelope.ts';

const types = Object.values(frameTypes) as FrameType[];

test('a frame comes back as it was sent', () => {
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 40_000 }), (type, payload) => {
      const frame = decodeFrame(encodeFrame(type, payload));
      expect(frame.type).toBe(type);
      expect(Buffer.compare(frame.payload, payload)).toBe(0);
    }),
    { numRuns: 300 },
  );
});

test.each([0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152])(
  'a payload of %i bytes has the length its varint says',
  length => {
    const frame = decodeFrame(encodeFrame('r', new Uint8Array(length)));
    expect(frame.payload.length).toBe(length);
  },
);

test('the bytes on the wire are those of a protobuf message of three strings', () => {
  expect([...encodeFrame('r', new TextEncoder().encode('ls'))]).toEqual([
    0x0a, 1, 0x31, 0x12, 1, 0x72, 0x1a, 2, 0x6c, 0x73,
  ]);
});

test('random bytes are refused with BadFrame and nothing else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
      try {
        expect(types).toContain(decodeFrame(bytes).type);
      } catch (error) {
        expect(error).toBeInstanceOf(BadFrame);
      }
    }),
    { numRuns: 3000 },
  );
});

test('a damaged frame is refused with BadFrame or is another whole frame', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 50 }),
      fc.nat(),
      fc.integer({ min: 0, max: 255 }),
      (payload, place, value) => {
        const bytes = encodeFrame('s', payload);
        bytes[place % bytes.length] = value;
        try {
          expect(types).toContain(decodeFrame(bytes).type);
        } catch (error) {
          expect(error).toBeInstanceOf(BadFrame);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('every cut of a frame is refused', () => {
  const whole = encodeFrame('r', new TextEncoder().encode('hello'));
  // Cut right after the type it is whole, with an empty payload, as protobuf allows.
  for (let length = 0; length < whole.length; length += 1) {
    if (length === 6) expect(decodeFrame(whole.subarray(0, length)).payload.length).toBe(0);
    else expect(() => decodeFrame(whole.subarray(0, length))).toThrow(BadFrame);
  }
});

test('fields are read in any order, and unknown ones are skipped', () => {
  const frame = Uint8Array.from([0x1a, 1, 0x78, 0x20, 0x96, 1, 0x12, 1, 0x72, 0x2a, 2, 9, 9, 0x0a, 1, 0x31]);
  const { type, payload } = decodeFrame(frame);
  expect([type, ...payload]).toEqual(['r', 0x78]);
});

test.each([
  ['another version', [0x0a, 1, 0x32, 0x12, 1, 0x72]],
  ['an unknown type', [0x0a, 1, 0x31, 0x12, 1, 0x7a]],
  ['no type', [0x0a, 1, 0x31]],
  ['a fixed-width field', [0x0d, 0, 0, 0, 0]],
  ['a length past the end', [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]],
])('%s is refused', (_what, bytes) => {
  expect(() => decodeFrame(Uint8Array.from(bytes))).toThrow(BadFrame);
});
