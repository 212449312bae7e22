// The command line in a real terminal: a pty with `sh` around the command, which then says how the terminal was left.
import { spawn } from '@lydell/node-pty';
import { expect, vi } from 'vitest';
import type { CommandLineRig } from './command-line.ts';

/** Real processes: half a minute is for a machine that is busy with other things. */
export const soon = { timeout: 30_000, interval: 20 };
/** Lines are edited and echoed again. */
export const asBefore = expect.stringMatching(/(?:^|[\s;])icanon\b[\s\S]*\secho\b/);

export interface CommandTerminal {
  printed(): string;
  until(text: string): Promise<void>;
  type(text: string): void;
  resize(cols: number, rows: number): void;
  /** Kills the command line itself. */
  kill(signal: NodeJS.Signals): void;
  /** The exit status of the command, and what `stty` said of the terminal then. */
  readonly left: Promise<{ readonly status: number; readonly modes: string }>;
}

/** Starts a line of the command line in a terminal of its own. */
export function startInTerminal(
  rig: Pick<CommandLineRig, 'program' | 'folder'>,
  words: readonly string[],
): CommandTerminal {
  const { file, args, env } = rig.program(words);
  const line = [file, ...args].map(word => `'${word}'`).join(' ');
  const script = `${line} & child=$!; echo "pid $child."; fg >/dev/null; code=$?; echo "status $code"; stty -a`;
  const terminal = spawn('bash', ['-mc', script], { cols: 91, rows: 33, cwd: rig.folder, env });
  let printed = '';
  terminal.onData(text => {
    printed += text;
  });
  const ended = new Promise<void>(done => terminal.onExit(() => done()));
  const until = (text: string): Promise<void> => vi.waitFor(() => expect(printed).toContain(text), soon);
  return {
    printed: () => printed,
    until,
    type: text => terminal.write(text),
    resize: (cols, rows) => terminal.resize(cols, rows),
    kill: signal => void process.kill(Number(/pid (\d+)\./.exec(printed)?.[1]), signal),
    left: ended.then(() => {
      const [, status, modes = ''] = /status (\d+)\s+([\s\S]*)$/.exec(printed) ?? [];
      return { status: Number(status), modes };
    }),
  };
}
