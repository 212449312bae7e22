// One at a time per key, so that what is read and then written about one name cannot be overtaken by a parallel call.
import { Failure } from '../../../contract/failure.ts';

/** Most callers that may wait for one key. */
const WAITING_MOST = 50;

export interface Turns {
  /** Runs `work` after all earlier work of the same key. Throws Failure unavailable when too many wait. */
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

export function createTurns(): Turns {
  const queues = new Map<string, { tail: Promise<unknown>; length: number }>();
  return {
    async take(key, work) {
      const queue = queues.get(key) ?? { tail: Promise.resolve(), length: 0 };
      if (queue.length >= WAITING_MOST) throw new Failure('unavailable');
      queue.length += 1;
      queues.set(key, queue);
      const mine = queue.tail.then(work);
      // The next in the queue waits for this one to finish, whatever came of it; the caller below sees the error.
      queue.tail = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        queue.length -= 1;
        if (queue.length === 0) queues.delete(key);
      }
    },
  };
}
