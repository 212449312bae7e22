// A shell on this machine: a program on a pty, seen through the gateway's Shell. Nothing typed or printed is ever lost or blocks.
import { randomInt } from 'node:crypto';
import { constants } from 'node:os';
import type { OutputStream, Shell, ShellExit } from '../../../ports/shell.ts';
import type { Pty } from './pty.ts';

/** Input that the program has not taken yet; beyond it nobody is reading and memory would grow. */
const INPUT_MOST_BYTES = 16 * 1024 * 1024;
/** Between two tries to write to a full terminal: at once while it moves, then ever more seldom. */
const RETRY_MOST_MS = 50;
/** How long the last output may take to come out of a terminal that nobody pauses. */
const DRAIN_MS = 2_000;
/** A program that ignores the hang-up is killed after this. */
const GOODBYE_MS = 1_000;

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number as number, name]));

/** Takes over a pty whose program was just started. */
export function createShell(pty: Pty): Shell {
  let output: ((bytes: Uint8Array, from: OutputStream) => void) | undefined;
  let exited: ((exit: ShellExit) => void) | undefined;
  let gone: (() => void) | undefined;
  let exit: ShellExit | undefined;
  let status: Pick<ShellExit, 'code' | 'signal'> | undefined;
  let closing = false;
  let problem: string | null = null;
  let drain: ((bytes: Buffer) => void) | undefined;
  let giveUp: NodeJS.Timeout | undefined;
  let kill: NodeJS.Timeout | undefined;
  const input = createQueue(bytes => pty.write(bytes), broke);

  function finish(): void {
    if (exit || !status) return;
    exit = { ...status, error: problem };
    clearTimeout(giveUp);
    clearTimeout(kill);
    input.stop();
    pty.dispose();
    exited?.(exit);
  }
  function hangUp(): void {
    input.stop();
    pty.dispose();
    if (status) {
      finish();
      return;
    }
    signalTo('SIGHUP');
    kill ??= setTimeout(() => signalTo('SIGKILL'), GOODBYE_MS);
  }
  function signalTo(signal: NodeJS.Signals): void {
    if (status) return;
    try {
      process.kill(pty.pid, signal);
    } catch (error) {
      // It has just ended by itself; the exit is on its way.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  function broke(error: Error): void {
    if (exit || closing || status) return;
    problem = `the terminal broke: ${error.message}`;
    closing = true;
    hangUp();
  }
  function deliver(bytes: Uint8Array): void {
    if (bytes.length > 0 && !exit && !closing) output?.(bytes, 'stdout');
  }

  /**
   * The program is gone, its last output still on its way through the kernel. A mark printed behind it comes out behind it:
   * when the mark is read, so is everything else.
   */
  function startDraining(): void {
    const mark = Buffer.from(`\x1b_${Array.from({ length: 24 }, () => randomInt(10)).join('')}\x1b\\`);
    let tail: Buffer = Buffer.alloc(0);
    const printing = createQueue(
      bytes => pty.print(bytes),
      () => finish(),
    );
    drain = bytes => {
      const all = Buffer.concat([tail, bytes]);
      const at = all.indexOf(mark);
      const end = at >= 0 ? at : Math.max(0, all.length - mark.length + 1);
      tail = all.subarray(end);
      deliver(all.subarray(0, end));
      if (at >= 0) {
        printing.stop();
        finish();
      } else giveUp?.refresh();
    };
    giveUp = setTimeout(function late() {
      // Whoever pauses decides how long it takes. A terminal stopped by Ctrl-S is not waited for.
      if (pty.output.isPaused()) {
        giveUp?.refresh();
        return;
      }
      printing.stop();
      deliver(tail);
      finish();
    }, DRAIN_MS);
    printing.push(mark);
  }

  pty.output.on('data', (bytes: Buffer) => (drain ? drain(bytes) : deliver(bytes)));
  pty.output.pause();
  pty.output.on('error', broke);
  pty.output.on('close', () => {
    if (status) finish();
    else broke(new Error('it was closed'));
  });
  pty.onExit(({ exitCode, signal }) => {
    status = signal
      ? { code: null, signal: signalNames.get(signal) ?? `signal ${signal}` }
      : { code: exitCode, signal: null };
    if (closing || pty.output.destroyed) finish();
    else {
      startDraining();
      gone?.();
    }
  });

  return {
    write(bytes) {
      if (exit || closing || status) return;
      if (input.size() + bytes.length > INPUT_MOST_BYTES) {
        problem = `the program does not read its input (${INPUT_MOST_BYTES / 1_048_576} MiB are waiting)`;
        closing = true;
        hangUp();
        return;
      }
      input.push(bytes);
    },
    resize(size) {
      if (!exit && !closing) pty.resize(size);
    },
    pause() {
      pty.output.pause();
    },
    resume() {
      if (output && !exit && !closing) pty.output.resume();
    },
    onOutput(listener) {
      output = listener;
      if (!exit && !closing) pty.output.resume();
    },
    onExit(listener) {
      exited = listener;
      if (exit) queueMicrotask(() => exit && listener(exit));
    },
    onGone(listener) {
      gone = listener;
      if (status) listener();
    },
    // The other end is in this machine's kernel.
    roundTrip: () => (exit || closing ? Promise.reject(new Error('the session has ended')) : Promise.resolve(0)),
    close() {
      if (exit || closing) return;
      closing = true;
      hangUp();
    },
  };
}

interface Queue {
  push(bytes: Uint8Array): void;
  /** Bytes not written yet. */
  size(): number;
  stop(): void;
}

/** Writes in order through a function that takes what fits, trying again later for the rest. */
function createQueue(write: (bytes: Uint8Array) => number, failed: (error: Error) => void): Queue {
  const waiting: Uint8Array[] = [];
  let bytesWaiting = 0;
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let waitMs = 0;
  let stopped = false;

  function flush(): void {
    timer = undefined;
    let moved = false;
    try {
      for (let head = waiting[0]; head !== undefined && !stopped; head = waiting[0]) {
        const written = write(head);
        bytesWaiting -= written;
        moved ||= written > 0;
        if (written < head.length) {
          waiting[0] = head.subarray(written);
          break;
        }
        waiting.shift();
      }
    } catch (error) {
      stop();
      failed(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (waiting.length === 0 || stopped) return;
    waitMs = moved ? 0 : Math.min(RETRY_MOST_MS, waitMs * 2 || 1);
    timer = waitMs === 0 ? setImmediate(flush) : setTimeout(flush, waitMs);
  }
  function stop(): void {
    stopped = true;
    waiting.length = 0;
    bytesWaiting = 0;
    clearTimeout(timer as NodeJS.Timeout);
    clearImmediate(timer as NodeJS.Immediate);
  }
  return {
    push(bytes) {
      if (stopped || bytes.length === 0) return;
      waiting.push(bytes);
      bytesWaiting += bytes.length;
      if (timer === undefined) flush();
    },
    size: () => bytesWaiting,
    stop,
  };
}
