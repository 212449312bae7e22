// Reads a file of the configuration from disk.
import { readFileSync } from 'node:fs';

/** Null when there is no such file. Throws when it is there and cannot be read. */
export function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}
