// What an open session costs the gateway in memory while nothing happens in it.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { WireShell } from '../rigs/client.ts';
import type { Row } from './row.ts';
import { type Bench, openBench } from './socket.ts';

const SESSIONS = 200;
/** Opened before the first look: what the first ones cost, all share. */
const WARM_SESSIONS = 20;
const AT_ONCE = 10;
/** A machine at rest: collectors have run and threads have settled. */
const SETTLE_MS = 3_000;

/** Memory a process holds, bytes. Linux only. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** Opens sessions, each with its prompt printed. */
async function openMany(bench: Bench, count: number, into: WireShell[]): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    const shells = await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, () => bench.open()));
    into.push(...shells);
    await Promise.all(
      shells.map(shell => {
        shell.send('echo rea""dy\r');
        return shell.until('ready');
      }),
    );
  }
}

/** The row of the speed table: growth of a gateway of its own over 200 idle recorded sessions on a real sshd. */
export async function idleSession(): Promise<Row> {
  const bench = await openBench();
  const shells: WireShell[] = [];
  try {
    await openMany(bench, WARM_SESSIONS, shells);
    await wait(SETTLE_MS);
    const before = await residentBytes(bench.gateway.pid);
    await openMany(bench, SESSIONS, shells);
    await wait(SETTLE_MS);
    const grown = (await residentBytes(bench.gateway.pid)) - before;
    return {
      what: `memory per idle recorded session at ${SESSIONS} open`,
      target: '≤ 250 kB',
      measured: `${(grown / SESSIONS / 1000).toFixed(0)} kB`,
      reference: `the gateway with ${WARM_SESSIONS} sessions: ${(before / 1e6).toFixed(0)} MB`,
    };
  } finally {
    for (const shell of shells) shell.close();
    await Promise.all(shells.map(shell => shell.closed));
    await bench.dispose();
  }
}
