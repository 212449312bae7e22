// Starts the gateway, or with --command the command line, on a Node that can: this file itself runs on Node 20.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const words = process.argv.slice(2);
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const command = words[0] === '--command';
if (command) words.shift();

/** Runs TypeScript without a flag from here on. */
const LEAST_NODE = [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);
const able = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);

if (able) await run();
else rerun();

/** The same words once more, on the Node that came with the project. Signals and the exit code pass through. */
function rerun() {
  const node = join(root, 'node_modules/.bin/node');
  if (!existsSync(node)) {
    fail(
      `Node ${LEAST_NODE.join('.')} or later is needed; this is ${process.versions.node}, and node_modules/.bin/node is missing: run "npm ci" first.`,
    );
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once('error', error => fail(`${node} could not be started: ${error.message}`));
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

async function run() {
  const file = join(here, command ? '../cli/index.ts' : 'main.ts');
  // Compiled TypeScript is kept beside the packages: the next start is quicker. Where that cannot be written, nothing is lost.
  nodeModule.enableCompileCache?.(join(root, 'node_modules/.cache/postern'));
  process.argv = [process.argv[0], file, ...words];
  const asksOnly = words.some(word => word === '--help' || word === '-h' || word === '--version');
  if (!command && !asksOnly && stale()) await build();
  await import(file);
}

/** Whether the built console is missing or older than what it is built from. */
function stale() {
  const built = join(root, 'dist/console/index.html');
  if (!existsSync(built)) return true;
  const since = statSync(built).mtimeMs;
  const sources = ['src/console', 'src/contract', 'src/features', 'commands', 'vite.config.ts', 'package-lock.json'];
  return sources.some(source => newerThan(join(root, source), since));
}

function newerThan(path, since) {
  if (!existsSync(path)) return false;
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs > since && !/\.test\.tsx?$/.test(path);
  return readdirSync(path).some(name => newerThan(join(path, name), since));
}

/** Resolves when the console is built. A signal ends the build, and nothing is started. */
function build() {
  process.stdout.write('Building the console; this happens once, and again when its sources change.\n');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', bytes => {
    said += bytes;
  });
  const stop = signal => child.kill(signal);
  for (const signal of signals) process.on(signal, stop);
  return new Promise(done => {
    child.once('error', error => fail(`the build could not be started: ${error.message}`));
    child.once('close', (status, signal) => {
      for (const one of signals) process.off(one, stop);
      if (status === 0) return done();
      if (signal === null) process.stderr.write(said);
      return fail(signal === null ? 'the console could not be built.' : 'the build was stopped.');
    });
  });
}

function fail(text) {
  process.stderr.write(`Postern: ${text}\n`);
  process.exit(1);
}
