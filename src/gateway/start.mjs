// Starts the gateway, or with --command the command line, on a Node that can: this file itself runs on Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const words = process.argv.slice(2);
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
    process.stderr.write(
      `Postern needs Node ${LEAST_NODE.join('.')} or later; this is ${process.versions.node}, and node_modules/.bin/node is missing: run "npm ci" first.\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', error => {
    process.stderr.write(`Postern: ${node} could not be started: ${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

async function run() {
  const file = join(here, command ? 'command-line/index.ts' : 'main.ts');
  process.argv = [process.argv[0], file, ...words];
  const asksOnly = words.some(word => word === '--help' || word === '-h' || word === '--version');
  if (!command && !asksOnly && stale()) build();
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

function build() {
  process.stdout.write('Building the console; this happens once, and again when its sources change.\n');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status, stdout } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}Postern: the console could not be built.\n`);
  process.exit(1);
}
