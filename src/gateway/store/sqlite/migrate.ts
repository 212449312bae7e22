// Brings a SQLite file's schema up to date before any thread opens it.
import { chmodSync, closeSync, openSync } from 'node:fs';
import { NewerSchemaError } from '../engine.ts';
import type { Migration } from '../migrations/migration.ts';
import { openConnection } from './connect.ts';

const PRIVATE = 0o600;

/** Creates the file (readable by its owner only) when there is none. Throws NewerSchemaError. */
export function migrateSqlite(file: string, migrations: readonly Migration[]): void {
  // The journal files take over the mode of the database file.
  closeSync(openSync(file, 'a', PRIVATE));
  chmodSync(file, PRIVATE);
  const database = openConnection(file);
  try {
    const version = () => Number(database.pragma('user_version', { simple: true }));
    if (version() === migrations.length) return;
    database
      .transaction(() => {
        if (version() > migrations.length) throw new NewerSchemaError(version(), migrations.length);
        for (const { number, statements } of migrations.slice(version())) {
          for (const statement of statements.sqlite) database.exec(statement);
          database.pragma(`user_version = ${number}`);
        }
      })
      .immediate();
  } finally {
    database.close();
  }
}
