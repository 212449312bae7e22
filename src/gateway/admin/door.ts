// A program of its own that the command line starts: it says where the admin socket of a data folder is. When no gateway runs there, it
// serves that socket itself until its standard input ends, and holds the folder's lock as long. Its first line of output is a DoorAnswer.
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { DoorAnswer } from '../../contract/admin.ts';
import { request } from '../../node/http.ts';
import { readBytes } from '../../node/read-file.ts';
import {
  ConfigurationError,
  type GatewayConfiguration,
  readConfiguration,
} from '../services/configuration/configuration.ts';
import { isLoopback } from '../services/configuration/setting.ts';
import { adminSocket, listenOnSocket } from './socket.ts';

/** Longest wait for a gateway that holds its socket and does not answer, ms. */
const PROBE_MOST_MS = 5000;

const say = (answer: DoorAnswer): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);

/** Where the console is, for the links that are made while no gateway runs. */
const addressOf = ({ listen, tls, publicUrl }: GatewayConfiguration): string =>
  publicUrl ?? `${tls ? 'https' : 'http'}://${isLoopback(listen.host) ? 'localhost' : listen.host}:${listen.port}`;

function answers(socket: string): Promise<boolean> {
  return new Promise(done => {
    const probe = request({ socketPath: socket, path: '/ca', timeout: PROBE_MOST_MS }, response => {
      response.resume();
      done(true);
    });
    probe.on('timeout', () => probe.destroy());
    probe.on('error', () => done(false));
    probe.end();
  });
}

/** Ends when whoever started this has gone, however they went. */
function inputEnd(): Promise<void> {
  return new Promise(done => {
    process.stdin.on('end', done).on('close', done).on('error', done);
    process.stdin.resume();
  });
}

async function main(argv: readonly string[]): Promise<void> {
  const configuration = readConfiguration({
    argv,
    env: process.env,
    readFile: readBytes,
    home: homedir(),
    hostname: hostname(),
  });
  const running = adminSocket(configuration.dataFolder, process.env);
  if (await answers(running)) return say({ socket: running, running: true });
  // Loaded only now: a running gateway has all of this already.
  const [{ openCore }, { createAdmin }] = await Promise.all([import('../core.ts'), import('./admin.ts')]);
  const core = await openCore(configuration, pino({ level: 'silent' }));
  // A socket of this command alone: another one must not take it for a running gateway's.
  const folder = await mkdtemp(join(tmpdir(), 'postern-'));
  try {
    const admin = createAdmin(core, addressOf(configuration));
    const socket = join(folder, 'admin.sock');
    await listenOnSocket(admin, socket);
    say({ socket, running: false });
    await inputEnd();
    await admin.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
    await core.close();
  }
}

// Ctrl-C is for whoever started this: what was begun is finished, and the folder is freed, when the input ends.
process.on('SIGINT', () => {});
try {
  await main(process.argv.slice(2));
} catch (error) {
  const mistyped = error instanceof ConfigurationError;
  say({ mistyped, problems: mistyped ? error.problems : [error instanceof Error ? error.message : String(error)] });
  process.exitCode = 1;
}
