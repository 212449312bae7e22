// Opens the store: SQLite in a data folder, or PostgreSQL by URL.
import { join } from 'node:path';
import { createAttempts } from './attempts.ts';
import { createBuilder } from './builder.ts';
import type { Engine } from './engine.ts';
import { createEvents } from './events/events.ts';
import { lockFolder } from './lock.ts';
import { migrations as steps } from './migrations/list.ts';
import type { Migration } from './migrations/migration.ts';
import { createOneTimeTokens } from './one-time-tokens.ts';
import { createPasswords } from './passwords.ts';
import { openPostgresEngine } from './postgres/engine.ts';
import { indexSubstrings, migratePostgres } from './postgres/migrate.ts';
import { createPreferences } from './preferences.ts';
import { createResources } from './resources/resources.ts';
import { createSessionPlaces } from './session-places.ts';
import { createSettings } from './settings.ts';
import { openSqliteEngine } from './sqlite/engine.ts';
import { migrateSqlite } from './sqlite/migrate.ts';
import type { Store } from './store.ts';
import { createUsers } from './users.ts';
import { createWebSessions } from './web-sessions.ts';

export type StorePlace =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface StoreOptions {
  /** Hears of what works, but worse than it could: no trigram index, a broken idle connection. */
  readonly warn?: (message: string) => void;
  /** What "now" is for resources that expire. */
  readonly clock?: () => Date;
  /** The schema's steps, when not all of those that this code knows. */
  readonly migrations?: readonly Migration[];
}

/**
 * Opens the store and brings its schema up to date. A SQLite folder is locked until the store is closed. Throws FolderInUse, NewerSchemaError,
 * StoreError, and Failure unavailable when the database cannot be reached.
 */
export async function openStore(where: StorePlace, options: StoreOptions = {}): Promise<Store> {
  const { warn = () => {}, clock = () => new Date(), migrations = steps } = options;
  if (where.kind === 'sqlite') return openSqlite(where.folder, clock, migrations);
  const engine = openPostgresEngine(where.url, warn);
  try {
    await migratePostgres(engine, migrations);
    await indexSubstrings(engine, warn);
    return await assemble(engine, clock, () => engine.close());
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The SQLite file of a data folder. */
export const databaseFile = (folder: string): string => join(folder, 'postern.db');

/** Folders in which this process has a store open: two would each continue the audit chain. */
const openFolders = new Set<string>();

async function openSqlite(folder: string, clock: () => Date, migrations: readonly Migration[]): Promise<Store> {
  const lock = await lockFolder(folder);
  if (openFolders.has(lock.folder)) {
    lock.release();
    throw new Error(`This process has the store in ${lock.folder} open already`);
  }
  openFolders.add(lock.folder);
  const release = () => {
    openFolders.delete(lock.folder);
    lock.release();
  };
  let engine: Engine | undefined;
  try {
    const file = databaseFile(lock.folder);
    migrateSqlite(file, migrations);
    const opened = openSqliteEngine(file);
    engine = opened;
    return await assemble(opened, clock, async () => {
      await opened.close();
      release();
    });
  } catch (error) {
    await engine?.close();
    release();
    throw error;
  }
}

async function assemble(engine: Engine, clock: () => Date, close: () => Promise<void>): Promise<Store> {
  const builder = createBuilder(engine.dialect);
  const events = createEvents(engine, builder);
  let closing: Promise<void> | null = null;
  return {
    dialect: engine.dialect,
    resources: createResources(engine, builder, clock),
    users: createUsers(engine, builder),
    passwords: createPasswords(engine, builder),
    attempts: createAttempts(engine, builder),
    webSessions: createWebSessions(engine, builder),
    oneTimeTokens: createOneTimeTokens(engine, builder),
    preferences: createPreferences(engine, builder),
    sessionPlaces: createSessionPlaces(engine, builder),
    settings: createSettings(engine, builder),
    events,
    close: async () => {
      closing ??= events.settle().then(close);
      await closing;
    },
  };
}
