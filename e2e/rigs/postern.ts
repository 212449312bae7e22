// The command line of a person beside a gateway of its own, for journeys.
import { resolve } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { expect } from './journey.ts';

const START = resolve(import.meta.dirname, '../../src/cli/postern.mjs');

interface Typed {
  printed(): string;
  until(text: string | RegExp): Promise<void>;
  /** The address that it shows. */
  link(like: RegExp): Promise<string>;
  type(text: string): void;
  readonly status: Promise<number>;
}

/** Starts a line of the command line, of somebody whose home is `folder`, in a terminal of its own. No browser opens. */
export function postern(folder: string, ...words: readonly string[]): Typed {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_CONFIG_HOME: folder, TERM: 'xterm', BROWSER: 'true' };
  const terminal = spawn(process.execPath, [START, ...words], { cols: 90, rows: 30, env });
  let printed = '';
  terminal.onData(text => {
    printed += text;
  });
  const until: Typed['until'] = text => expect.poll(() => printed, { timeout: 20_000 }).toMatch(text);
  return {
    printed: () => printed,
    until,
    async link(like) {
      await until(new RegExp(`${like.source}[\\r\\n]`));
      return like.exec(printed)?.[0] ?? '';
    },
    type: text => terminal.write(text),
    status: new Promise(done => terminal.onExit(({ exitCode }) => done(exitCode))),
  };
}
