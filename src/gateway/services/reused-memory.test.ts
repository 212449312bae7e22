import { expect, test } from 'vitest';
import { freeNow } from './reused-memory.ts';

test('a large piece that has its memory to itself is freed at once, but for a few bytes around it', () => {
  const whole = Buffer.allocUnsafeSlow(100_000);
  const payload = whole.subarray(14, 99_990);
  freeNow(payload);
  expect([payload.length, whole.length]).toEqual([0, 0]);
});

test('what shares its memory with another piece, and what is small, is left alone', () => {
  const read = Buffer.allocUnsafeSlow(100_000);
  freeNow(read.subarray(0, 60_000));
  const key = Buffer.from('l');
  freeNow(key);
  expect([read.length, key.toString()]).toEqual([100_000, 'l']);
});
