import { expect, test } from 'vitest';
import { createEscape } from './escape.ts';

const typing = (...pieces: string[]) => {
  const without = createEscape();
  return pieces.map(piece => {
    const passed = without(Buffer.from(piece));
    return passed === null ? null : Buffer.from(passed).toString();
  });
};
test.each([
  [['~.'], [null]],
  [
    ['ls\r', '~', '.'],
    ['ls\r', '', null],
  ],
  [['ls\r~~.'], ['ls\r~.']],
  [
    ['a~.', '\r~x', '~.'],
    ['a~.', '\r~x', '~.'],
  ],
  [
    ['~\r', '~.'],
    ['~\r', null],
  ],
])('%j passes %j: ~. leaves after Enter only', (pieces, passed) => expect(typing(...pieces)).toEqual(passed));
