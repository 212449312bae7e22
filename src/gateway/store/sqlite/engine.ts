// The Engine over SQLite: one writer thread that commits in groups, reader threads beside it.
import type { CompiledQuery } from 'kysely';
import { Failure } from '../../../contract/failure.ts';
import { createAlone } from '../alone.ts';
import type { Answer, Engine } from '../engine.ts';
import type { Statement } from './protocol.ts';
import { openThread, type Thread, toError } from './thread.ts';

/** Batches that one group commits: more would make the first of them wait longer than a sync costs. */
const GROUP_MOST_BATCHES = 256;
/** Batches and queries that may wait. Beyond it the store says so instead of growing. */
const WAITING_MOST = 20_000;
const READERS = 2;
/** A query that reads longer than this is given up. Scanning a million audit events takes about a second. */
const READ_MS = 30_000;

interface Job {
  readonly statements: readonly Statement[];
  readonly resolve: (answers: readonly Answer[]) => void;
  readonly reject: (error: Error) => void;
}

/** Only these two fields travel: a compiled query also carries its syntax tree. */
const statement = ({ sql, parameters }: CompiledQuery): Statement => ({ sql, parameters });

/** Runs jobs on threads: whichever is free takes as many as a group may hold. Further threads start when all that run are busy. */
function createThreadPool(open: () => Thread, groupMost: number, threadsMost: number) {
  const threads: Thread[] = [open()];
  const free = [...threads];
  const take = (): Thread | undefined => {
    if (free.length > 0 || threads.length >= threadsMost) return free.pop();
    const another = open();
    threads.push(another);
    return another;
  };
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
      await Promise.all(threads.map(thread => thread.close()));
    },
  };
}

/** Opens the threads over a file whose schema is already right. You must close it. */
export function openSqliteEngine(file: string, readMs = READ_MS): Engine {
  const readers = createThreadPool(() => openThread(new URL('./reader.ts', import.meta.url), file, readMs), 1, READERS);
  const writer = createThreadPool(
    () => openThread(new URL('./writer.ts', import.meta.url), file, null),
    GROUP_MOST_BATCHES,
    1,
  );
  return {
    dialect: 'sqlite',
    async read<Row>(query: CompiledQuery<Row>) {
      const [answer] = await readers.add([query]);
      return (answer?.rows ?? []) as readonly Row[];
    },
    async write<Row>(query: CompiledQuery<Row>) {
      const [answer] = await writer.add([query]);
      return (answer ?? { rows: [], changes: 0 }) as Answer<Row>;
    },
    batch: queries => writer.add(queries),
    // The folder's lock keeps other processes out all the time.
    alone: createAlone(async () => async () => {}),
    waiting: () => ({ reader: readers.waiting(), writer: writer.waiting() }),
    async close() {
      await readers.close();
      await writer.close();
    },
  };
}
