// Sends jobs to a worker thread that is started when needed and ended when idle.
import { type Transferable, Worker } from 'node:worker_threads';

/** An idle thread costs some 30 MB: it goes after this, ms. */
const IDLE_MS = 5000;
/** Most memory one thread may take for JavaScript objects, MB. */
const HEAP_MOST_MB = 512;

const STOPPING = 'the gateway is stopping';

export interface WorkerQueue<Job, Result> {
  /** Rejects with what was wrong with the job, or with what ended the thread. What is `given` is the thread's from then on. */
  run(job: Job, given?: readonly Transferable[]): Promise<Result>;
  /** Jobs that wait or run now. */
  waiting(): number;
  /** Ends the thread; jobs under way reject. */
  close(): Promise<void>;
}

interface Waiting<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Jobs run one after another in the order they came; `script` is the thread that answers them (answer-jobs.ts). `mostMs`: a thread that is busy
 * with one job for longer is ended, ms.
 */
export function createWorkerQueue<Job, Result>(script: URL, mostMs?: number): WorkerQueue<Job, Result> {
  const waiting = new Map<number, Waiting<Result>>();
  const queue: { id: number; job: Job; given: readonly Transferable[] }[] = [];
  let worker: Worker | null = null;
  let busy = false;
  let lastId = 0;
  let running = 0;
  let idle: NodeJS.Timeout | null = null;
  let limit: NodeJS.Timeout | undefined;
  let closed = false;

  function start(): Worker {
    const started = new Worker(script, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MOST_MB },
    });
    started.unref();
    started.on('message', ({ id, result, problem }: { id: number; result?: Result; problem?: string }) => {
      clearTimeout(limit);
      busy = false;
      const one = waiting.get(id);
      waiting.delete(id);
      if (result !== undefined) one?.resolve(result);
      else one?.reject(new Error(problem ?? 'the job could not be done'));
      next();
    });
    // Its own job fails with a thread; those behind it get another one.
    const failed = (error: Error): void => {
      if (worker !== started) return;
      worker = null;
      busy = false;
      clearTimeout(limit);
      waiting.get(running)?.reject(error);
      waiting.delete(running);
      next();
    };
    started.on('error', failed);
    started.on('exit', code => failed(new Error(`a worker thread ended with ${code}`)));
    return started;
  }
  function next(): void {
    if (busy) return;
    const first = queue.shift();
    if (!first) {
      idle ??= setTimeout(() => {
        idle = null;
        if (!busy && worker) {
          const ending = worker;
          worker = null;
          void ending.terminate();
        }
      }, IDLE_MS).unref();
      return;
    }
    if (idle) clearTimeout(idle);
    idle = null;
    busy = true;
    running = first.id;
    const mine = worker ?? start();
    worker = mine;
    if (mostMs !== undefined) limit = setTimeout(() => void mine.terminate(), mostMs).unref();
    mine.postMessage({ id: first.id, job: first.job }, first.given);
  }
  return {
    run: (job, given = []) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error(STOPPING));
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        queue.push({ id: lastId, job, given });
        next();
      }),
    waiting: () => waiting.size,
    async close() {
      closed = true;
      if (idle) clearTimeout(idle);
      clearTimeout(limit);
      idle = null;
      const ending = worker;
      worker = null;
      queue.length = 0;
      for (const one of waiting.values()) one.reject(new Error(STOPPING));
      waiting.clear();
      busy = false;
      await ending?.terminate();
    },
  };
}
