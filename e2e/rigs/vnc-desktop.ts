// A real VNC desktop of a test: Xtigervnc that asks for a password, with a shell in a terminal on it. Gone when disposed.
import { execFileSync, spawn } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { answers, freeDisplay } from './desktops.ts';
import { freePort } from './gateway.ts';

const START_MS = 30_000;

export interface VncDesktop {
  /** On loopback. */
  readonly port: number;
  readonly password: string;
  readonly display: string;
  /** What stands in a file of the desktop's own folder; '' when there is none yet. */
  read(name: string): string;
  /** The screen as the server has it, to a PNG file. */
  picture(file: string): void;
  /** Width and height of the screen, as `1024x768`. */
  size(): string;
  dispose(): Promise<void>;
}

/** You must dispose it. */
export async function openVncDesktop(password = 'kept-by'): Promise<VncDesktop> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-vnc-'));
  const [port, display] = [await freePort(), await freeDisplay()];
  writeFileSync(join(folder, 'passwd'), passwordFile(password));
  const server = spawn(
    'Xtigervnc',
    [
      display,
      ...['-rfbport', String(port), '-localhost', '-nolisten', 'tcp'],
      ...['-SecurityTypes', 'VncAuth', '-PasswordFile', join(folder, 'passwd'), '-BlacklistThreshold', '1000'],
      ...['-geometry', '1024x768', '-depth', '24', '-AcceptSetDesktopSize=1'],
    ],
    { stdio: 'ignore', cwd: folder },
  );
  const env = { ...process.env, DISPLAY: display, HOME: folder, PS1: '$ ' };
  const until = Date.now() + START_MS;
  while (!(await answers(port))) {
    if (server.exitCode !== null || Date.now() > until) throw new Error('Xtigervnc did not start');
    await after(50);
  }
  const path = (name: string): string => join(folder, name);
  const shell = ['-e', 'sh', '-c', 'touch .shown; exec sh -i'];
  const terminal = spawn('xterm', ['-geometry', '100x40+0+0', ...shell], { stdio: 'ignore', cwd: folder, env });
  // Keys that are typed before its window is there go to nobody.
  while (!existsSync(path('.shown'))) {
    if (terminal.exitCode !== null || Date.now() > until) throw new Error('xterm did not start');
    await after(50);
  }
  return {
    port,
    password,
    display,
    read: name => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : ''),
    picture: file => void execFileSync('import', ['-window', 'root', file], { env, stdio: 'ignore' }),
    size: () => /dimensions:\s+(\d+x\d+)/.exec(execFileSync('xdpyinfo', { env, encoding: 'utf8' }))?.[1] ?? '',
    async dispose() {
      for (const child of [terminal, server]) {
        if (child.exitCode !== null) continue;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As vncpasswd writes it: encrypted under a key that everybody knows, its bits mirrored (TigerVNC, common/rfb/obfuscate.cxx). */
function passwordFile(password: string): Buffer {
  const known = Buffer.from('e84ad660c4721ae0', 'hex');
  const plain = Buffer.alloc(8);
  Buffer.from(password, 'latin1').copy(plain, 0, 0, 8);
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([known, known, known]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(plain), cipher.final()]);
}
