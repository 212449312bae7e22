import { expect, test } from 'vitest';
import { UsageError } from '../verb.ts';
import { createEscape } from './escape.ts';
import { readWords } from './words.ts';

const read = (...argv: string[]) => readWords(argv, new Set(['yes', 'help']));

test('flags may stand anywhere, with their value after them or behind "="', () => {
  const words = read('a', '--output', 'json', '-', '--yes', '--name=x=y\nz', '-1', '--', '--to');
  expect(words.plain).toEqual(['a', '-', '-1', '--to']);
  expect(Object.fromEntries(words.flags)).toEqual({ output: 'json', yes: 'true', name: 'x=y\nz' });
});
test.each([
  [['--output'], '--output: a value is expected after it'],
  [['--yes=no'], '--yes: it stands alone, without "=no"'],
  [['--to', 'a', '--to', 'b'], '--to: given twice'],
  [['-x'], '-x: no such flag'],
])('%j is mistyped', (argv, what) => {
  expect(() => read(...argv)).toThrow(UsageError);
  expect(() => read(...argv)).toThrow(what);
});

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
