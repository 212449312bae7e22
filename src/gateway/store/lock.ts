// One process per data folder: the operating system holds the lock, so that it ends with the process, however that ends.
import { closeSync, existsSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { makeFolder } from './folder.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Another process uses the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  readonly folder: string;
  /** The process that holds it; null when it has not said so yet. */
  readonly pid: number | null;
  constructor(folder: string, pid: number | null) {
    super(
      `The data folder ${folder} is in use by another Postern process${pid === null ? '' : ` (pid ${pid})`}. Stop it first, or choose another folder.`,
    );
    this.folder = folder;
    this.pid = pid;
  }
}

export interface FolderLock {
  /** The folder's real path. */
  readonly folder: string;
  /** Calling it again does nothing. */
  release(): void;
}

interface Held {
  readonly database: SQLite.Database;
  holders: number;
}
/** Locks of this process: the command line locks a folder before it opens the store in it. */
const held = new Map<string, Held>();

/**
 * Locks a data folder for this process, creating it when it is missing (0700; one that is there keeps its mode: `--data /tmp` must not shut everyone out). Within one process it may be locked several times; the last
 * release frees it. An open SQLite transaction on `lock.db` is the lock; `lock.pid` only says whose it is. Throws FolderInUse, and Error with a sentence for a folder that cannot be made.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  makeFolder(folder, FOLDER_MODE);
  const path = realpathSync(folder);
  const lock = held.get(path) ?? take(path);
  held.set(path, lock);
  lock.holders++;
  let released = false;
  return {
    folder: path,
    release() {
      if (released) return;
      released = true;
      if (--lock.holders > 0) return;
      held.delete(path);
      lock.database.close();
    },
  };
}

function take(path: string): Held {
  const file = join(path, 'lock.db');
  closeSync(openSync(file, 'a', FILE_MODE));
  const database = new SQLite(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof SQLite.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new FolderInUse(path, holderOf(path));
    throw error;
  }
  writeFileSync(join(path, 'lock.pid'), `${process.pid}\n`, { mode: FILE_MODE });
  return { database, holders: 0 };
}

function holderOf(path: string): number | null {
  const file = join(path, 'lock.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').trim()) : Number.NaN;
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}
