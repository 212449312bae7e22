// The inner end of worker-queue.ts: answers jobs, in a worker thread.
import { parentPort } from 'node:worker_threads';

/** Throws outside a worker thread. */
export function answerJobs<Job>(run: (job: Job) => Promise<unknown>): void {
  const port = parentPort;
  if (!port) throw new Error('this file runs as a worker thread only');
  port.on('message', ({ id, job }: { id: number; job: Job }) => {
    run(job).then(
      result => port.postMessage({ id, result }),
      (error: unknown) => port.postMessage({ id, problem: error instanceof Error ? error.message : String(error) }),
    );
  });
}
