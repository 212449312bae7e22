import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { plainText, refusedLines, refusedText, visible } from './visible-text.ts';

test.each([
  ['\u001b[31mred', 'U+001B'],
  ['a\u0007', 'U+0007'],
  ['a\u009b2J', 'U+009B'],
  ['two\nlines', 'U+000A'],
  ['abc\u202etxt.exe', 'U+202E'],
  ['a\u2066b', 'U+2066'],
  ['a\u200bb', 'U+200B'],
  ['a\u2028b', 'U+2028'],
  ['a\u{e0041}b', 'U+E0041'],
  ['a\ud800', 'U+D800'],
])('%j is refused, and the character named', (text, character) => {
  expect(refusedText(text)).toContain(`must not hold the character ${character},`);
  expect(z.safeParse(z.string().check(visible), text).error?.issues[0]?.message).toBe(refusedText(text));
});

test.each(['', 'plain', 'Ärger', '日本語', 'عربى', 'می‌خواهم', '👩‍💻', 'ß\u0301'])('%j is not', text =>
  expect(refusedText(text)).toBe(null),
);

test('several lines may have line breaks and tabs, and nothing else of the kind', () => {
  expect(refusedLines('one\n\ttwo\n')).toBe(null);
  expect(refusedLines('one\r\n')).toContain('U+000D');
  expect(refusedLines('one\n\u001b]0;x')).toContain('U+001B');
});

test('what is plainText holds nothing that a terminal obeys, and keeps its length', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(plainText(text)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      expect([...plainText(text)].length).toBe([...text].length);
    }),
  ));
