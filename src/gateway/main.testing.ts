// For tests: gateways and command lines as processes of their own, ended after each test.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const children: ChildProcess[] = [];

/** Ends what is still running. */
export function endProcesses(): void {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
}

export interface Ran {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
  /** Resolves when the text has been printed; rejects when the process ends without it. */
  until(text: string | RegExp): Promise<void>;
}

/** Runs a file of the repository with `folder` as its home. */
export function run(folder: string, file: string, ...words: readonly string[]): Ran {
  mkdirSync(folder, { recursive: true });
  const child = spawn(process.execPath, [join(root, file), ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      // Keys of a bucket, where a test has set them.
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'))),
    },
  });
  children.push(child);
  const printed = { out: '', err: '' };
  const waiting = new Set<() => void>();
  const hear = (kind: 'out' | 'err') => (bytes: Buffer) => {
    printed[kind] += bytes.toString();
    for (const look of waiting) look();
  };
  child.stdout?.on('data', hear('out'));
  child.stderr?.on('data', hear('err'));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    out: () => printed.out,
    err: () => printed.err,
    ended,
    until: text =>
      new Promise((done, fail) => {
        const look = () => {
          const seen = printed.out + printed.err;
          if (typeof text === 'string' ? seen.includes(text) : text.test(seen)) done();
        };
        waiting.add(look);
        look();
        void ended.then(code => fail(new Error(`ended with ${code}: ${printed.out}${printed.err}`)));
      }),
  };
}

/** A gateway over a folder, on any port of loopback unless the words say where. */
export const gatewayOn = (folder: string, ...words: readonly string[]): Ran =>
  run(
    folder,
    'src/gateway/main.ts',
    '--data',
    folder,
    ...(words.includes('--listen') ? [] : ['--listen', '127.0.0.1:0']),
    ...words,
  );
export const urlIn = (ran: Ran): string =>
  /Postern is ready on (https?:\/\/localhost:\d+)\n/.exec(ran.out())?.[1] ?? '';

export const startVerb = (folder: string, ...words: readonly string[]): Ran =>
  run(folder, 'src/cli/postern.mjs', '--data', folder, ...words);

/** Runs a verb to its end. */
export async function verbOn(
  folder: string,
  ...words: readonly string[]
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const ran = startVerb(folder, ...words);
  const code = await ran.ended;
  return { code, out: ran.out(), err: ran.err() };
}
