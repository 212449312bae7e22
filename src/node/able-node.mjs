// Finds a Node that runs TypeScript as it stands: this one, or the one that came with the project. It runs on Node 20 itself.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's own folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** Runs TypeScript without a flag from here on. */
const LEAST_NODE = [22, 18];
/** What ends a program that runs for another. */
export const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];

const [major, minor] = process.versions.node.split('.').map(Number);
const able = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);

/** Calls `run` on a Node that can; on another, the same program and words once more. Signals and the exit code pass through. */
export async function onAbleNode(program, run) {
  if (!able) return again(program);
  // Compiled TypeScript is kept beside the packages: the next start is quicker. Where that cannot be written, nothing is lost.
  nodeModule.enableCompileCache?.(join(root, 'node_modules/.cache/postern'));
  return run();
}

function again(program) {
  const node = join(root, 'node_modules/.bin/node');
  if (!existsSync(node))
    fail(
      `Node ${LEAST_NODE.join('.')} or later is needed; this is ${process.versions.node}, and node_modules/.bin/node is missing: run "npm ci" first.`,
    );
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once('error', error => fail(`${node} could not be started: ${error.message}`));
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Says why nothing was started, and ends. */
export function fail(text) {
  process.stderr.write(`Postern: ${text}\n`);
  process.exit(1);
}
