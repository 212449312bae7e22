import { expect, test } from 'vitest';
import { wordsFilter } from './words.ts';

test.each([
  ['', 'anything', true],
  ['  DB prod ', 'db-3 prod', true],
  ['prod db', 'db-3 prod', true],
  ['db stage', 'db-3 prod', false],
])('%j finds %j: %s', (search, text, found) => expect(wordsFilter(search)(text)).toBe(found));
