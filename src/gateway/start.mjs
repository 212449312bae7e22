// Starts the gateway on a Node that can, once its console is built: this file itself runs on Node 20.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { fail, onAbleNode, root, signals } from '../node/able-node.mjs';

await onAbleNode(fileURLToPath(import.meta.url), async () => {
  const asksOnly = process.argv.slice(2).some(word => word === '--help' || word === '-h' || word === '--version');
  if (!asksOnly && stale()) await build();
  // Modules stay where they are: that V8 gives them more and more room for what comes and goes would cost 30 MB from then on.
  setFlagsFromString('--semi-space-growth-factor=1');
  await import('./main.ts');
  setFlagsFromString('--semi-space-growth-factor=2');
});

/** Whether the built console is missing or older than what it is built from. */
function stale() {
  const built = join(root, 'dist/console/index.html');
  if (!existsSync(built)) return true;
  const since = statSync(built).mtimeMs;
  const sources = [
    'src/console',
    'src/client',
    'src/contract',
    'src/features',
    'src/manual',
    'commands',
    'vite.config.ts',
    'package-lock.json',
  ];
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
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'error'], {
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
