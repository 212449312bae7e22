// Few threads for the work of many people: nobody has more than one of them at a time, and turns go round.
import type { WorkerQueue } from '../../worker-queue.ts';

/** Jobs of one person that wait; further ones are refused. */
const WAITING_MOST = 1000;

export interface FairThreads<Job, Result> {
  /** Rejects with what the thread rejects with, and where the person has too much waiting already. */
  run(person: string, job: Job): Promise<Result>;
  /** Ends the threads; what runs and what waits rejects. */
  close(): Promise<void>;
}
interface Waiting<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Promise<Result>) => void;
  readonly reject: (error: Error) => void;
}

export function createFairThreads<Job, Result>(
  threads: readonly Pick<WorkerQueue<Job, Result>, 'run' | 'close'>[],
): FairThreads<Job, Result> {
  // The one that was used last is used next: the others end when they are idle.
  const free = [...threads];
  const atWork = new Set<string>();
  /** In the order of their turns. */
  const waiting = new Map<string, Waiting<Job, Result>[]>();

  function next(): void {
    for (const [person, jobs] of waiting) {
      if (atWork.has(person)) continue;
      const thread = free.pop();
      if (!thread) return;
      const first = jobs.shift();
      // Behind the others.
      waiting.delete(person);
      if (jobs.length > 0) waiting.set(person, jobs);
      if (!first) return;
      atWork.add(person);
      const result = thread.run(first.job);
      first.resolve(result);
      const over = (): void => {
        atWork.delete(person);
        free.push(thread);
        next();
      };
      result.then(over, over);
    }
  }
  return {
    run: (person, job) =>
      new Promise((resolve, reject) => {
        const jobs = waiting.get(person) ?? [];
        if (jobs.length >= WAITING_MOST) return reject(new Error('too many statements of one person wait to be read'));
        jobs.push({ job, resolve, reject });
        waiting.set(person, jobs);
        next();
      }),
    async close() {
      const stopping = new Error('the gateway is stopping');
      for (const jobs of waiting.values()) for (const { reject } of jobs) reject(stopping);
      waiting.clear();
      for (const thread of threads) await thread.close();
    },
  };
}
