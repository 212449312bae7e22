// Real desktops of a test: Xtigervnc, xrdp (TLS only), and FreeRDP's shadow of a screen, which asks for NLA. Gone when disposed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from './gateway.ts';

const START_MS = 30_000;

export interface DesktopsRig {
  /** Ports on loopback. */
  readonly vnc: number;
  readonly xrdp: number;
  readonly shadow: number;
  dispose(): Promise<void>;
}

/** You must dispose it. */
export async function openDesktops(): Promise<DesktopsRig> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-desktops-'));
  const ends: (() => Promise<void>)[] = [];
  const dispose = async (): Promise<void> => {
    for (const end of ends.reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  };
  async function start(port: number, file: string, args: readonly string[], env: object = {}): Promise<number> {
    const child = spawn(file, args, { stdio: 'ignore', cwd: folder, env: { ...process.env, HOME: folder, ...env } });
    const ended = once(child, 'exit');
    ends.push(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const until = Date.now() + START_MS;
    while (!(await answers(port))) {
      if (child.exitCode !== null || Date.now() > until) throw new Error(`${file} did not start on port ${port}`);
      await after(50);
    }
    return port;
  }
  try {
    const [vncPort, xrdpPort, shadowPort] = [await freePort(), await freePort(), await freePort()];
    const display = await freeDisplay();
    const vnc = await start(vncPort, 'Xtigervnc', [
      display,
      ...['-rfbport', String(vncPort), '-localhost', '-SecurityTypes', 'None', '-geometry', '800x600'],
    ]);
    const shadow = await start(
      shadowPort,
      'freerdp-shadow-cli',
      [`/port:${shadowPort}`, '/sec:nla', '/bind-address:127.0.0.1'],
      { DISPLAY: display },
    );
    const certificate = ['-subj', '/CN=desk', '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...certificate], {
      stdio: 'ignore',
    });
    mkdirSync('/run/xrdp/sockdir', { recursive: true, mode: 0o3777 });
    writeFileSync(join(folder, 'xrdp.ini'), xrdpSettings(folder, xrdpPort));
    const xrdp = await start(xrdpPort, '/usr/sbin/xrdp', ['--nodaemon', '-c', join(folder, 'xrdp.ini')]);
    return { vnc, xrdp, shadow, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

const xrdpSettings = (folder: string, port: number): string => `[Globals]
ini_version=1
fork=true
port=tcp://127.0.0.1:${port}
security_layer=negotiate
certificate=${join(folder, 'cert.pem')}
key_file=${join(folder, 'key.pem')}
crypt_level=high
autorun=Xorg
[Logging]
LogFile=${join(folder, 'xrdp.log')}
LogLevel=INFO
[Xorg]
name=Xorg
lib=libxup.so
username=ask
password=ask
ip=127.0.0.1
port=-1
code=20
`;

/** Whether somebody listens on a port of loopback. */
export function answers(port: number): Promise<boolean> {
  return new Promise(done => {
    const socket = connect(port, '127.0.0.1');
    const say = (does: boolean) => () => {
      socket.destroy();
      done(does);
    };
    socket.once('connect', say(true)).once('error', say(false));
  });
}

/** A display that nobody uses: its number is that of a TCP port nobody listens on, and as rare. */
export async function freeDisplay(): Promise<string> {
  return `:${(await freePort()) - 1024}`;
}
