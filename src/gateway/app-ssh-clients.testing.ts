// A gateway in memory with an SSH port, a real sshd behind it, and people who come with OpenSSH's own client.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { openSshd } from '../../e2e/rigs/sshd.ts';
import { type Browser, openRig, type Rig, type RigOptions } from './app.testing.ts';
import { createLocalConnector } from './services/protocols/local/connector.ts';
import { createAuthority } from './services/protocols/ssh/authority.ts';
import { createSshConnector } from './services/protocols/ssh/connector.ts';
import { createDirectReach } from './services/reach/direct.ts';
import { roleResource } from './services/rights/source.ts';

/** Whom servers let in, and whom this machine runs its tests as. */
export const login = userInfo().username;

export interface Ran {
  readonly out: string;
  readonly error: string;
  readonly status: number | null;
}
interface Given {
  readonly input?: string | Buffer;
  readonly env?: Record<string, string>;
}
export interface ClientsRig {
  readonly rig: Rig;
  /** Has the preset role `access`. */
  readonly alice: Browser;
  /** Of the gateway's SSH. */
  readonly port: number;
  readonly serverId: string;
  /** Key of the authority whose certificates the server lets in. */
  readonly ca: KeyObject;
  /** A path in the folder that the clients run in. */
  place(...names: string[]): string;
  /** Gets somebody a certificate for a new key, as `postern sign-in` does, in files of that name. */
  certify(by: Browser, name: string): Promise<string>;
  /** Adds a person with one role, `spec` being what it says below `spec:`, and gets them a certificate. */
  addPerson(name: string, spec: string): Promise<Browser>;
  optionsOf(who: string): string[];
  /** Words of `ssh` before the host. */
  ways(who?: string): string[];
  hostOf(server?: string, as?: string, person?: string): string;
  start(program: string, words: readonly string[], env?: Record<string, string>): ChildProcess;
  run(program: string, words: readonly string[], given?: Given): Promise<Ran>;
  ssh(words: readonly string[], given?: Given, who?: string): Promise<Ran>;
  eventsWith(code: string): Promise<readonly Record<string, unknown>[]>;
  dispose(): Promise<void>;
}

/** You must dispose it. */
export async function openClientsRig(options: RigOptions = {}): Promise<ClientsRig> {
  const ca = generateKeyPairSync('ed25519').privateKey;
  const authority = createAuthority(ca, 'test');
  const folder = mkdtempSync(join(tmpdir(), 'postern-clients-'));
  const place = (...names: string[]): string => join(folder, ...names);
  const started: ChildProcess[] = [];
  writeFileSync(place('there-Xauthority'), '');
  const sshd = await openSshd({
    trustedUserCa: authority.trustedUserCaLine(),
    config: [
      'AcceptEnv *',
      'AllowTcpForwarding yes',
      'AllowAgentForwarding yes',
      'X11Forwarding yes',
      `SetEnv XAUTHORITY=${place('there-Xauthority')}`,
    ],
  });
  const audit = { emit: async () => undefined };
  const rig = await openRig({
    ...options,
    sshClients: {
      ssh: createSshConnector({ reach: createDirectReach(), authority, audit }),
      local: createLocalConnector(),
    },
  });
  await rig.addUser('alice', ['access'], [login]);
  const serverId = await rig.addServer('db-3');
  const server = await rig.store.resources.get('node', serverId);
  if (!server) throw new Error('no server');
  await rig.store.resources.put({
    ...server,
    address: `127.0.0.1:${sshd.port}`,
    spec: { ...(server.spec as object), hostKeys: [sshd.hostKey] },
  });
  const alice = await rig.signIn('alice');
  const { json } = await alice.call('GET', '/v1/webapi/sites/here/ssh');
  const access = json as { hostKey: string; address: { port: number } };
  const { port } = access.address;
  writeFileSync(place('known_hosts'), `[127.0.0.1]:${port} ${access.hostKey}\n`);
  await certify(alice, 'alice');

  async function certify(by: Browser, name: string): Promise<string> {
    rmSync(place(name), { force: true });
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', place(name)]);
    const publicKey = readFileSync(place(`${name}.pub`), 'utf8').trim();
    const { status, json } = await by.call('POST', '/v1/webapi/sites/here/ssh/certificate', { publicKey });
    if (status !== 200) throw new Error(`no certificate for ${name}: ${status}`);
    const { certificate } = json as { certificate: string };
    writeFileSync(place(`${name}-cert.pub`), `${certificate}\n`);
    return certificate;
  }
  const optionsOf = (who: string): string[] =>
    Object.entries({
      IdentityFile: place(who),
      CertificateFile: place(`${who}-cert.pub`),
      IdentitiesOnly: 'yes',
      IdentityAgent: 'none',
      BatchMode: 'yes',
      StrictHostKeyChecking: 'yes',
      UserKnownHostsFile: place('known_hosts'),
      SendEnv: 'LC_*',
    }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  function start(program: string, words: readonly string[], env: Record<string, string> = {}): ChildProcess {
    const child = spawn(program, words, { env: { PATH: process.env.PATH, HOME: folder, ...env } });
    started.push(child);
    return child;
  }
  async function run(program: string, words: readonly string[], { input = '', env = {} }: Given = {}): Promise<Ran> {
    const child = start(program, words, env);
    const out: Buffer[] = [];
    const error: Buffer[] = [];
    child.stdout?.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr?.on('data', (bytes: Buffer) => error.push(bytes));
    child.stdin?.on('error', () => undefined).end(input);
    const [status] = (await once(child, 'close')) as [number | null];
    return { out: Buffer.concat(out).toString('latin1'), error: Buffer.concat(error).toString(), status };
  }
  const ways = (who = 'alice'): string[] => ['-F', '/dev/null', '-p', String(port), ...optionsOf(who)];
  return {
    ...{ rig, alice, port, serverId, ca, place, certify, optionsOf, ways, start, run },
    async addPerson(name, spec) {
      await rig.store.resources.create(
        roleResource(`kind: role\nversion: v7\nmetadata: {name: role-of-${name}}\nspec: ${spec}\n`),
      );
      await rig.addUser(name, [`role-of-${name}`]);
      const browser = await rig.signIn(name);
      await certify(browser, name);
      return browser;
    },
    hostOf: (server = 'db-3', as = login, person = 'alice') => `${person}:${as}@${server}@127.0.0.1`,
    ssh: (words, given, who) => run('ssh', [...ways(who), ...words], given),
    async eventsWith(code) {
      const span = { from: new Date(0), to: new Date(Date.now() + 60_000), limit: 1000, types: [], descending: false };
      return (await rig.store.events.search(span)).events.map(({ raw }) => raw).filter(raw => raw.code === code);
    },
    async dispose() {
      for (const child of started) child.kill('SIGKILL');
      await rig.dispose();
      await sshd.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
