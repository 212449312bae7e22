// A real OpenSSH server whose /etc, homes and state are its own: what a script does to it as root, this machine does not see. It lives in a
// mount namespace over copies in memory, and is gone with its process. Needs root.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from './gateway.ts';
import { findProgram } from './sshd.ts';

const START_MS = 15_000;

export interface OwnMachine {
  readonly port: number;
  /** One-line public key. */
  readonly hostKey: string;
  /** Runs a line as root there. Answers what it printed; throws where it fails. */
  run(line: string): string;
  dispose(): Promise<void>;
}

/** `prepare`: a script that is run there first. You must dispose it. */
export async function openOwnMachine({
  trustedUserCa,
  prepare,
  config = ['UsePAM no'],
}: {
  readonly trustedUserCa: string;
  readonly prepare: string;
  /** Further lines of sshd_config. */
  readonly config?: readonly string[];
}): Promise<OwnMachine> {
  const sshd = await findProgram('sshd', 'openssh-server');
  const folder = mkdtempSync(join(tmpdir(), 'postern-machine-'));
  const place = (name: string): string => join(folder, name);
  const port = await freePort();
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', place('host')]);
  writeFileSync(place('ca.pub'), `${trustedUserCa}\n`);
  writeFileSync(
    place('sshd_config'),
    [
      'Include /etc/ssh/sshd_config.d/*.conf',
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${place('host')}`,
      `TrustedUserCAKeys ${place('ca.pub')}`,
      'PidFile none',
      ...config,
      'PasswordAuthentication no',
      'Subsystem sftp internal-sftp',
      '',
    ].join('\n'),
  );
  writeFileSync(place('prepare.sh'), prepare);
  writeFileSync(
    place('start.sh'),
    `set -eu
mount --make-rprivate /
mkdir ${folder}/etc
cp -a /etc/. ${folder}/etc/
mount --bind ${folder}/etc /etc
for path in /home /run /var/lib /var/log /var/mail /usr/local/lib; do mount -t tmpfs none "$path"; done
mkdir -p /run/sshd /etc/ssh/sshd_config.d
rm -f /etc/ssh/sshd_config.d/*
cp ${folder}/sshd_config /etc/ssh/sshd_config
cp ${folder}/host ${folder}/host.pub /etc/ssh/
sh ${folder}/prepare.sh > ${folder}/prepared 2>&1
exec ${sshd} -D -E ${folder}/log -f /etc/ssh/sshd_config
`,
  );
  const server = spawn('unshare', ['--mount', 'sh', place('start.sh')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const read = (name: string): string => {
    try {
      return readFileSync(place(name), 'utf8');
    } catch {
      return '';
    }
  };
  const until = Date.now() + START_MS;
  while (!(await answers(port))) {
    if (server.exitCode !== null || Date.now() > until)
      throw new Error(`the machine did not start: ${read('prepared')} ${read('log')}`);
    await after(50);
  }
  return {
    port,
    hostKey: readFileSync(place('host.pub'), 'utf8').trim(),
    run: line =>
      execFileSync('nsenter', ['--target', String(server.pid), '--mount', 'sh', '-c', line], { encoding: 'utf8' }),
    async dispose() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      // Ends of sessions may still be at work there, for a moment.
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise(done => {
    const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false));
    socket.on('connect', () => socket.destroy());
  });
