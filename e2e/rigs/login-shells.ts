// Tests open shells of the account that runs them and kill some while they start. Where its profile calls pyenv, such a shell leaves
// pyenv's lock behind, and every shell after it waits a minute for it (PYENV_REHASH_TIMEOUT). Shells that live hold it far shorter.
import { rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const LOCK = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'shims/.pyenv-shim');
const LOOK_MS = 1_000;
const LEFT_BEHIND_MS = 5_000;

async function removeLeftBehind(): Promise<void> {
  const lock = await stat(LOCK).catch(() => undefined);
  if (lock && Date.now() - lock.mtimeMs > LEFT_BEHIND_MS) await rm(LOCK, { force: true });
}

/** For the whole run, removes pyenv's lock once it is older than 5 s. Answers what ends that. */
export default async function setup(): Promise<() => void> {
  await removeLeftBehind();
  const clock = setInterval(() => void removeLeftBehind(), LOOK_MS);
  return () => clearInterval(clock);
}
