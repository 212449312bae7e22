// A worker thread seen from the gateway's thread: groups go in, outcomes come back in order.
import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../../contract/failure.ts';
import { StoreError, TOO_MUCH_WORK } from '../engine.ts';
import type { FromThread, Group, Outcome } from './protocol.ts';

export interface Thread {
  /** One group at a time: await the answer before the next. */
  send(group: Group): Promise<readonly Outcome[]>;
  /** False once it has ended, by itself or by an error. */
  alive(): boolean;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (outcomes: readonly Outcome[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Starts a thread; it opens the database on its own, and what goes wrong there rejects the first group. A group that takes longer than `limitMs`
 * is given up, and the thread with it: SQLite cannot be asked to stop from another thread.
 */
export function openThread(script: URL, file: string, limitMs: number | null): Thread {
  // Threads use the process's compile cache only when their environment names it; with it they are ready in half the time.
  const cache = getCompileCacheDir();
  const worker = new Worker(script, {
    workerData: file,
    ...(cache === undefined ? {} : { env: { ...process.env, NODE_COMPILE_CACHE: cache } }),
  });
  let waiting: Waiting | null = null;
  let dead: Error | null = null;
  let ended: (() => void) | null = null;
  let late: NodeJS.Timeout | undefined;
  const die = (error: Error): void => {
    dead ??= error;
    clearTimeout(late);
    waiting?.reject(dead);
    waiting = null;
    ended?.();
  };
  worker.on('error', error => die(new StoreError('THREAD', error.message)));
  worker.on('exit', () => die(new StoreError('CLOSED', 'the store is closed')));
  worker.on('message', (message: FromThread) => {
    if (message.kind !== 'outcomes') return;
    const current = waiting;
    waiting = null;
    clearTimeout(late);
    current?.resolve(message.outcomes);
  });
  return {
    send: group =>
      new Promise((resolve, reject) => {
        if (dead) return reject(dead);
        if (waiting) return reject(new StoreError('BUSY_THREAD', 'one group at a time'));
        waiting = { resolve, reject };
        if (limitMs !== null)
          late = setTimeout(() => {
            die(new Failure('unavailable', `The store took longer than ${limitMs} ms to answer; ask for less`));
            void worker.terminate();
          }, limitMs);
        worker.postMessage({ kind: 'group', group });
      }),
    alive: () => dead === null,
    close: () =>
      new Promise(resolve => {
        if (dead) return resolve();
        ended = resolve;
        worker.postMessage({ kind: 'close' });
      }),
  };
}

/** Turns an outcome that failed into the error that callers see. Full and unreadable disks are not the caller's fault. */
export function toError(outcome: Extract<Outcome, { kind: 'failed' }>): Error {
  if (/^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN)/.test(outcome.code))
    return new Failure('unavailable', `The store cannot be used: ${outcome.message}`);
  if (outcome.code === TOO_MUCH_WORK) return new Failure('unavailable', outcome.message);
  return new StoreError(outcome.code, outcome.message);
}
