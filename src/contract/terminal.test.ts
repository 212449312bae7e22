import { expect, test } from 'vitest';
import { endText, readEnd } from './terminal.ts';

test.each([
  { code: 0, signal: null },
  { code: 7, signal: null },
  { code: 255, signal: null },
  { code: null, signal: 'SIGKILL' },
])('how a program ended is read back from what is said of it: %j', end => expect(readEnd(endText(end))).toEqual(end));

test('what is said of another end is no status', () => {
  expect(readEnd('The session was ended by ada.')).toBeNull();
  expect(readEnd('The program ended with 7. So did others.')).toBeNull();
});
