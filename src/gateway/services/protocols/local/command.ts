// A command on this machine, without a terminal: a process group of its own and two pipes, seen through the gateway's Shell.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { OutputStream, Shell, ShellExit } from '../../../ports/shell.ts';

/** A command that does not end when it is told to is killed after this, ms. */
const GOODBYE_MS = 1_000;

/** Signals that SSH has names for (RFC 4254, 6.10). */
const SIGNAL = /^(ABRT|ALRM|FPE|HUP|ILL|INT|KILL|PIPE|QUIT|SEGV|TERM|USR1|USR2)$/;

/** Starts a program in the root folder with nothing but the given environment. `reads`: also something to read. Rejects when it cannot be started. */
export async function openCommand(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  reads = false,
): Promise<Shell> {
  const child = spawn(file, [...args], { cwd: '/', env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const { stdin, stdout, stderr } = child;
  // A program that is gone, or does not read, breaks the pipe.
  stdin.on('error', () => undefined);
  if (!reads) stdin.end();
  let output: ((bytes: Uint8Array, from: OutputStream) => void) | undefined;
  let exited: ((exit: ShellExit) => void) | undefined;
  let exit: ShellExit | undefined;
  let isGone = false;
  let gone: (() => void) | undefined;
  let closing = false;
  let kill: NodeJS.Timeout | undefined;

  function signal(name: NodeJS.Signals): void {
    try {
      // The whole group: what the command has started as well.
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  child.on('exit', () => {
    isGone = true;
    gone?.();
  });
  // Told once both pipes were read to their end.
  child.on('close', (code, name) => {
    clearTimeout(kill);
    exit = { code, signal: name, error: null };
    exited?.(exit);
  });
  const each = (act: (stream: typeof stdout, from: OutputStream) => void): void => {
    act(stdout, 'stdout');
    act(stderr, 'stderr');
  };
  each((stream, from) =>
    stream
      .on('error', () => undefined)
      .on('data', (bytes: Buffer) => {
        if (!closing) output?.(bytes, from);
      })
      .pause(),
  );
  const resume = (): void => each(stream => void stream.resume());
  await once(child, 'spawn');
  return {
    write: () => undefined,
    ...(reads && {
      input: {
        write: bytes => !stdin.writable || stdin.write(bytes),
        end: () => void stdin.end(),
        onRoom: listener => void stdin.on('drain', listener),
      },
    }),
    signal(name) {
      if (!exit && SIGNAL.test(name)) signal(`SIG${name}` as NodeJS.Signals);
    },
    resize: () => undefined,
    pause: () => each(stream => void stream.pause()),
    resume,
    onOutput(listener) {
      output = listener;
      resume();
    },
    onExit(listener) {
      exited = listener;
      if (exit) queueMicrotask(() => exit && listener(exit));
    },
    onGone(listener) {
      gone = listener;
      if (isGone) listener();
    },
    // The other end is in this machine's kernel.
    roundTrip: async () => 0,
    close() {
      if (exit || closing) return;
      closing = true;
      signal('SIGTERM');
      kill = setTimeout(() => signal('SIGKILL'), GOODBYE_MS);
      // What nobody reads any more must not keep it from its end.
      each(stream => void stream.destroy());
    },
  };
}
