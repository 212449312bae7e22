// What a gateway takes that nobody uses: its memory, and how soon it answers.
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { openGateway } from '../rigs/gateway.ts';
import { residentBytes } from './memory.ts';
import { median, type Row } from './row.ts';

/** Threads that have nothing to do have ended by then, and V8 has cleared up, ms. */
const SETTLE_MS = 40_000;
const STARTS = 5;

/** A server of the same framework on the same Node, with one route. */
const bare = `const app = require('fastify')(); app.get('/', async () => 'here');
app.listen({ port: 0 }).then(() => console.log('listening'));`;

async function openBare(): Promise<{ readonly pid: number; kill(): void }> {
  const child = spawn(process.execPath, ['-e', bare], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise(done => child.stdout.once('data', done));
  return { pid: child.pid ?? 0, kill: () => void child.kill('SIGKILL') };
}
const timeOf = async (run: () => Promise<unknown>): Promise<number> => {
  const before = performance.now();
  await run();
  return performance.now() - before;
};
const shown = (bytes: number, times: readonly number[]): string =>
  `${(bytes / 1e6).toFixed(0)} MB / ${(median(times) / 1000).toFixed(1)} s`;

/** A gateway as `npm start` makes it, from the second start on: the first one compiles. Ports for database clients are open. */
export async function benchRest(): Promise<readonly Row[]> {
  const gateway = await openGateway({ program: 'src/gateway/start.mjs' });
  try {
    const [times, bareTimes]: [number[], number[]] = [[], []];
    let alone = await openBare();
    for (let start = 0; start < STARTS; start += 1) {
      await gateway.kill('SIGTERM');
      alone.kill();
      times.push(await timeOf(() => gateway.start().then(() => fetch(`${gateway.directUrl}/web/config.js`))));
      bareTimes.push(await timeOf(async () => (alone = await openBare())));
    }
    await wait(SETTLE_MS);
    const [bytes, bareBytes] = await Promise.all([gateway.pid, alone.pid].map(residentBytes));
    alone.kill();
    return [
      {
        what: 'gateway at rest: memory / start to first answer, median of 5',
        target: '≤ 160 MB / 1.5 s',
        measured: shown(bytes ?? 0, times),
        reference: `Fastify alone with one route: ${shown(bareBytes ?? 0, bareTimes)}`,
      },
    ];
  } finally {
    await gateway.dispose();
  }
}
