// Making folders. Node's own `recursive` never ends where the kernel refuses a name below a folder that is there, as in /proc.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a folder, and those above it that are missing. Throws Error with a sentence that names the one that cannot be made. */
export function makeFolder(folder: string, mode: number): void {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there) throw new Error(`${folder} is there already and is not a folder`);
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Somebody else was quicker.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    throw new Error(`The folder ${folder} cannot be made: ${error instanceof Error ? error.message : String(error)}`);
  }
}
