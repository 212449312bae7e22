// Many machines at one gateway, each with a tunnel that nobody uses: what they cost, and when all are back after a restart.
import { readFileSync } from 'node:fs';
import ssh2, { type Client } from 'ssh2';
import type { ReachRig } from './reach-rig.ts';
import type { Row } from './row.ts';

const TUNNELS = 2000;
/** Machines that join, and dial, at once. */
const AT_ONCE = 20;
/** As the script dials again, ms. */
const AGAIN_MS = 1000;
/** Blob of an Ed25519 public key (RFC 8709). */
const PUBLIC_KEY_BYTES = 51;

interface Machine {
  readonly key: string;
  readonly path: string;
}

/** Resident memory of the gateway once it has had time to collect what it needs no more, bytes. */
async function residentBytes({ gateway }: ReachRig): Promise<number> {
  await new Promise(done => setTimeout(done, 3000));
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}
async function inBatches<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await act(item);
    }),
  );
}

/** The engine leaves out bytes of some public keys, which no other end takes then: those are made anew. */
function keyPair(): { readonly private: string; readonly public: string } {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    if (Buffer.from(pair.public.split(' ')[1] ?? '', 'base64').length === PUBLIC_KEY_BYTES) return pair;
  }
}

/** As the script joins: a key of its own, and a name of its own. */
async function join(rig: ReachRig, token: string, at: number): Promise<Machine> {
  const { private: key, public: tunnelKey } = keyPair();
  const { hostKey } = rig.sshd;
  const body = new URLSearchParams({ role: 'Node', name: `idle-${at}`, tunnelKey, hostKey, listen: '127.0.0.1:22' });
  const answer = await fetch(`${rig.gateway.url}/scripts/${token}/join`, { method: 'POST', body });
  const said = await answer.text();
  const path = /^forward (\S+) /m.exec(said)?.[1];
  if (path === undefined) throw new Error(`joining failed: ${said}`);
  return { key, path };
}

export async function benchIdleTunnels(rig: ReachRig): Promise<readonly Row[]> {
  const { id: token } = await rig.token();
  const machines: Machine[] = [];
  await inBatches([...Array(TUNNELS).keys()], async at => void machines.push(await join(rig, token, at)));
  const before = await residentBytes(rig);
  const open = new Set<Client>();
  let isOver = false;
  let up = 0;
  let told = (): void => undefined;
  const dial = ({ key, path }: Machine): Promise<void> =>
    new Promise(done => {
      const client = new ssh2.Client();
      open.add(client);
      let isUp = false;
      client.on('ready', () =>
        client.openssh_forwardInStreamLocal(path, error => {
          if (error) return void client.end();
          isUp = true;
          up += 1;
          told();
          done();
        }),
      );
      client.on('error', () => undefined);
      client.on('close', () => {
        open.delete(client);
        if (isUp) up -= 1;
        if (!isOver) setTimeout(() => void dial({ key, path }).then(done), AGAIN_MS);
      });
      client.connect({
        host: '127.0.0.1',
        port: rig.sshPort,
        username: 'tunnel',
        privateKey: key,
        readyTimeout: 60_000,
        // Otherwise it asks only what calls itself OpenSSH for a socket's path.
        strictVendor: false,
      });
    });
  await inBatches(machines, dial);
  const after = await residentBytes(rig);
  await rig.gateway.kill('SIGKILL');
  const began = performance.now();
  const all = new Promise<void>(done => {
    told = () => up === TUNNELS && done();
  });
  await rig.gateway.start();
  const startedS = (performance.now() - began) / 1000;
  await all;
  const backS = (performance.now() - began) / 1000;
  isOver = true;
  for (const client of open) client.end();
  return [
    {
      what: `${TUNNELS} idle tunnels on one gateway: memory each`,
      target: '≤ 60 kB',
      measured: `${((after - before) / TUNNELS / 1000).toFixed(0)} kB`,
      reference: `without them: ${(before / 1_000_000).toFixed(0)} MB`,
    },
    {
      what: 'all of them back after the gateway was killed',
      target: '≤ 20 s',
      measured: `${backS.toFixed(1)} s`,
      reference: `its start: ${startedS.toFixed(1)} s`,
    },
  ];
}
