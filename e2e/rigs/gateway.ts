// A real gateway process on a free port with its data in a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type NetworkRig, openNetwork } from './network.ts';

const root = resolve(import.meta.dirname, '../..');

export interface GatewayRig {
  readonly url: string;
  /** Its own address, with no network rig in between: for measuring. */
  readonly directUrl: string;
  /** Between everyone and the gateway. */
  readonly network: NetworkRig;
  readonly folder: string;
  /** The one-time link for the first administrator, '' once there is a user. */
  invite(): string;
  /** All that the process printed so far. */
  output(): string;
  readonly pid: number;
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Starts again on the same folder and port. */
  start(): Promise<void>;
  /** Runs `npm run postern -- …` against it; answers its standard output. Throws with its error output when it fails. */
  command(...words: readonly string[]): Promise<string>;
  dispose(): Promise<void>;
}

/** A port that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? done(address.port) : fail(new Error('no port'))));
    });
  });
}

/** Environment of a person's shell, without what this test run was started with. */
const environment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  LANG: 'C.UTF-8',
  XDG_RUNTIME_DIR: folder,
  XDG_CONFIG_HOME: join(folder, 'config'),
});

export interface GatewayOptions {
  readonly flags?: readonly string[];
  readonly nodeFlags?: readonly string[];
  /** A data folder that is copied first; the copy belongs to this gateway alone. */
  readonly copyOf?: string;
  /** What Node runs, from the root of the project; absent: the gateway itself, without looking whether its console is built. */
  readonly program?: string;
}

/** Starts a gateway and waits until it says where it listens. Throws with its output when it ends or stays silent for 40 s. */
export async function openGateway(options: GatewayOptions = {}): Promise<GatewayRig> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-gateway-'));
  if (options.copyOf !== undefined) await cp(options.copyOf, folder, { recursive: true });
  const port = await freePort();
  const network = await openNetwork(port);
  const url = `http://localhost:${network.port}`;
  let child: ChildProcess;
  let printed = '';

  async function start(): Promise<void> {
    printed = '';
    child = spawn(
      process.execPath,
      [
        ...(options.nodeFlags ?? []),
        join(root, options.program ?? 'src/gateway/main.ts'),
        '--data',
        folder,
        '--listen',
        `127.0.0.1:${port}`,
        '--public-url',
        url,
        ...(options.flags ?? []),
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment(folder) },
    );
    await new Promise<void>((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`the gateway said nothing for 40 s:\n${printed}`)), 40_000);
      const listen = (bytes: Buffer) => {
        printed += bytes.toString();
        if (printed.includes(url)) {
          clearTimeout(timer);
          done();
        }
      };
      child.stdout?.on('data', listen);
      child.stderr?.on('data', (bytes: Buffer) => {
        printed += bytes.toString();
      });
      child.once('exit', code => {
        clearTimeout(timer);
        fail(new Error(`the gateway ended with ${code}:\n${printed}`));
      });
    });
  }

  function kill(signal: NodeJS.Signals): Promise<number | null> {
    return new Promise(done => {
      if (child.exitCode !== null || child.signalCode !== null) return done(child.exitCode);
      child.once('exit', code => done(code));
      child.kill(signal);
    });
  }

  await start();
  return {
    url,
    directUrl: `http://127.0.0.1:${port}`,
    network,
    folder,
    invite: () => /http:\/\/\S+\/web\/invite\/\S+/.exec(printed)?.[0] ?? '',
    output: () => printed,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    start,
    command: (...words) =>
      new Promise((done, fail) => {
        const run = spawn(process.execPath, [join(root, 'src/cli/postern.mjs'), '--data', folder, ...words], {
          cwd: root,
          env: environment(folder),
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let out = '';
        let err = '';
        run.stdout.on('data', (bytes: Buffer) => {
          out += bytes.toString();
        });
        run.stderr.on('data', (bytes: Buffer) => {
          err += bytes.toString();
        });
        run.once('error', fail);
        run.once('close', code =>
          code === 0 ? done(out) : fail(new Error(`postern ${words.join(' ')} ended with ${code}:\n${err}${out}`)),
        );
      }),
    dispose: async () => {
      await kill('SIGKILL');
      network.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
