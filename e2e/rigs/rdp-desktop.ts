// A real RDP desktop of a test: xrdp (TLS only) with xorgxrdp and its channels, and a shell in a terminal on it. It is logged in to without a
// session manager, which would need accounts of this machine: what xrdp was told of the login stands in its log. Gone when disposed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { answers, freeDisplay } from './desktops.ts';
import { freePort } from './gateway.ts';

const START_MS = 30_000;
const SOCKETS = '/run/xrdp/sockdir';

export interface RdpDesktop {
  /** On loopback. */
  readonly port: number;
  readonly display: string;
  /** What stands in a file of the desktop's own folder; '' when there is none yet. */
  read(name: string): string;
  /** What the server wrote of what it did. */
  log(): string;
  /** The screen as the server has it, to a PNG file. */
  picture(file: string): void;
  /** Width and height of the screen, as `1024x768`. */
  size(): string;
  /** The server comes back with another certificate. */
  changeCertificate(): Promise<void>;
  dispose(): Promise<void>;
}

/** You must dispose it. */
export async function openRdpDesktop(): Promise<RdpDesktop> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-rdp-'));
  const path = (name: string): string => join(folder, name);
  const read = (name: string): string => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '');
  const [port, display] = [await freePort(), await freeDisplay()];
  const number = display.slice(1);
  const env = { ...process.env, DISPLAY: display, HOME: folder, PS1: '$ ', XRDP_SOCKET_PATH: SOCKETS };
  const running: ChildProcess[] = [];
  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  const dispose = async (): Promise<void> => {
    for (const child of running.splice(0).reverse()) await end(child);
    // The channels mount a drive there as they start, where the machine lets them.
    if (readFileSync('/proc/mounts', 'utf8').includes(path('thinclient_drives')))
      execFileSync('umount', ['-l', path('thinclient_drives')]);
    for (const name of existsSync(SOCKETS) ? readdirSync(SOCKETS) : [])
      if (name.endsWith(`_${number}`)) rmSync(join(SOCKETS, name), { force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  async function start(file: string, args: readonly string[], isThere: () => boolean | Promise<boolean>) {
    const child = spawn(file, args, { stdio: 'ignore', cwd: folder, env });
    running.push(child);
    const until = Date.now() + START_MS;
    while (!(await isThere())) {
      if (child.exitCode !== null || Date.now() > until) throw new Error(`${file} did not start`);
      await after(50);
    }
    return child;
  }
  const certify = (): void => {
    const files = ['-keyout', path('key.pem'), '-out', path('cert.pem')];
    const how = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=desk'];
    execFileSync('openssl', [...how, ...files], { stdio: 'ignore' });
  };
  const serve = () => start('/usr/sbin/xrdp', ['--nodaemon', '-c', path('xrdp.ini')], () => answers(port));
  try {
    mkdirSync(SOCKETS, { recursive: true, mode: 0o3777 });
    certify();
    writeFileSync(path('xrdp.ini'), settings(path, port, number));
    const log = ['-logfile', path('xorg.log')];
    await start(
      '/usr/lib/xorg/Xorg',
      [display, '-config', 'xrdp/xorg.conf', '-noreset', '-nolisten', 'tcp', ...log],
      () => existsSync(`${SOCKETS}/xrdp_display_${number}`) && existsSync(`/tmp/.X11-unix/X${number}`),
    );
    await start('/usr/sbin/xrdp-chansrv', [], () => existsSync(`${SOCKETS}/xrdp_chansrv_socket_${number}`));
    // What is selected goes to the clipboard, and is pasted from there.
    const clipboard = ['-xrm', 'XTerm*selectToClipboard: true'];
    // Keys that are typed before its window is there go to nobody.
    const shell = ['-e', 'sh', '-c', 'touch .shown; exec sh -i'];
    await start('xterm', [...clipboard, '-geometry', '100x40+0+0', ...shell], () => existsSync(path('.shown')));
    let server = await serve();
    return {
      port,
      display,
      read,
      log: () => read('xrdp.log'),
      picture: file => void execFileSync('import', ['-window', 'root', file], { env, stdio: 'ignore' }),
      size: () => /dimensions:\s+(\d+x\d+)/.exec(execFileSync('xdpyinfo', { env, encoding: 'utf8' }))?.[1] ?? '',
      async changeCertificate() {
        await end(server);
        certify();
        server = await serve();
      },
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

const settings = (path: (name: string) => string, port: number, number: string): string => `[Globals]
ini_version=1
fork=true
port=tcp://127.0.0.1:${port}
security_layer=tls
certificate=${path('cert.pem')}
key_file=${path('key.pem')}
crypt_level=high
max_bpp=32
use_fastpath=both
tcp_nodelay=true
bitmap_compression=true
new_cursors=true
allow_channels=true
allow_multimon=true
autorun=Xorg
[Logging]
LogFile=${path('xrdp.log')}
LogLevel=DEBUG
EnableSyslog=false
[Channels]
rdpdr=false
rdpsnd=false
drdynvc=true
cliprdr=true
rail=false
xrdpvr=false
[Xorg]
name=Xorg
lib=libxup.so
username=ask
password=ask
ip=127.0.0.1
port=${SOCKETS}/xrdp_display_${number}
chansrvport=${SOCKETS}/xrdp_chansrv_socket_${number}
code=20
`;
