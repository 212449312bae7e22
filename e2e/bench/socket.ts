// A whole session beside the native `ssh -tt`: sshd, a real gateway that records strictly, and a client of the wire at its socket.
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn, type WireClient, type WireShell } from '../rigs/client.ts';
import { type GatewayRig, openGateway } from '../rigs/gateway.ts';
import { openSshd, type SshdRig } from '../rigs/sshd.ts';
import { idleSession } from './memory.ts';
import { median, percentile, type Row } from './row.ts';
import { bulkCommand, echoCommand, type Line, measureBulk, measureEcho, nativeBulk, nativeEcho } from './ssh.ts';
import { openCountingShell } from './wire.ts';

const BULK_BYTES = 64 * 1024 * 1024;
const BULK_ROUNDS = 5;
const KEYS = 1_000;
const ECHO_ROUNDS = 2;
const QUIET_MS = 300;
const QUIET_TICKS = 2;

/** A gateway, a server it may log in to, and someone signed in. */
export interface Bench {
  readonly gateway: GatewayRig;
  readonly sshd: SshdRig;
  readonly client: WireClient;
  /** A new session on the server. */
  open(): Promise<WireShell>;
  dispose(): Promise<void>;
}

/** More sessions than anything here opens for its one person. */
const SESSIONS_MOST = 10_000;

/** You must dispose it. */
export async function openBench(nodeFlags: readonly string[] = []): Promise<Bench> {
  const gateway = await openGateway({ nodeFlags });
  let sshd: SshdRig | undefined;
  try {
    sshd = await openSshd({ trustedUserCa: await gateway.command('ca', 'export') });
    const user = await acceptInvite(gateway.directUrl, gateway.invite(), PASSWORD);
    const address = `${sshd.host}:${sshd.port}`;
    await gateway.command('servers', 'add', address, '--name', 'bench', '--yes');
    const client = await signIn(gateway.directUrl, user, PASSWORD);
    await allowManySessions(client, user);
    const server = sshd;
    return {
      gateway,
      sshd: server,
      client,
      open: () => client.shell({ server_id: 'bench', login: userInfo().username }),
      async dispose() {
        await gateway.dispose();
        await server.dispose();
      },
    };
  } catch (error) {
    await gateway.dispose();
    await sshd?.dispose();
    throw error;
  }
}

/** Lifts the default limit of sessions per person, who opens hundreds here, and gives what else they are allowed. */
export async function allowManySessions({ call }: WireClient, user: string, allow = ''): Promise<void> {
  const spec = `{options: {max_sessions: ${SESSIONS_MOST}}, allow: {${allow}}}`;
  const content = `kind: role\nversion: v7\nmetadata: {name: many}\nspec: ${spec}\n`;
  await call('POST', 'roles', { content });
  const { name, roles } = (await call('GET', `users/${user}`)) as { name: string; roles: string[] };
  await call('PUT', 'users', { name, roles: [...roles, 'many'] });
}

async function throughGateway<Result>(
  { gateway, client }: Bench,
  command: string,
  measure: (line: Line) => Promise<Result>,
): Promise<Result> {
  const shell = await openCountingShell(gateway.directUrl, client, { server_id: 'bench', login: userInfo().username });
  try {
    const measured = measure(shell);
    shell.write(Buffer.from(`${command}\r`));
    return await measured;
  } finally {
    await shell.close();
  }
}

/** MB/s of a pty's output on the server, as a client at the gateway's socket gets it. */
export const socketBulk = (bench: Bench, bytes: number): Promise<number> =>
  throughGateway(bench, bulkCommand(bytes), line => measureBulk(line, bytes));

/** Milliseconds from key to echo through the gateway. */
export const socketEcho = (bench: Bench, keys: number): Promise<readonly number[]> =>
  throughGateway(bench, echoCommand, line => measureEcho(line, keys));

/** Clock ticks of processor time that a process has used, 10 ms each (Linux). */
async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold anything; user and system time are the 12th and 13th words after it.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(words[11]) + Number(words[12]);
}
/** An ended session's recording is indexed in the background: nothing is measured meanwhile. */
async function untilQuiet(pid: number): Promise<void> {
  for (let before = await ticksOf(pid); ; ) {
    await wait(QUIET_MS);
    const now = await ticksOf(pid);
    if (now - before <= QUIET_TICKS) return;
    before = now;
  }
}

const ms = (value: number): string => value.toFixed(2);

/** Rows for the speed table. Takes about a minute. */
export async function benchSocket(): Promise<readonly Row[]> {
  const bench = await openBench();
  try {
    const { sshd } = bench;
    const bulk: number[] = [];
    const bulkNative: number[] = [];
    // By turns, so that a busy moment of the machine falls on both.
    for (let round = 0; round < BULK_ROUNDS; round++) {
      await untilQuiet(bench.gateway.pid);
      bulkNative.push(await nativeBulk(sshd, BULK_BYTES));
      bulk.push(await socketBulk(bench, BULK_BYTES));
    }
    const echo: number[] = [];
    const echoNative: number[] = [];
    for (let round = 0; round < ECHO_ROUNDS; round++) {
      await untilQuiet(bench.gateway.pid);
      echoNative.push(...(await nativeEcho(sshd, KEYS)));
      echo.push(...(await socketEcho(bench, KEYS)));
    }
    const [best, bestNative] = [Math.max(...bulk), Math.max(...bulkNative)];
    const pairs = median(bulk.map((rate, round) => rate / (bulkNative[round] ?? Number.NaN)));
    const added = (p: number): string => ms(percentile(echo, p) - percentile(echoNative, p));
    return [
      {
        what: 'bulk output of a pty, sshd → gateway (recording on) → socket',
        target: '≥ 0.9 × native',
        measured: `${best.toFixed(1)} MB/s (${(best / bestNative).toFixed(2)} ×; median of the pairs ${pairs.toFixed(2)} ×)`,
        reference: `ssh -tt into a pipe: ${bestNative.toFixed(1)} MB/s`,
      },
      {
        what: 'key echo added by the gateway, p50 / p99',
        target: '≤ 0.4 / 3 ms over native',
        measured: `${added(50)} / ${added(99)} ms`,
        reference: `ssh -tt: ${ms(percentile(echoNative, 50))} / ${ms(percentile(echoNative, 99))} ms; through the gateway ${ms(percentile(echo, 50))} / ${ms(percentile(echo, 99))} ms`,
      },
      await idleSession(),
    ];
  } finally {
    await bench.dispose();
  }
}
