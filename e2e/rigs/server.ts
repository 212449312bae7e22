// A server of another project as a process of a test: started, waited for, and gone with the test.
import { type SpawnOptions, spawn } from 'node:child_process';

const START_MS = 30_000;
const PRINTED_MOST_CHARACTERS = 64 * 1024;

interface ServerWanted {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly options?: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd'>;
  /** It prints this once it takes connections. */
  readonly ready: string;
}

/** Rejects with what it printed when it ends instead. You must end it. */
export async function startServer({ name, file, args, options, ready }: ServerWanted) {
  const server = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise(resolve => server.once('exit', resolve));
  const stop = () => server.kill('SIGKILL');
  process.once('exit', stop);
  try {
    await new Promise<void>((resolve, reject) => {
      let printed = '';
      const fail = (what: string) => () => reject(new Error(`${name} ${what}:\n${printed}`));
      const late = setTimeout(fail(`did not start within ${START_MS} ms`), START_MS);
      const hear = (chunk: Buffer): void => {
        if (printed.length < PRINTED_MOST_CHARACTERS) printed += chunk.toString();
        if (!printed.includes(ready)) return;
        clearTimeout(late);
        resolve();
      };
      server.stdout.on('data', hear);
      server.stderr.on('data', hear);
      server.once('error', reject);
      server.once('exit', fail('ended'));
    });
  } catch (error) {
    stop();
    throw error;
  }
  return {
    async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      process.off('exit', stop);
      server.kill(signal);
      await ended;
    },
  };
}
