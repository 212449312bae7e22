// The thread that indexes recordings, so that drawing an hour of output never holds up a keystroke.
import { parentPort } from 'node:worker_threads';
import type { IndexJob } from './index-job.ts';
import { runIndexJob } from './index-job.ts';
import { openScreen } from './screen.ts';

const port = parentPort;
if (!port) throw new Error('index-worker.ts runs as a worker thread only');

port.on('message', ({ id, job }: { id: number; job: IndexJob }) => {
  runIndexJob(job, openScreen).then(
    result => port.postMessage({ id, result }),
    (error: unknown) => port.postMessage({ id, problem: error instanceof Error ? error.message : String(error) }),
  );
});
