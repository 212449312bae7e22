import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRetries } from './retries.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what fails is tried again, ever more rarely but at least once a minute, until it works', async () => {
  const reports: string[] = [];
  const retries = createRetries(problem => reports.push(problem));
  const began = Date.now();
  const tries: number[] = [];
  const done = retries.until('the end', async failures => {
    tries.push((Date.now() - began) / 1000);
    if (failures < 9) throw new Error('ENOSPC');
  });
  await vi.runAllTimersAsync();
  expect(await done).toBe(true);
  expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  expect(reports).toEqual(['the end could not be written yet']);
});

test('closing tries what waits once more, at once, and gives up', async () => {
  const retries = createRetries(() => undefined);
  let broken = true;
  let tries = 0;
  const attempt = async () => {
    tries += 1;
    if (broken) throw new Error('ENOSPC');
  };
  const given = retries.until('the end', attempt);
  await vi.advanceTimersByTimeAsync(0);
  retries.close();
  expect([await given, tries]).toEqual([false, 2]);
  broken = false;
  expect(await retries.until('another', attempt)).toBe(true);
});
