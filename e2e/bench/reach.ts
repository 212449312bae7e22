// The ways to servers: people's own ssh through the gateway beside OpenSSH's, a tunnel beside the direct way, and joining by the pasted line.
import { once } from 'node:events';
import { benchIdleTunnels } from './idle-tunnels.ts';
import { login, openReachRig, type ReachRig } from './reach-rig.ts';
import { percentile, type Row } from './row.ts';
import { echoCommand, type Line, measureEcho } from './ssh.ts';

const BULK_BYTES = 256 * 1024 * 1024;
const ROUNDS = 3;
const KEYS = 500;
const MEGABYTE = 1_000_000;

/** MB/s of a program's output through `ssh`, from its first byte to its last. */
async function bulk(rig: ReachRig, words: readonly string[]): Promise<number> {
  const child = rig.ssh([...words, `head -c ${BULK_BYTES} /dev/zero`]);
  let came = 0;
  let began = 0;
  child.stdout?.on('data', (bytes: Buffer) => {
    if (came === 0) began = performance.now();
    came += bytes.length;
  });
  const [status] = (await once(child, 'close')) as [number | null];
  if (came !== BULK_BYTES) throw new Error(`ssh ended with ${status} after ${came} bytes`);
  return BULK_BYTES / MEGABYTE / ((performance.now() - began) / 1000);
}
/** Milliseconds from key to echo in a terminal of `ssh`. */
async function echo(rig: ReachRig, words: readonly string[]): Promise<readonly number[]> {
  const child = rig.ssh(['-tt', ...words, echoCommand]);
  const line: Line = {
    write: bytes => void child.stdin?.write(bytes),
    onOutput(listener) {
      child.stdout?.removeAllListeners('data');
      child.stdout?.on('data', listener);
    },
  };
  try {
    return await measureEcho(line, KEYS);
  } finally {
    child.kill('SIGKILL');
  }
}
const best = (values: readonly number[]): number => Math.max(...values);
const rate = (value: number, reference: number): string =>
  `${value.toFixed(0)} MB/s (${(value / reference).toFixed(2)} ×)`;

async function benchDoor(rig: ReachRig): Promise<readonly Row[]> {
  // The jump takes the same way in: a bastion of OpenSSH, and from there the server.
  const jump = ['ssh', ...rig.native, '-W', '127.0.0.1:%p', `${login}@127.0.0.1`].join(' ');
  const through = ['-o', `ProxyCommand=${jump}`, ...rig.native, `${login}@127.0.0.1`];
  const rows: Row[] = [];
  for (const [what, cipher] of [
    ['with the cipher that ssh chooses', []],
    ['as `postern config ssh` has it', ['-c', 'aes128-gcm@openssh.com']],
  ] as const) {
    const ours: number[] = [];
    const native: number[] = [];
    // By turns, so that a busy moment of the machine falls on both.
    for (let round = 0; round < ROUNDS; round += 1) {
      native.push(await bulk(rig, [...cipher, ...through]));
      ours.push(await bulk(rig, [...cipher, ...rig.door, rig.hostOf('direct')]));
    }
    rows.push({
      what: `ssh through the gateway's port: bulk, recorded, ${what}`,
      target: '≥ 0.8 ×',
      measured: rate(best(ours), best(native)),
      reference: `ssh -J through an OpenSSH bastion: ${best(native).toFixed(0)} MB/s`,
    });
  }
  return rows;
}

async function benchTunnel(rig: ReachRig): Promise<readonly Row[]> {
  const { line } = await rig.token();
  const began = performance.now();
  await rig.join('tunnelled', line);
  const { id } = await rig.isUp('tunnelled');
  const shell = await rig.admin.shell({ server_id: id, login });
  shell.send('echo here-$((40+2))\n');
  await shell.until('here-42');
  const joinedS = (performance.now() - began) / 1000;
  shell.close();
  const to = (server: string) => [...rig.door, rig.hostOf(server)];
  const bulks: Record<'direct' | 'tunnelled', number[]> = { direct: [], tunnelled: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const server of ['direct', 'tunnelled'] as const) bulks[server].push(await bulk(rig, to(server)));
  const [direct, tunnelled] = [await echo(rig, to('direct')), await echo(rig, to('tunnelled'))];
  const added = (p: number): string => (percentile(tunnelled, p) - percentile(direct, p)).toFixed(2);
  return [
    {
      what: 'SSH through a tunnel: echo added, p50 / p99',
      target: '≤ 0.5 ms over direct',
      measured: `${added(50)} / ${added(99)} ms`,
      reference: `direct: ${percentile(direct, 50).toFixed(2)} / ${percentile(direct, 99).toFixed(2)} ms`,
    },
    {
      what: 'SSH through a tunnel: bulk',
      target: '≥ 0.5 ×',
      measured: rate(best(bulks.tunnelled), best(bulks.direct)),
      reference: `direct: ${best(bulks.direct).toFixed(0)} MB/s`,
    },
    {
      what: 'from the pasted line to a shell over the tunnel',
      target: '≤ 15 s',
      measured: `${joinedS.toFixed(1)} s`,
      reference: '',
    },
  ];
}

async function onRig(...parts: readonly ((rig: ReachRig) => Promise<readonly Row[]>)[]): Promise<readonly Row[]> {
  const rig = await openReachRig();
  try {
    const rows: Row[] = [];
    for (const part of parts) rows.push(...(await part(rig)));
    return rows;
  } finally {
    await rig.dispose();
  }
}
export const benchReach = (): Promise<readonly Row[]> => onRig(benchDoor, benchTunnel);
/** By itself: two thousand connections begin and end on the same machine. */
export const benchTunnelsHeld = (): Promise<readonly Row[]> => onRig(benchIdleTunnels);
