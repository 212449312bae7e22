// A real OpenSSH server on a free port of this machine, with its files in a folder of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  access,
  appendFile,
  constants,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './gateway.ts';

const run = promisify(execFile);
const START_MS = 10_000;
const LOG_MOST_CHARACTERS = 1_000_000;

export interface SshdOptions {
  /** The line of the authority whose user certificates are let in. */
  readonly trustedUserCa: string;
  readonly hostKeyType?: 'ed25519' | 'ecdsa' | 'rsa';
  readonly port?: number;
  /** Private host key to use instead of a new one. */
  readonly hostKeyFile?: string;
  /** Further lines of sshd_config, in place of the rig's own. */
  readonly config?: readonly string[];
}

export interface SshdRig {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** One-line public key that is shown now. */
  readonly hostKey: string;
  readonly fingerprint: string;
  readonly folder: string;
  /** Everything sshd said so far. */
  log(): string;
  /** A new host key of the same kind, shown from the next connection on. */
  rotateHostKey(): Promise<void>;
  /** Cuts every connection; new ones are still let in. */
  cut(): Promise<void>;
  /** The host goes down: nothing listens and every connection is cut. */
  stop(): Promise<void>;
  /** And comes back on the same port. */
  start(): Promise<void>;
  /** Key and certificate files with which the native `ssh` of this machine gets in too. */
  nativeIdentity(login: string): Promise<{ readonly keyFile: string; readonly certificateFile: string }>;
  dispose(): Promise<void>;
}

/** Where a program of the system is. Throws with the Debian package that brings it. */
export async function findProgram(name: string, debianPackage: string): Promise<string> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin'];
  for (const folder of folders.filter(Boolean)) {
    const path = join(folder, name);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  throw new Error(`${name} is not on this machine: install the Debian package ${debianPackage}`);
}

/** Pids of all processes that descend from one. Linux only, as this rig is. */
async function descendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // The name in brackets may hold anything; the parent is the second word after it.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent > 0) parents.set(Number(entry), parent);
  }
  const found = new Set([root]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (found.has(parent) && !found.has(pid)) grown = Boolean(found.add(pid));
    }
  }
  found.delete(root);
  return [...found];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Starts an sshd that lets in certificates of one authority and nothing else. As root any login of this machine works, else only
 * one's own. You must dispose it. Throws when sshd is missing or does not start, with what it said.
 */
export async function openSshd(options: SshdOptions): Promise<SshdRig> {
  const sshd = await findProgram('sshd', 'openssh-server');
  const keygen = await findProgram('ssh-keygen', 'openssh-client');
  const folder = await mkdtemp(join(tmpdir(), 'postern-sshd-'));
  const isRoot = userInfo().uid === 0;
  if (isRoot) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const keyFile = join(folder, 'host_key');
  const caFile = join(folder, 'trusted_user_ca');
  const nativeCa = join(folder, 'native_ca');
  const type = options.hostKeyType ?? 'ed25519';
  let port = options.port ?? (await freePort());
  let hostKey = '';
  let fingerprint = '';
  let said = '';
  let child: ChildProcess | undefined;
  /** Sessions of an sshd that ended before them. */
  const orphans: number[] = [];

  async function readHostKey(): Promise<void> {
    hostKey = (await run(keygen, ['-y', '-f', keyFile])).stdout.trim().split(/\s+/).slice(0, 2).join(' ');
    fingerprint = (await run(keygen, ['-l', '-f', keyFile])).stdout.split(' ')[1] ?? '';
  }
  async function makeHostKey(): Promise<void> {
    await rm(keyFile, { force: true });
    await run(keygen, ['-q', '-t', type, ...(type === 'rsa' ? ['-b', '2048'] : []), '-N', '', '-C', '', '-f', keyFile]);
    await readHostKey();
  }
  async function writeConfig(): Promise<void> {
    const version = Number(/OpenSSH_(\d+\.\d+)/.exec((await run('ssh', ['-V'])).stderr)?.[1] ?? 0);
    // Of two values sshd takes the first.
    const lines = [
      ...(options.config ?? []),
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${keyFile}`,
      `TrustedUserCAKeys ${caFile}`,
      'AuthorizedKeysFile none',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin prohibit-password',
      'UsePAM no',
      'StrictModes no',
      'PidFile none',
      'LogLevel VERBOSE',
      'PrintMotd no',
      'PrintLastLog no',
      'AcceptEnv LANG LC_*',
      'Subsystem sftp internal-sftp',
      'UseDNS no',
      'MaxStartups 500',
      'MaxSessions 500',
      // Since 9.8 sshd slows down addresses that fail to log in, which tests do on purpose.
      ...(version >= 9.8 ? ['PerSourcePenalties no'] : []),
    ];
    await writeFile(join(folder, 'sshd_config'), `${lines.join('\n')}\n`);
  }

  function launch(): Promise<void> {
    const server = spawn(sshd, ['-D', '-e', '-f', join(folder, 'sshd_config')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = server;
    const before = said.length;
    return new Promise((done, fail) => {
      const clock = setTimeout(
        () => fail(new Error(`sshd did not listen within ${START_MS / 1000} s:\n${said.slice(before)}`)),
        START_MS,
      );
      server.once('error', fail);
      server.once('exit', code => {
        clearTimeout(clock);
        fail(new Error(`sshd ended with ${code}:\n${said.slice(before)}`));
      });
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-LOG_MOST_CHARACTERS);
        if (!text.includes('Server listening on')) return;
        clearTimeout(clock);
        done();
      });
    });
  }
  async function cut(): Promise<void> {
    for (const pid of orphans.splice(0)) {
      // The number may have gone to another process since.
      if ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).startsWith('sshd:')) kill(pid);
    }
    if (child?.pid !== undefined) (await descendants(child.pid)).forEach(kill);
  }
  async function stop(): Promise<void> {
    await cut();
    const server = child;
    child = undefined;
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise(done => server.once('exit', done));
    // The children first: without their parent they could no longer be told from others.
    const children = await descendants(server.pid);
    server.kill('SIGKILL');
    children.forEach(kill);
    await ended;
  }
  async function start(): Promise<void> {
    await stop();
    await writeConfig();
    await launch();
  }

  try {
    if (options.hostKeyFile) {
      await copyFile(options.hostKeyFile, keyFile);
      await readHostKey();
    } else {
      await makeHostKey();
    }
    await writeFile(caFile, `${options.trustedUserCa.trim()}\n`);
    // Somebody else may take a free port between our look and sshd's bind.
    for (let left = options.port === undefined ? 3 : 0; ; left--) {
      try {
        await start();
        break;
      } catch (error) {
        if (left === 0 || !String(error).includes('Address already in use')) throw error;
        port = await freePort();
      }
    }
  } catch (error) {
    await stop();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }

  return {
    host: '127.0.0.1',
    get port() {
      return port;
    },
    get hostKey() {
      return hostKey;
    },
    get fingerprint() {
      return fingerprint;
    },
    folder,
    log: () => said,
    async rotateHostKey() {
      await makeHostKey();
      // sshd reads its host key once; connections that are open stay.
      const old = child;
      child = undefined;
      if (old?.pid !== undefined) {
        const sessions = await descendants(old.pid);
        const ended = new Promise(done => old.once('exit', done));
        old.kill('SIGTERM');
        await ended;
        orphans.push(...sessions);
      }
      await writeConfig();
      await launch();
    },
    cut,
    stop,
    start,
    async nativeIdentity(login) {
      const identity = join(folder, `native_${login.replace(/\W/g, '_')}`);
      const certificateFile = `${identity}-cert.pub`;
      if (
        await access(certificateFile).then(
          () => true,
          () => false,
        )
      )
        return { keyFile: identity, certificateFile };
      if (
        !(await access(nativeCa).then(
          () => true,
          () => false,
        ))
      ) {
        await run(keygen, ['-q', '-t', 'ed25519', '-N', '', '-C', 'native', '-f', nativeCa]);
        // sshd reads this file at every log-in.
        await appendFile(caFile, await readFile(`${nativeCa}.pub`, 'utf8'));
      }
      await run(keygen, ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', identity]);
      await run(keygen, ['-q', '-s', nativeCa, '-I', 'native', '-n', login, '-V', '-1m:+1h', `${identity}.pub`]);
      return { keyFile: identity, certificateFile };
    },
    async dispose() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
