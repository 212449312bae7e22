// A shell that is not opened before its session begins: until then it says nothing, and nothing can be typed into it. What is typed while it
// is being opened is its own: it reads that first.
import { Failure } from '../../../contract/failure.ts';
import { ConnectError } from '../../ports/reach.ts';
import type { Shell, ShellExit } from '../../ports/shell.ts';

/** Typing kept for a shell that is being opened, bytes: as much as a page of the console keeps for one without a connection. */
const EARLY_BYTES = 64 * 1024;

export interface AwaitedShell extends Shell {
  /** Opens it. A failure is told as its exit. */
  begin(): void;
}

export function createAwaitedShell(open: () => Promise<Shell>): AwaitedShell {
  let shell: Shell | null = null;
  let closed = false;
  let paused = false;
  let size: Parameters<Shell['resize']>[0] | null = null;
  let hear: Parameters<Shell['onOutput']>[0] = () => undefined;
  let exited: (exit: ShellExit) => void = () => undefined;
  let gone = (): void => undefined;
  let hasBegun = false;
  let early: Uint8Array[] = [];
  let earlyBytes = 0;

  function exit(how: ShellExit): void {
    closed = true;
    exited(how);
  }
  async function start(): Promise<void> {
    try {
      const opened = await open();
      shell = opened;
      opened.onOutput((bytes, from) => hear(bytes, from));
      opened.onExit(how => exit(how));
      opened.onGone(() => gone());
      if (closed) return opened.close();
      if (size) opened.resize(size);
      if (paused) opened.pause();
      for (const bytes of early) opened.write(bytes);
      early = [];
    } catch (error) {
      const why =
        error instanceof ConnectError || error instanceof Failure ? error.message : 'the session could not be started';
      if (!closed) exit({ code: null, signal: null, error: why, unopened: true });
    }
  }
  return {
    begin() {
      hasBegun = true;
      void start();
    },
    write(bytes) {
      if (shell) return shell.write(bytes);
      if (!hasBegun || closed || earlyBytes + bytes.length > EARLY_BYTES) return;
      // The caller may use its memory again once this returns.
      early.push(Uint8Array.from(bytes));
      earlyBytes += bytes.length;
    },
    resize(to) {
      size = to;
      shell?.resize(to);
    },
    pause() {
      paused = true;
      shell?.pause();
    },
    resume() {
      paused = false;
      shell?.resume();
    },
    onOutput(listener) {
      hear = listener;
    },
    onExit(listener) {
      exited = listener;
    },
    onGone(listener) {
      gone = listener;
    },
    roundTrip: async () => shell?.roundTrip() ?? Promise.reject(new Error('there is no connection to the server yet')),
    close() {
      if (shell) return shell.close();
      if (!closed) exit({ code: null, signal: 'SIGHUP', error: null });
    },
  };
}
