// FreeRDP's shadow of a screen, which lets in by NLA alone whoever proves a password. Gone when disposed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { md4 } from '../../src/gateway/services/protocols/desktops/rdp/old-ciphers.ts';
import { answers, freeDisplay } from './desktops.ts';
import { freePort } from './gateway.ts';

const START_MS = 30_000;

export interface Shadow {
  /** On loopback. */
  readonly port: number;
  dispose(): Promise<void>;
}

/** You must dispose it. */
export async function openShadow(user: string, password: string): Promise<Shadow> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-shadow-'));
  const [port, vnc, display] = [await freePort(), await freePort(), await freeDisplay()];
  // user:domain:LM:NT
  const hash = md4(Buffer.from(password, 'utf16le')).toString('hex');
  writeFileSync(join(folder, 'sam'), `${user}:::${hash}:::\n`);
  const env = { ...process.env, HOME: folder, DISPLAY: display };
  const ends: (() => Promise<void>)[] = [];
  async function start(at: number, file: string, args: readonly string[]): Promise<void> {
    const child = spawn(file, args, { stdio: 'ignore', cwd: folder, env });
    const ended = once(child, 'exit');
    ends.push(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const until = Date.now() + START_MS;
    while (!(await answers(at))) {
      if (child.exitCode !== null || Date.now() > until) throw new Error(`${file} did not start`);
      await after(50);
    }
  }
  const dispose = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const screen = ['-rfbport', String(vnc), '-localhost', '-SecurityTypes', 'None', '-geometry', '800x600'];
    await start(vnc, 'Xtigervnc', [display, ...screen]);
    const file = `/sam-file:${join(folder, 'sam')}`;
    await start(port, 'freerdp-shadow-cli', [`/port:${port}`, '/sec:nla', '/bind-address:127.0.0.1', '+auth', file]);
    return { port, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
