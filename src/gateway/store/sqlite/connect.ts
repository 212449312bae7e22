// Opens a SQLite file the way every connection of the store must be set up.
import SQLite from 'better-sqlite3';

/** Waiting for another connection's lock: only start-up and checkpoints ever need it. */
const BUSY_MS = 10_000;
const CACHE_KIB = 64 * 1024;

/** WAL with synchronous=FULL: what has been acknowledged survives kill -9 and power loss. */
export function openConnection(file: string): SQLite.Database {
  const database = new SQLite(file, { timeout: BUSY_MS });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('temp_store = MEMORY');
  database.pragma(`cache_size = -${CACHE_KIB}`);
  return database;
}
