import { CompiledQuery } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import type { Thread } from './thread.ts';
import { createThreadPool } from './thread-pool.ts';

afterEach(() => vi.useRealTimers());

/** Threads that answer when they are told to. */
function pool(most: number) {
  const open = new Set<Thread>();
  const answers: (() => void)[] = [];
  const threads = createThreadPool(
    () => {
      const thread: Thread = {
        send: group =>
          new Promise(done => answers.push(() => done(group.map(() => ({ kind: 'done' as const, answers: [] }))))),
        alive: () => true,
        close: async () => void open.delete(thread),
      };
      open.add(thread);
      return thread;
    },
    1,
    most,
  );
  const ask = (): Promise<unknown> => threads.add([CompiledQuery.raw('select 1')]);
  return { open, answers, ask, threads };
}

test('jobs that come together and take no time are done one after another, by one thread', async () => {
  vi.useFakeTimers();
  const { open, answers, ask, threads } = pool(2);
  const asked = [ask(), ask(), ask()];
  for (const _job of asked) {
    await vi.advanceTimersByTimeAsync(1);
    expect([open.size, answers.length]).toEqual([1, 1]);
    answers.pop()?.();
  }
  await Promise.all(asked);
  await vi.advanceTimersByTimeAsync(1000);
  expect(open.size).toBe(1);
  const closed = threads.close();
  await vi.advanceTimersByTimeAsync(1);
  await closed;
});

test('a second thread starts when a job waits for the first, ends when it was not needed for a while, and starts again', async () => {
  vi.useFakeTimers();
  const { open, answers, ask, threads } = pool(2);
  const both = async (): Promise<void> => {
    const asked = [ask(), ask()];
    await vi.advanceTimersByTimeAsync(100);
    expect([open.size, answers.length]).toEqual([2, 2]);
    for (const answer of answers.splice(0)) answer();
    await Promise.all(asked);
  };
  await both();
  // It has been needed since the last look; from then on one is enough.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(open.size).toBe(2);
  const one = ask();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(open.size).toBe(1);
  answers.pop()?.();
  await one;
  await both();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(open.size).toBe(1);
  const closed = threads.close();
  await vi.advanceTimersByTimeAsync(1);
  await closed;
  expect(open.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
