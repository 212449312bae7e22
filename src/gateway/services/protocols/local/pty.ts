// What we use of node-pty beyond its public face, all in one place. Three things in it do not suit a gateway (each was seen):
// its writes block the whole process while a program does not read; 200 ms after the exit it throws away what was not read yet;
// and its end of file comes before the last bytes unless somebody holds the other side open.
// Its version is pinned; pty.test.ts fails when a field used here is gone.
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type IPty, spawn } from '@lydell/node-pty';
import type { Size } from '../../../ports/shell.ts';

interface Engine {
  readonly _socket: Socket;
  readonly fd: number;
  readonly ptsName: string;
  _emittedClose: boolean;
}

export interface Pty {
  readonly pid: number;
  /** Reading side. Ends only when it is destroyed. */
  readonly output: Socket;
  /** Writes what fits now; answers how many bytes did. Never blocks. Throws when the terminal is gone. */
  write(bytes: Uint8Array): number;
  /** Writes to the program's side, as if the program had printed it; answers how many bytes fitted. */
  print(bytes: Uint8Array): number;
  resize(size: Size): void;
  /** Told once, as soon as the program is gone; its last output may not have been read yet. */
  onExit(listener: (exit: { readonly exitCode: number; readonly signal?: number }) => void): void;
  dispose(): void;
}

/** Fields of node-pty used here that this terminal does not have; empty when all are there. */
export function missingFields(terminal: IPty): readonly string[] {
  const engine = terminal as unknown as Partial<Engine>;
  const present: Readonly<Record<string, boolean>> = {
    _socket: typeof engine._socket?.destroy === 'function' && typeof engine._socket.pause === 'function',
    fd: typeof engine.fd === 'number' && engine.fd > 2,
    ptsName: typeof engine.ptsName === 'string' && engine.ptsName.startsWith('/dev/'),
    _emittedClose: engine._emittedClose === false,
  };
  return Object.keys(present).filter(field => !present[field]);
}

/** Writes what the kernel takes now. */
function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
    throw error;
  }
}

/** Starts a program on a new terminal, in the root folder and with nothing but the given environment. You must dispose it. */
export function openPty(file: string, args: readonly string[], env: Record<string, string>, size: Size): Pty {
  const terminal = spawn(file, [...args], { cols: size.cols, rows: size.rows, cwd: '/', env, encoding: null });
  const missing = missingFields(terminal);
  if (missing.length > 0) {
    terminal.kill('SIGKILL');
    throw new Error(`node-pty has no ${missing.join(', ')}`);
  }
  const engine = terminal as unknown as Engine;
  // Makes it tell the exit at once and leave the socket to us.
  engine._emittedClose = true;
  const output = engine._socket;
  output.pause();
  const held = openSync(engine.ptsName, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  let open = true;
  return {
    pid: terminal.pid,
    output,
    write: bytes => (open && !output.destroyed ? writeSome(engine.fd, bytes) : bytes.length),
    print: bytes => (open ? writeSome(held, bytes) : bytes.length),
    resize({ cols, rows }) {
      if (open && !output.destroyed) terminal.resize(cols, rows);
    },
    onExit(listener) {
      terminal.onExit(listener);
    },
    dispose() {
      if (!open) return;
      open = false;
      output.destroy();
      closeSync(held);
    },
  };
}
