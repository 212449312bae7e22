// Reads a configuration file from disk.
import { readFileSync } from 'node:fs';

/** Null when there is no such file. Throws when it is there and cannot be read. */
export function readTextFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}
