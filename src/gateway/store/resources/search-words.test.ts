import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test.each([
  ['', []],
  ['  \t\n ', []],
  ['Web PROD', ['web', 'prod']],
  ['web web', ['web']],
  ['"two words" three', ['two words', 'three']],
  ['a"b c"d', ['a', 'b c', 'd']],
  ['"not closed', ['not closed']],
  ['"" " " "', []],
  ['" padded "', ['padded']],
  ['"a\nb"', ['a b']],
  ['100% back\\slash', ['100%', 'back\\slash']],
  ['ÄRGER 🐘', ['ärger', '🐘']],
  ['\ud800', ['\ufffd']],
])('%j looks for %j', (search, words) => expect(searchWords(search)).toEqual(words));

test('more keywords than anyone types are refused', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
  expect(searchWords(many(32))).toHaveLength(32);
  expect(() => searchWords(many(33))).toThrow('at most 32 keywords');
});
