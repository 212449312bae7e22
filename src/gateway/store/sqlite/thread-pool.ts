// The threads of one kind over a database file: jobs go to whichever is free.
import type { CompiledQuery } from 'kysely';
import { Failure } from '../../../contract/failure.ts';
import type { Answer } from '../engine.ts';
import type { Statement } from './protocol.ts';
import { type Thread, toError } from './thread.ts';

/** Batches and queries that may wait. Beyond it the store says so instead of growing. */
const WAITING_MOST = 20_000;
/** A thread costs some 15 MB: those that were not needed for so long go, ms; the first stays. */
const IDLE_MS = 10_000;
/** Starting one takes about a tenth of a second: short jobs that come together are sooner done one after another, ms. */
const WAIT_MS = 50;

interface Job {
  readonly statements: readonly Statement[];
  readonly resolve: (answers: readonly Answer[]) => void;
  readonly reject: (error: Error) => void;
}

/** Only these two fields travel: a compiled query also carries its syntax tree. */
const statement = ({ sql, parameters }: CompiledQuery): Statement => ({ sql, parameters });

/** Runs jobs on threads: whichever is free takes as many as a group may hold. Further threads start while jobs wait, and end idle. */
export function createThreadPool(open: () => Thread, groupMost: number, threadsMost: number) {
  const threads: Thread[] = [open()];
  const free = [...threads];
  /** Most threads that were busy at once since the last look. */
  let busiest = 0;
  let looking: NodeJS.Timeout | null = null;
  let starting: NodeJS.Timeout | null = null;
  function startAnother(): void {
    const another = open();
    threads.push(another);
    free.push(another);
    looking ??= setTimeout(look, IDLE_MS).unref();
  }
  const take = (): Thread | undefined => {
    if (threads.length === 0) startAnother();
    if (free.length === 0 && threads.length < threadsMost)
      starting ??= setTimeout(() => {
        starting = null;
        if (jobs.length === 0) return;
        if (free.length === 0 && threads.length < threadsMost) startAnother();
        pump();
      }, WAIT_MS);
    const thread = free.pop();
    busiest = Math.max(busiest, threads.length - free.length);
    return thread;
  };
  function look(): void {
    for (const idle of free.splice(0, threads.length - Math.max(1, busiest))) {
      threads.splice(threads.indexOf(idle), 1);
      void idle.close();
    }
    busiest = threads.length - free.length;
    looking = threads.length > 1 ? setTimeout(look, IDLE_MS).unref() : null;
  }
  const jobs: Job[] = [];
  let idle: (() => void) | null = null;
  let scheduled = false;
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    // After the events that are being handled now: their writes then share one group.
    setImmediate(() => {
      scheduled = false;
      pump();
    });
  };
  const pump = (): void => {
    while (jobs.length > 0) {
      const thread = take();
      if (!thread) return;
      void run(thread, jobs.splice(0, groupMost));
    }
    if (free.length === threads.length) idle?.();
  };
  const run = async (thread: Thread, group: readonly Job[]): Promise<void> => {
    try {
      const outcomes = await thread.send(group.map(job => job.statements));
      for (const [index, job] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome?.kind === 'done') job.resolve(outcome.answers);
        else job.reject(outcome ? toError(outcome) : new Error('the store thread answered too little'));
      }
    } catch (error) {
      for (const job of group) job.reject(error as Error);
    }
    // A thread that died is replaced by the next job that needs one.
    if (thread.alive()) free.push(thread);
    else threads.splice(threads.indexOf(thread), 1);
    schedule();
  };
  return {
    add: (queries: readonly CompiledQuery[]): Promise<readonly Answer[]> =>
      new Promise((resolve, reject) => {
        if (jobs.length >= WAITING_MOST) return reject(new Failure('unavailable', 'The store has too much to do'));
        jobs.push({ statements: queries.map(statement), resolve, reject });
        schedule();
      }),
    waiting: () => jobs.length,
    /** Waits for what was asked before, then ends the threads. */
    close: async (): Promise<void> => {
      await new Promise<void>(resolve => {
        idle = resolve;
        schedule();
      });
      if (looking) clearTimeout(looking);
      if (starting) clearTimeout(starting);
      await Promise.all(threads.map(thread => thread.close()));
    },
  };
}
