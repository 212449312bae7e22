import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPaced } from './paced.ts';

const after = (ms: number, run: () => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what is asked for again too soon is done once, when it may be', () => {
  const done: number[] = [];
  const paced = createPaced(1000, () => void done.push(Date.now()), after);
  const from = Date.now();
  paced.run();
  vi.advanceTimersByTime(300);
  paced.run();
  paced.run();
  vi.advanceTimersByTime(699);
  expect(done.map(at => at - from)).toEqual([0]);
  vi.advanceTimersByTime(1);
  // The held one holds the next back as the first did.
  paced.run();
  vi.advanceTimersByTime(5000);
  expect(done.map(at => at - from)).toEqual([0, 1000, 2000]);
});

test('what was still to be done is not once it is stopped', () => {
  const act = vi.fn();
  const paced = createPaced(1000, act, after);
  paced.run();
  paced.run();
  paced.stop();
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledOnce();
});
