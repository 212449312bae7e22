import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test.each([
  ['plain-1.example.com:5432', 'plain-1.example.com:5432'],
  ['$(reboot); `x`', "'$(reboot); `x`'"],
  ["o'k", "'o'\\''k'"],
  ['', "''"],
])('no word can run anything: %j', (text, word) => expect(shellWord(text)).toBe(word));
