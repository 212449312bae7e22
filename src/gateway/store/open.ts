// Opens the store: SQLite in a data folder, or PostgreSQL by URL.
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { createAccessLists } from './access-lists.ts';
import { createAttempts } from './attempts.ts';
import { createBuilder } from './builder.ts';
import { createChallenges } from './challenges.ts';
import { createConversations } from './conversations.ts';
import type { Engine } from './engine.ts';
import { createEvents } from './events/events.ts';
import { lockFolder } from './lock.ts';
import { createMfaDevices } from './mfa-devices.ts';
import { migrations as steps } from './migrations/list.ts';
import type { Migration } from './migrations/migration.ts';
import { createNotificationReads } from './notification-reads.ts';
import { createOneTimeTokens } from './one-time-tokens.ts';
import { createPasswords } from './passwords.ts';
import { createPreferences } from './preferences.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import { createResources } from './resources/resources.ts';
import { createSessionPlaces } from './session-places.ts';
import { createSettings } from './settings.ts';
import { openSqliteEngine } from './sqlite/engine.ts';
import { migrateSqlite } from './sqlite/migrate.ts';
import type { Announcements, Store } from './store.ts';
import { createUsers } from './users.ts';
import { createWebSessions } from './web-sessions.ts';

export type StorePlace =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface StoreOptions {
  /** Hears of what works, but worse than it could: no trigram index, a broken idle connection. */
  readonly warn?: (message: string) => void;
  /** Hears how long each answer took, waiting included, s. */
  readonly timed?: Timed;
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
  const { warn = () => {}, clock = () => new Date(), migrations = steps, timed } = options;
  if (where.kind === 'sqlite') return openSqlite(where.folder, { clock, timed }, migrations);
  const [{ openAnnouncements }, { openPostgresEngine }, { indexSubstrings, migratePostgres }] = await Promise.all([
    import('./postgres/announcements.ts'),
    import('./postgres/engine.ts'),
    import('./postgres/migrate.ts'),
  ]);
  const engine = openPostgresEngine(where.url, warn);
  try {
    await migratePostgres(engine, migrations);
    await indexSubstrings(engine, warn);
    const announcements = openAnnouncements({
      url: where.url,
      run: (sql, values) => engine.read(CompiledQuery.raw(sql, [...values])),
      warn,
    });
    return await assemble(engine, { clock, timed }, announcements, async () => {
      await announcements.close();
      await engine.close();
    });
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The SQLite file of a data folder. */
export const databaseFile = (folder: string): string => join(folder, 'postern.db');

/** Folders in which this process has a store open: two would each continue the audit chain. */
const openFolders = new Set<string>();

async function openSqlite(folder: string, instruments: Instruments, migrations: readonly Migration[]): Promise<Store> {
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
    return await assemble(opened, instruments, null, async () => {
      await opened.close();
      release();
    });
  } catch (error) {
    await engine?.close();
    release();
    throw error;
  }
}

type Timed = (operation: 'read' | 'write', seconds: number) => void;
interface Instruments {
  readonly clock: () => Date;
  readonly timed: Timed | undefined;
}

/** The same engine, each of its answers timed. */
function timedEngine(engine: Engine, timed: Timed): Engine {
  const time = async <Value>(operation: 'read' | 'write', answer: () => Promise<Value>): Promise<Value> => {
    const began = performance.now();
    try {
      return await answer();
    } finally {
      timed(operation, (performance.now() - began) / 1000);
    }
  };
  return {
    ...engine,
    read: query => time('read', () => engine.read(query)),
    write: query => time('write', () => engine.write(query)),
    batch: queries => time('write', () => engine.batch(queries)),
  };
}

async function assemble(
  plain: Engine,
  { clock, timed }: Instruments,
  announcements: Announcements | null,
  close: () => Promise<void>,
): Promise<Store> {
  const engine = timed ? timedEngine(plain, timed) : plain;
  const builder = createBuilder(engine.dialect);
  const events = createEvents(engine, builder);
  let closing: Promise<void> | null = null;
  return {
    dialect: engine.dialect,
    alone: engine.alone,
    waiting: () => engine.waiting(),
    resources: createResources(engine, builder, clock),
    users: createUsers(engine, builder, clock),
    passwords: createPasswords(engine, builder),
    attempts: createAttempts(engine, builder),
    webSessions: createWebSessions(engine, builder),
    oneTimeTokens: createOneTimeTokens(engine, builder),
    mfaDevices: createMfaDevices(engine, builder),
    recoveryCodes: createRecoveryCodes(engine, builder),
    challenges: createChallenges(engine, builder),
    preferences: createPreferences(engine, builder),
    conversations: createConversations(engine, builder),
    notificationReads: createNotificationReads(engine, builder),
    accessLists: createAccessLists(engine, builder),
    sessionPlaces: createSessionPlaces(engine, builder),
    settings: createSettings(engine, builder),
    events,
    announcements,
    close: async () => {
      closing ??= events.settle().then(close);
      await closing;
    },
  };
}
