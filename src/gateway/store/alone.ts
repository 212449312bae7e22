// One at a time: what reads, decides and then writes, so that what it decided by still holds when it writes.
import { AsyncLocalStorage } from 'node:async_hooks';

/** `hold` keeps other processes out, and answers what lets them in again. */
export function createAlone(
  hold: () => Promise<() => Promise<void>>,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const inside = new AsyncLocalStorage<true>();
  let tail: Promise<unknown> = Promise.resolve();
  const held = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const release = await hold();
    try {
      return await inside.run(true, work);
    } finally {
      await release();
    }
  };
  return work => {
    // Part of one that has its turn already.
    if (inside.getStore()) return work();
    const mine = tail.then(() => held(work));
    tail = mine.catch(() => undefined);
    return mine;
  };
}
