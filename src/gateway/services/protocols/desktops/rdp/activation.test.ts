import { expect, test } from 'vitest';
import { createActivation } from './activation.ts';

/** From the server, on its own channel. */
function slow(data: readonly number[]): Buffer {
  const head = [2, 0xf0, 0x80, 0x68, 0, 5, 3, 0xeb, 0x70, data.length];
  return Buffer.from([3, 0, 0, 4 + head.length + data.length, ...head, ...data]);
}
const two = (value: number): readonly number[] => [value & 255, value >> 8];
/** Offers a screen: bitmap capabilities alone. */
function offer(width: number, height: number): Buffer {
  const bitmap = [...two(2), ...two(28), ...two(32), ...two(1), ...two(1), ...two(1), ...two(width), ...two(height)];
  const capabilities = [...two(1), ...two(0), ...bitmap, ...Array.from({ length: 28 - bitmap.length }, () => 0)];
  const rest = [...two(0x11), ...two(1002), 0, 0, 0, 0, ...two(0), ...two(capabilities.length), ...capabilities];
  return slow([...two(rest.length + 2), ...rest]);
}
/** The last message of the agreement, as xrdp sends it. */
const fontMap = slow([...Buffer.from('1a001700ee03ea03010000011a0028001a000000000003000400', 'hex')]);
const picture = (letter: number, length = 5): Buffer =>
  Buffer.concat([Buffer.from([0, length]), Buffer.alloc(length - 2, letter)]);

function passed(...pdus: readonly Buffer[]): readonly string[] {
  const names = new Map<Buffer, string>([[fontMap, 'agreed']]);
  const seen: string[] = [];
  const pass = createActivation(pdu =>
    seen.push(names.get(pdu) ?? (pdu[0] === 3 ? 'offered' : String.fromCharCode(pdu[2] ?? 0))),
  );
  for (const pdu of pdus) pass(pdu, true);
  return seen;
}
const [a, b, c] = [...'abc'].map(letter => picture(letter.charCodeAt(0))) as [Buffer, Buffer, Buffer];

test('what is drawn before a screen is agreed on comes behind the agreement, in its order', () => {
  expect(passed(a, offer(1200, 736), b, c, fontMap, a)).toEqual(['a', 'offered', 'agreed', 'b', 'c', 'a']);
});

test('what was drawn on a screen that was never agreed on is not drawn on the next', () => {
  expect(passed(offer(800, 600), a, offer(1200, 736), b, fontMap)).toEqual(['offered', 'offered', 'agreed', 'b']);
});

test('a server that draws and never agrees is not held back without end', () => {
  const many = Array.from({ length: (8 * 1024 * 1024) / 100 + 1 }, () => picture(97, 100));
  expect(passed(offer(800, 600), ...many).filter(name => name === 'a')).toHaveLength(many.length);
});
