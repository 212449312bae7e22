// How soon a lock is felt, and how soon it is known who reaches what in a large cluster.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WireShell } from '../rigs/client.ts';
import { percentile, type Row } from './row.ts';
import { type Bench, openBench } from './socket.ts';

const SESSIONS = 50;
const SERVERS = 10_000;
const USERS = 500;
const ASKED = 40;
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8wqVyGxzYFGcWWPO8cTJ4VJmHYGzmlkDYlqyGCFuaF';

/** Milliseconds from asking for a lock on a role of the bench's one user until every session and every console of the locked person has lost its socket. */
async function lockOut(bench: Bench): Promise<number> {
  const shells: WireShell[] = [];
  const consoles: { readonly closed: Promise<unknown> }[] = [];
  for (let opened = 0; opened < SESSIONS; opened++) {
    const shell = await bench.open();
    // One that is ended while it reads its startup files may leave their locks behind on this machine.
    shell.send('echo ready-$((40 + 2))\n');
    await shell.until('ready-42');
    shells.push(shell);
    consoles.push(await bench.client.changes());
  }
  const began = performance.now();
  await Promise.all([
    bench.client.call('PUT', 'sites/-current-/locks', { targets: { role: 'many' }, message: 'measured' }),
    ...[...shells, ...consoles].map(({ closed }) => closed),
  ]);
  return performance.now() - began;
}

/** The role that all users hold. */
const everyones = (logins: string): string =>
  `kind: role\nversion: v7\nmetadata: {name: everyones}\nspec: {allow: {node_labels: {zone: z0}, logins: ${logins}}}\n`;

/**
 * A cluster of many servers, none labelled like another, and of many users, each of whom holds one role that all hold and two of twenty over a
 * part of the servers.
 */
async function fill({ gateway }: Bench): Promise<void> {
  const roles = Array.from(
    { length: 20 },
    (_, at) =>
      `kind: role\nversion: v7\nmetadata: {name: team-${at}}\nspec: {allow: {node_labels: {team: 't${at}'}, logins: [root, web]}, deny: {node_labels: {closed: 'yes'}}}\n`,
  ).concat(everyones('[guest, backup]'));
  const servers = Array.from(
    { length: SERVERS },
    (_, at) =>
      `kind: node\nversion: v2\nmetadata: {name: n${at}, labels: {team: t${at % 20}, zone: z${at % 7}, serial: s${at}}}\nspec: {hostname: host-${at}, addr: '10.0.0.1:22', hostKey: ${KEY}}\n`,
  );
  const users = Array.from(
    { length: USERS },
    (_, at) =>
      `kind: user\nversion: v2\nmetadata: {name: user-${at}}\nspec: {roles: [everyones, team-${at % 20}, team-${(at + 7) % 20}]}\n`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'));
  try {
    for (const [name, documents] of Object.entries({
      roles,
      a: servers.slice(0, 5000),
      b: servers.slice(5000),
      users,
    })) {
      const file = join(folder, `${name}.yaml`);
      await writeFile(file, documents.join('---\n'));
      await gateway.command('resources', 'apply', file);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function asked({ client }: Bench, path: (at: number) => string): Promise<readonly number[]> {
  const took: number[] = [];
  for (let at = 0; at < ASKED; at++) {
    const began = performance.now();
    await client.call('GET', `sites/-current-/rights/${path(at)}`);
    took.push(performance.now() - began);
  }
  return took;
}
/** Milliseconds of each part of a dry run, in their order: the first is the first that the gateway makes. */
async function dryRun({ client }: Bench): Promise<readonly number[]> {
  const took: number[] = [];
  let startKey = '';
  do {
    const began = performance.now();
    const answer = await client.call('POST', 'roles/preview', {
      name: 'everyones',
      content: everyones('[guest]'),
      startKey,
    });
    took.push(performance.now() - began);
    ({ startKey } = answer as { startKey: string });
  } while (startKey !== '');
  return took;
}
const told = (times: readonly number[]): string =>
  `${percentile(times, 50).toFixed(0)} / ${percentile(times, 95).toFixed(0)} ms`;

/** Rows for the speed table. Takes about a minute. */
export async function benchRights(): Promise<readonly Row[]> {
  const bench = await openBench();
  try {
    await fill(bench);
    const tried = await dryRun(bench);
    const reached = await asked(bench, at => `users/user-${at * 7}`);
    const reaching = await asked(bench, at => `ssh/n${at * 97}`);
    const plain = await asked(bench, at => `explain?action=ssh&user=user-${at}&principal=root&target=n${at}`);
    const locked = await lockOut(bench);
    return [
      {
        what: `what may she reach? of ${SERVERS} servers, p50 / p95`,
        target: '≤ 300 ms',
        measured: told(reached),
        reference: `one explanation: ${told(plain)}`,
      },
      {
        what: `who may reach this? of ${USERS} users, p50 / p95`,
        target: '≤ 300 ms',
        measured: told(reaching),
        reference: `one explanation: ${told(plain)}`,
      },
      {
        what: `a dry run of a role of ${USERS} users, its parts over ${SERVERS} servers, p50 / p95`,
        target: '≤ 300 ms',
        measured: told(tried),
        reference: `the first of the gateway: ${(tried[0] ?? 0).toFixed(0)} ms; all ${tried.length}: ${tried.reduce((sum, one) => sum + one, 0).toFixed(0)} ms`,
      },
      {
        what: `a lock ends ${SESSIONS} live sessions of its target, their sockets and those of ${SESSIONS} consoles`,
        target: '≤ 1 s',
        measured: `${locked.toFixed(0)} ms`,
        reference: 'asked for over the web API of the same gateway',
      },
    ];
  } finally {
    await bench.dispose();
  }
}
