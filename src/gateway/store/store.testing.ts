// For tests: stores of both engines, each test with one of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { openPostgres, type PostgresRig } from '../../../e2e/rigs/postgres.ts';
import type { RightsUser } from '../ports/rights.ts';
import { openStore, type StoreOptions, type StorePlace } from './open.ts';
import type { NewResource, Store } from './store.ts';

// Each SQLite store starts threads: with the cache, each is ready in half the time.
enableCompileCache();

export interface StoreRig {
  readonly dialect: Store['dialect'];
  /** An empty place. */
  place(): Promise<StorePlace>;
  /** A store in an empty place, or in the given one; closed after the test. */
  open(options?: StoreOptions, place?: StorePlace): Promise<Store>;
}

/** Runs the same tests on both engines. */
export function onBothEngines(tests: (rig: StoreRig) => void): void {
  describe('on SQLite', () => {
    const folders: string[] = [];
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
    tests(
      createRig('sqlite', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'postern-store-'));
        folders.push(folder);
        return { kind: 'sqlite', folder };
      }),
    );
  });
  describe('on PostgreSQL', () => {
    let server: PostgresRig | undefined;
    let places = 0;
    beforeAll(async () => {
      server = await openPostgres();
    }, 60_000);
    afterAll(() => server?.dispose());
    tests(
      createRig('postgres', async () => {
        if (!server) throw new Error('the server has not started');
        // A schema instead of a database: made in 1 ms, not 50. The extension is shared, in `public`.
        const schema = `test_${++places}`;
        await runSql(server.url, 'CREATE EXTENSION IF NOT EXISTS pg_trgm', `CREATE SCHEMA ${schema}`);
        return {
          kind: 'postgres',
          url: `${server.url}?options=${encodeURIComponent(`-c search_path=${schema},public`)}`,
        };
      }),
    );
  });
}

function createRig(dialect: Store['dialect'], place: StoreRig['place']): StoreRig {
  const opened: Store[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  return {
    dialect,
    place,
    async open(options, where) {
      const store = await openStore(where ?? (await place()), options);
      opened.push(store);
      return store;
    },
  };
}

/** Statements past the store, on PostgreSQL. */
export async function runSql(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A resource with what a test does not care about filled in. */
export const resourceNamed = (
  kind: NewResource['kind'],
  name: string,
  more: Partial<NewResource> = {},
): NewResource => ({
  kind,
  name,
  title: name,
  description: '',
  address: '',
  subtype: '',
  labels: {},
  words: [],
  spec: {},
  expires: null,
  ...more,
});
export const serverNamed = (name: string, more: Partial<NewResource> = {}): NewResource =>
  resourceNamed('node', name, { subtype: 'openssh', ...more });

/** Somebody without traits, for selections. */
export const person: RightsUser = { name: 'ann', roles: [], traits: {} };
