// One command on many servers through the gateway, recorded and audited on each, beside as many native `ssh` at once.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startRun } from '../../src/client/command-run.ts';
import type { Socket } from '../../src/client/terminal-ports.ts';
import { findProgram, openSshd, type SshdRig } from '../rigs/sshd.ts';
import { median, percentile, type Row } from './row.ts';
import { type Bench, openBench } from './socket.ts';

const SERVERS = 100;
const DAEMONS = 5;
const ROUNDS = 3;
/** An sshd lets in all at once who come at once, and its shells start without the rc files of whoever measures. */
const config = ['MaxStartups 200', 'SetEnv HOME=/nonexistent'];
const login = userInfo().username;
const run = promisify(execFile);

/** Milliseconds until every server has ended. Throws when one did not end with 0. */
function throughGateway({ gateway, client }: Bench): Promise<number> {
  const began = performance.now();
  const { cookie, bearer, cluster } = client;
  let failed = '';
  let ended = 0;
  return new Promise((done, fail) =>
    startRun(
      cluster,
      { command: 'uname', query: 'labels["bench"] == "run"', login, parallel: SERVERS },
      {
        token: () => bearer,
        connect: address =>
          new WebSocket(gateway.directUrl.replace('http', 'ws') + address, {
            headers: { cookie },
          } as unknown as string[]) as unknown as Socket,
        explainRefusal: async () => ({ status: 0, text: 'the socket was refused' }),
      },
      {
        hosts: () => undefined,
        began: () => undefined,
        output: () => undefined,
        prove: () => Promise.reject(new Error('no hardware key here')),
        ended({ code, error }) {
          ended += 1;
          if (code !== 0) failed ||= `${code} ${error}`;
        },
        over: why =>
          why === '' && failed === '' && ended === SERVERS
            ? done(performance.now() - began)
            : fail(new Error(`${ended} of ${SERVERS} ended: ${why || failed}`)),
      },
    ),
  );
}

/** Milliseconds until each of the native clients had ended, all of them started at once. */
async function natively(daemons: readonly SshdRig[]): Promise<readonly number[]> {
  const ssh = await findProgram('ssh', 'openssh-client');
  const ways = await Promise.all(
    daemons.map(async sshd => {
      const { keyFile, certificateFile } = await sshd.nativeIdentity(login);
      const known = join(sshd.folder, 'known_hosts');
      await writeFile(known, `[${sshd.host}]:${sshd.port} ${sshd.hostKey}\n`);
      const options = [`CertificateFile=${certificateFile}`, `UserKnownHostsFile=${known}`, 'IdentitiesOnly=yes'];
      const flags = [...options, 'BatchMode=yes', 'LogLevel=ERROR'].flatMap(option => ['-o', option]);
      return ['-F', 'none', '-i', keyFile, '-p', String(sshd.port), ...flags, `${login}@${sshd.host}`, 'uname'];
    }),
  );
  const began = performance.now();
  return Promise.all(
    Array.from({ length: SERVERS }, async (_, at) => {
      await run(ssh, ways[at % ways.length] ?? []);
      return performance.now() - began;
    }),
  );
}

/** The row of the speed table. */
export async function benchRun(): Promise<readonly Row[]> {
  const bench = await openBench();
  const daemons: SshdRig[] = [];
  try {
    const trustedUserCa = await bench.gateway.command('ca', 'export');
    for (let at = 0; at < DAEMONS; at++) daemons.push(await openSshd({ trustedUserCa, config }));
    for (let at = 0; at < SERVERS; at++) {
      const { host, port, hostKey } = daemons[at % DAEMONS] as SshdRig;
      await bench.client.call('POST', `sites/${bench.client.cluster}/nodes`, {
        subKind: 'openssh',
        hostname: `run-${at}`,
        addr: `${host}:${port}`,
        labels: [{ name: 'bench', value: 'run' }],
        hostKey,
      });
    }
    const ours: number[] = [];
    const slowest: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // The slowest tenth, by its middle.
      slowest.push(percentile(await natively(daemons), 95));
      ours.push(await throughGateway(bench));
    }
    const [measured, reference] = [median(ours), median(slowest)];
    return [
      {
        what: `run uname on ${SERVERS} servers`,
        target: '≤ 1.3 × the slowest tenth of ssh at once',
        measured: `${measured.toFixed(0)} ms (${(measured / reference).toFixed(2)} ×)`,
        reference: `ssh ${reference.toFixed(0)} ms`,
      },
    ];
  } finally {
    await bench.dispose();
    for (const sshd of daemons) await sshd.dispose();
  }
}
