// `npm run postern -- …`: verbs for whoever has the gateway's own user account. Exit codes: 0 done, 1 refused or failed, 2 mistyped.
import { homedir, hostname } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { Failure } from '../contract/failure.ts';
import { ConfigurationError, readConfiguration } from '../gateway/services/configuration/configuration.ts';
import { readBytes } from '../gateway/services/configuration/read-file.ts';
import { packageVersion } from '../gateway/version.ts';
import { openGateway } from './machine/gateway.ts';
import { commandHelp, readCommand } from './machine/read.ts';
import { isPersonVerb } from './person/verbs.ts';
import { Refused, type Surface, UsageError } from './verb.ts';

const ending = new AbortController();
const surface: Surface = {
  ended: ending.signal,
  print: text => void process.stdout.write(`${text}\n`),
  ask: process.stdin.isTTY && process.stdout.isTTY ? ask : null,
};

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

async function main(argv: readonly string[]): Promise<void> {
  if (isPersonVerb(argv[0])) {
    // Whoever reads the output has seen enough, as `head` does: nobody needs to be told.
    process.stdout.on('error', error => {
      if (!('code' in error) || error.code !== 'EPIPE') throw error;
      process.exit(0);
    });
    // Loaded only now: these verbs speak the web API, the others know nothing of it.
    const { runPersonVerb } = await import('./person/run.ts');
    process.exitCode = await runPersonVerb(argv, surface);
    return;
  }
  if (argv.length === 0 || argv.includes('--help') || argv.includes('-h'))
    return surface.print(commandHelp().trimEnd());
  if (argv.includes('--version')) return surface.print(packageVersion());
  const { verb, typed, settings } = readCommand(argv);
  const configuration = readConfiguration({
    argv: settings,
    env: process.env,
    readFile: readBytes,
    home: homedir(),
    hostname: hostname(),
  });
  const gateway = await openGateway(configuration);
  // Other verbs end as any program does.
  if (typed.has('--watch'))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  try {
    await verb.run(typed, gateway, surface);
  } finally {
    await gateway.close();
  }
}

/** What went wrong, on standard error, and its exit code. */
function explain(error: unknown): number {
  const lines =
    error instanceof ConfigurationError
      ? error.problems
      : (error instanceof Error ? error.message : String(error)).split('\n');
  process.stderr.write(lines.map(line => `postern: ${line}\n`).join(''));
  if (error instanceof UsageError || error instanceof ConfigurationError) return 2;
  if (
    !(error instanceof Refused) &&
    !(error instanceof Failure) &&
    process.env.POSTERN_DEV_TRACE &&
    error instanceof Error
  )
    process.stderr.write(`${error.stack}\n`);
  return 1;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = explain(error);
}
