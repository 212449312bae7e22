import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['2h45m', 9_900_000],
  ['30h0m0s', 108_000_000],
  ['1.5h', 5_400_000],
  ['+1h', 3_600_000],
  ['.5h', 1_800_000],
  ['5.h', 18_000_000],
  ['1h1h', 7_200_000],
  ['1500us', 2],
  ['1500\u00b5s', 2],
  ['1500\u03bcs', 2],
  ['2000000ns', 2],
  ['90ms', 90],
  ['2d', 172_800_000],
  ['0', 0],
  ['0s', 0],
])('%s is a duration', (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each([
  '',
  '1',
  'h',
  '.h',
  '+',
  '-1h',
  '1 h',
  '1H',
  '1e3s',
  '1h\n',
  '\u0663h',
  '1.2.3h',
  '++1h',
  '1h+1m',
  '2w',
  '99999999h',
])('%j is none', text => expect(parseDuration(text)).toBeUndefined());

test('a text that is long and almost a duration is refused at once', () =>
  expect(parseDuration(`${'1.'.repeat(50_000)}h${'1h'.repeat(50_000)}x`)).toBeUndefined());
