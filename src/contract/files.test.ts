import { expect, test } from 'vitest';
import { encodedText } from './call.ts';
import { shownName } from './files.ts';

test('a name is shown without what would end its line, turn its order or be no text', () => {
  expect(shownName('a\nb\u202egnp.exe \u2066x\u2028 \udcff\u0085 ünï🚀')).toBe(
    String.raw`a\x0ab\u202egnp.exe \u2066x\u2028 \xff\x85 ünï🚀`,
  );
});

test('in an address each byte that is no text stands as itself', () =>
  expect(encodedText('a b\udcff/ü\ud800')).toBe('a%20b%FF%2F%C3%BC%EF%BF%BD'));
