// A gateway on a port of its own and a person's command line beside it, for tests.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runLine } from '../../src/cli/run-line.ts';
import { openRig, PASSWORD, type Rig, type RigOptions } from '../../src/gateway/app.testing.ts';
import { type NetworkRig, openNetwork } from './network.ts';

const START = resolve(import.meta.dirname, '../../src/cli/postern.mjs');

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly error: string;
}

export interface CommandLineRig {
  readonly gateway: Rig;
  readonly network: NetworkRig;
  readonly url: string;
  readonly folder: string;
  /** The file of whoever signed in last. */
  readonly file: string;
  readonly passwordFile: string;
  signIn(user: string): Promise<void>;
  /** Runs a verb in this process; answers what it printed. `says`: what the person answers when asked; null: nobody is there. */
  run(words: readonly string[], says?: boolean | null): Promise<string>;
  /** The same as a process of its own, as npm starts it. */
  spawn(words: readonly string[], input?: string): Promise<Ran>;
  /** What a process needs to be this command line: the program, its arguments and its environment. */
  readonly program: (words: readonly string[]) => {
    readonly file: string;
    readonly args: string[];
    readonly env: Record<string, string>;
  };
  dispose(): Promise<void>;
}

export async function openCommandLine(options: RigOptions = {}): Promise<CommandLineRig> {
  const gateway = await openRig(options);
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const address = gateway.app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the gateway has no port');
  const network = await openNetwork(address.port);
  const folder = await mkdtemp(join(tmpdir(), 'postern-do-'));
  const file = join(folder, 'config', 'postern', 'session.json');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
  const url = `http://localhost:${network.port}`;

  const run: CommandLineRig['run'] = async (words, says = null) => {
    const printed: string[] = [];
    await runLine([...words, '--session-file', file], {
      print: text => void printed.push(text),
      ask: says === null ? null : async () => says,
    });
    return printed.join('\n');
  };
  const program: CommandLineRig['program'] = words => ({
    file: process.execPath,
    args: [START, ...words],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      TERM: 'xterm',
      BROWSER: 'true',
    },
  });
  return {
    gateway,
    network,
    url,
    folder,
    file,
    passwordFile,
    run,
    program,
    signIn: async user => {
      await run(['sign-in', '--url', url, '--user', user, '--password-file', passwordFile]);
    },
    spawn: (words, input = '') =>
      new Promise((done, fail) => {
        const { file: command, args, env } = program(words);
        const child = spawn(command, args, { env, stdio: 'pipe' });
        let out = '';
        let error = '';
        child.stdout.on('data', (bytes: Buffer) => {
          out += bytes.toString();
        });
        child.stderr.on('data', (bytes: Buffer) => {
          error += bytes.toString();
        });
        child.once('error', fail);
        child.once('close', status => done({ status, out, error }));
        child.stdin.end(input);
      }),
    async dispose() {
      network.dispose();
      await gateway.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
