import { expect, test } from 'vitest';
import { createActivation } from './activation.ts';

/** From the server, on its own channel, or on another. */
function slow(data: readonly number[], channel = 0xeb): Buffer {
  const head = [2, 0xf0, 0x80, 0x68, 0, 5, 3, channel, 0x70, data.length];
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

test('what is said on other channels while a screen ends and another is agreed on comes behind the agreement too', () => {
  const seen: Buffer[] = [];
  const pass = createActivation(pdu => seen.push(pdu));
  const [ended, screen] = [slow([...two(6), ...two(0x16), ...two(1002)]), offer(1200, 736)];
  const synchronized = slow([
    ...Buffer.from('160017 00ee03ea03010000011a001f0000000000'.replace(' ', ''), 'hex'),
    0,
    0,
  ]);
  const drawnSlowly = slow([...Buffer.from('160017 00ee03ea03010000011a00020000000000'.replace(' ', ''), 'hex'), 0, 0]);
  // Of the clipboard: a text whose length, where the end of a screen has its kind, reads as one.
  const copied = slow([0, 0, 6, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0], 0xec);
  const all = [
    offer(900, 700),
    fontMap,
    copied,
    a,
    ended,
    copied,
    b,
    screen,
    copied,
    synchronized,
    drawnSlowly,
    c,
    fontMap,
  ];
  for (const pdu of all) pass(pdu, pdu !== copied);
  const order = [all[0], fontMap, copied, a, ended, screen, synchronized, fontMap, copied, copied, drawnSlowly, c];
  expect(seen.map(pdu => all.indexOf(pdu))).toEqual(order.map(pdu => all.indexOf(pdu as Buffer)));
});

test('a server that draws and never agrees is not held back without end', () => {
  const many = Array.from({ length: (8 * 1024 * 1024) / 100 + 1 }, () => picture(97, 100));
  expect(passed(offer(800, 600), ...many).filter(name => name === 'a')).toHaveLength(many.length);
});
