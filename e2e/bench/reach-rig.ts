// A gateway with an SSH port, a person's certificate for it, and a server reached both directly and over a tunnel.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { MadeToken } from '../../src/contract/new-join-token.ts';
import type { Node } from '../../src/contract/nodes.ts';
import { PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn, type WireClient } from '../rigs/client.ts';
import { freePort, type GatewayRig, openGateway } from '../rigs/gateway.ts';
import { pasteLine } from '../rigs/paste.ts';
import { openSshd, type SshdRig } from '../rigs/sshd.ts';

export const login = userInfo().username;
/** What the list of servers is looked at, ms. */
const LOOK_MS = 50;

export interface ReachRig {
  readonly gateway: GatewayRig;
  readonly admin: WireClient;
  readonly sshd: SshdRig;
  readonly sshPort: number;
  /** Words of `ssh` before the host: through the gateway, or straight to the sshd. */
  readonly door: readonly string[];
  readonly native: readonly string[];
  /** Host of the door that leads to a server. */
  hostOf(server: string): string;
  token(): Promise<MadeToken & { readonly line: string }>;
  /** Lets the sshd join under a name, over a tunnel. */
  join(name: string, line: string): Promise<void>;
  /** Resolves when the server can be reached. */
  isUp(name: string): Promise<Node>;
  ssh(words: readonly string[]): ChildProcess;
  dispose(): Promise<void>;
}

/** `nodeFlags`: of the gateway. You must dispose it. */
export async function openReachRig(nodeFlags: readonly string[] = []): Promise<ReachRig> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-reach-'));
  const sshPort = await freePort();
  const limits = ['--rate-limit-burst', '1000000', '--rate-limit-per-minute', '1000000'];
  const gateway = await openGateway({ flags: ['--ssh-listen', `127.0.0.1:${sshPort}`, ...limits], nodeFlags });
  const sshd = await openSshd({ trustedUserCa: await gateway.command('ca', 'export') });
  await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  const admin = await signIn(gateway.url, 'admin', PASSWORD);
  await gateway.command('servers', 'add', `${sshd.host}:${sshd.port}`, '--name', 'direct', '--yes');
  const key = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
  const publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
  const path = `sites/${admin.cluster}/ssh`;
  const { certificate } = (await admin.call('POST', `${path}/certificate`, { publicKey })) as { certificate: string };
  writeFileSync(`${key}-cert.pub`, `${certificate}\n`);
  const { hostKey } = (await admin.call('GET', path)) as { hostKey: string };
  const known = join(folder, 'known_hosts');
  writeFileSync(known, `[127.0.0.1]:${sshPort} ${hostKey}\n[127.0.0.1]:${sshd.port} ${sshd.hostKey}\n`);
  const native = await sshd.nativeIdentity(login);
  const words = (port: number, keyFile: string, certificateFile: string): string[] => [
    ...['-F', '/dev/null', '-p', String(port), '-i', keyFile],
    ...[`CertificateFile=${certificateFile}`, `UserKnownHostsFile=${known}`].flatMap(one => ['-o', one]),
    ...['IdentitiesOnly=yes', 'IdentityAgent=none', 'BatchMode=yes', 'LogLevel=ERROR'].flatMap(one => ['-o', one]),
  ];
  const states: string[] = [];
  const flagsOf = (name: string): string[] => {
    const state = join(folder, name);
    return ['--sshd-config', join(sshd.folder, 'sshd_config'), '--state', state, '--plain', '--name', name];
  };
  async function token(): Promise<MadeToken & { readonly line: string }> {
    const made = (await admin.call('POST', 'token', { roles: ['Node'] })) as MadeToken;
    return { ...made, line: made.lines[0]?.line ?? '' };
  }
  return {
    gateway,
    admin,
    sshd,
    sshPort,
    door: words(sshPort, key, `${key}-cert.pub`),
    native: words(sshd.port, native.keyFile, native.certificateFile),
    hostOf: server => `admin:${login}@${server}@127.0.0.1`,
    token,
    async join(name, line) {
      states.push(name);
      const { status, said } = await pasteLine(line, ...flagsOf(name));
      if (status !== 0) throw new Error(`joining failed: ${said}`);
    },
    async isUp(name) {
      for (;;) {
        const asked = `sites/${admin.cluster}/nodes?search=${encodeURIComponent(name)}`;
        const { items } = (await admin.call('GET', asked)) as { items: readonly Node[] };
        const found = items.find(({ hostname, offline }) => hostname === name && offline === undefined);
        if (found) return found;
        await new Promise(done => setTimeout(done, LOOK_MS));
      }
    },
    ssh: asked => spawn('ssh', asked, { stdio: ['pipe', 'pipe', 'inherit'] }),
    async dispose() {
      for (const name of states) await pasteLine((await token()).line, ...flagsOf(name), '--uninstall');
      await gateway.dispose();
      await sshd.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
