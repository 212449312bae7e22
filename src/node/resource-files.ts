// Resource files on disk: one file, or the YAML files of a folder; read, and watched for changes.
import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ResourceFile } from '../contract/resource-documents.ts';

/** Most files of a folder. */
const FILES_MOST = 1000;
/** Largest file, bytes. */
const FILE_MOST_BYTES = 16 * 1024 * 1024;
/** Programs write a file in several steps: what follows within this time is one change, ms. */
const SETTLE_MS = 100;

const isYaml = (name: string): boolean => /\.ya?ml$/.test(name) && !name.startsWith('.');

/** Files in order of their names. Throws Error that names the path and what is wrong with it. */
export async function readResourceFiles(paths: readonly string[]): Promise<readonly ResourceFile[]> {
  const files: ResourceFile[] = [];
  for (const path of paths) for (const name of await filesOf(path)) files.push({ name, content: await read(name) });
  return files;
}

async function filesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(error => refuse(path, error));
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter(isYaml).sort();
  if (names.length > FILES_MOST) throw new Error(`${path}: ${names.length} files: at most ${FILES_MOST}`);
  return names.map(name => join(path, name));
}

async function read(path: string): Promise<string> {
  const found = await stat(path).catch(error => refuse(path, error));
  if (!found.isFile()) throw new Error(`${path}: a file or a folder expected`);
  if (found.size > FILE_MOST_BYTES) throw new Error(`${path}: larger than ${FILE_MOST_BYTES} bytes`);
  const bytes = await readFile(path).catch(error => refuse(path, error));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${path}: it is not UTF-8 text`);
  }
}

function refuse(path: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why = error instanceof Error ? error.message : String(error);
  throw new Error(`${path}: ${code === 'ENOENT' ? 'no such file or folder' : `cannot be read: ${why}`}`);
}

/**
 * Calls `changed` after files were written, made or removed; never twice at once. You must dispose it. Watches the folder around a file,
 * since editors replace files. Throws when a path is not there.
 */
export async function openFileWatch(
  paths: readonly string[],
  changed: () => Promise<void>,
): Promise<{ dispose(): void }> {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  let over = false;
  async function run(): Promise<void> {
    timer = undefined;
    if (running) {
      again = true;
      return;
    }
    running = true;
    do {
      again = false;
      await changed();
    } while (again && !over);
    running = false;
  }
  const hear = (wanted: (name: string) => boolean) => (_event: string, name: string | null) => {
    if (over || (name !== null && !wanted(name))) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), SETTLE_MS);
  };
  const watchers: FSWatcher[] = [];
  const dispose = () => {
    over = true;
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
  try {
    for (const path of paths) {
      const folder = (await stat(path).catch(error => refuse(path, error))).isDirectory();
      // Mounted configuration is swapped by a link whose name begins with two dots.
      const swapped = (name: string) => name.startsWith('..');
      const watcher = folder
        ? watch(
            path,
            hear(name => isYaml(name) || swapped(name)),
          )
        : watch(
            dirname(path),
            hear(name => name === basename(path) || swapped(name)),
          );
      // A folder that is taken away ends the watch; what was applied stays.
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    }
  } catch (error) {
    dispose();
    throw error;
  }
  return { dispose };
}
