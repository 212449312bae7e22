// The command line as a process. Exit codes: 0 done, 1 refused or failed, 2 mistyped; a shell ends with its own.
import { createInterface } from 'node:readline/promises';
import { ApiError, Failure } from '../contract/failure.ts';
import { complain, plainLines, print } from './output.ts';
import { runLine } from './run-line.ts';
import { Refused, type Surface, UsageError } from './verb.ts';

const surface: Surface = {
  print,
  ask: process.stdin.isTTY && process.stdout.isTTY ? ask : null,
  untilEnded: () =>
    new Promise(done => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
    }),
};

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${plainLines(question)} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

/** What went wrong, on standard error, and its exit code. */
function explain(error: unknown): number {
  complain(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) return 2;
  if (error instanceof Refused) return error.status ?? 1;
  const expected = error instanceof Failure || error instanceof ApiError;
  if (!expected && process.env.POSTERN_DEV_TRACE && error instanceof Error) complain(error.stack ?? '');
  return 1;
}

// Whoever reads the output has seen enough, as `head` does: nobody needs to be told.
process.stdout.on('error', error => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
  process.exit(0);
});
try {
  process.exitCode = await runLine(process.argv.slice(2), surface);
} catch (error) {
  process.exitCode = explain(error);
}
