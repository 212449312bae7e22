// Brings a PostgreSQL schema up to date, one gateway at a time.
import { CompiledQuery } from 'kysely';
import { NewerSchemaError, StoreError } from '../engine.ts';
import type { Migration } from '../migrations/migration.ts';
import type { PostgresEngine } from './engine.ts';

/** Advisory locks are numbers that all users of a database share: this one is ours. */
const MIGRATION_LOCK = 0x706f7374;

/** Throws NewerSchemaError. Gateways that start together take turns. */
export async function migratePostgres(engine: PostgresEngine, migrations: readonly Migration[]): Promise<void> {
  await engine.transaction(async run => {
    await run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await run('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
    const [row] = (await run('SELECT version FROM schema_version')) as readonly { readonly version: number }[];
    const version = row?.version ?? 0;
    if (version > migrations.length) throw new NewerSchemaError(version, migrations.length);
    if (version === migrations.length) return;
    for (const { statements } of migrations.slice(version))
      for (const statement of statements.postgres) await run(statement);
    await run(
      row
        ? `UPDATE schema_version SET version = ${migrations.length}`
        : `INSERT INTO schema_version (version) VALUES (${migrations.length})`,
    );
  });
}

/**
 * Makes the substring index, where this user may. pg_trgm must be there or creatable (a database owner may since PostgreSQL 13); without it
 * `search` reads every row, and `warn` says so.
 */
export async function indexSubstrings(engine: PostgresEngine, warn: (message: string) => void): Promise<void> {
  const present = await engine.read(
    CompiledQuery.raw(
      "SELECT 1 FROM pg_indexes WHERE indexname = 'resources_by_substring' AND schemaname = current_schema()",
    ),
  );
  if (present.length > 0) return;
  try {
    await engine.transaction(async run => {
      await run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await run('CREATE EXTENSION IF NOT EXISTS pg_trgm');
      await run('CREATE INDEX IF NOT EXISTS resources_by_substring ON resources USING gin (haystack gin_trgm_ops)');
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    warn(`searching will be slow with many resources: the extension pg_trgm cannot be used (${error.message})`);
  }
}
