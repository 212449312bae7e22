import { expect, test } from 'vitest';
import { createFairThreads } from './fair-threads.ts';

/** Threads that say what they were given, and are done when they are told. */
function rig(count: number) {
  const began: string[] = [];
  const ends = new Map<string, { done: (result: string) => void; failed: (error: Error) => void }>();
  const threads = Array.from({ length: count }, () => ({
    run(job: string) {
      began.push(job);
      return new Promise<string>((done, failed) => ends.set(job, { done, failed }));
    },
    close: async () => undefined,
  }));
  const fair = createFairThreads<string, string>(threads);
  const turn = () => new Promise(done => setImmediate(done));
  return {
    began,
    run: (job: string) => fair.run(job.slice(0, 3), job),
    async end(job: string, error?: Error) {
      if (error) ends.get(job)?.failed(error);
      else ends.get(job)?.done(`${job} done`);
      await turn();
    },
    close: () => fair.close(),
  };
}

test('nobody has more than one thread, however many are free, and turns go round', async () => {
  const { began, run, end } = rig(2);
  const all = ['ann1', 'ann2', 'ann3', 'bob1', 'bob2', 'bob3', 'eve1'].map(run);
  expect(began).toEqual(['ann1', 'bob1']);
  await end('bob1');
  await end('bob2');
  await end('eve1');
  await end('bob3');
  expect(began.slice(2)).toEqual(['bob2', 'eve1', 'bob3']);
  await end('ann1');
  await end('ann2');
  await end('ann3');
  expect(began.slice(5)).toEqual(['ann2', 'ann3']);
  expect(await Promise.all(all)).toEqual(began.map(job => `${job} done`).sort());
});

test('a job that fails gives its thread to the next', async () => {
  const { began, run, end } = rig(1);
  const failing = run('ann1');
  const next = run('bob1');
  const failed = expect(failing).rejects.toThrow('broken');
  await end('ann1', new Error('broken'));
  await failed;
  expect(began).toEqual(['ann1', 'bob1']);
  await end('bob1');
  expect(await next).toBe('bob1 done');
});

test('one person may have a thousand waiting, and others none the less for it; what waits at the end is told', async () => {
  const { began, run, close } = rig(1);
  void run('ann0');
  const waiting = Array.from({ length: 1000 }, (_, at) => run(`ann${at + 1}`).catch((error: Error) => error.message));
  await expect(run('ann-too-many')).rejects.toThrow('too many');
  const other = run('bob1').catch((error: Error) => error.message);
  expect(began).toEqual(['ann0']);
  await close();
  expect(new Set([...(await Promise.all(waiting)), await other])).toEqual(new Set(['the gateway is stopping']));
});
