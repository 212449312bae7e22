// Runs statements on a SQLite connection, keeping the prepared ones.
import SQLite from 'better-sqlite3';
import { StoreError } from '../engine.ts';
import type { Done, Outcome, Statement } from './protocol.ts';

/** Lists have many shapes (filters, sorts); the oldest prepared statement goes when there are more than this. */
const PREPARED_MOST = 256;

export interface Statements {
  run(statement: Statement): Done;
}

export function createStatements(database: SQLite.Database): Statements {
  const prepared = new Map<string, SQLite.Statement<unknown[]>>();
  const prepare = (sql: string): SQLite.Statement<unknown[]> => {
    const known = prepared.get(sql);
    if (known) {
      prepared.delete(sql);
      prepared.set(sql, known);
      return known;
    }
    const made = database.prepare<unknown[]>(sql);
    prepared.set(sql, made);
    if (prepared.size > PREPARED_MOST)
      for (const [oldest] of prepared) {
        prepared.delete(oldest);
        break;
      }
    return made;
  };
  return {
    run({ sql, parameters }) {
      const statement = prepare(sql);
      if (!statement.reader) return { rows: [], changes: statement.run(...parameters).changes };
      const rows = statement.all(...parameters);
      return { rows, changes: rows.length };
    },
  };
}

/** The engine's own words as a plain object: errors lose their code on the way between threads. */
export function failed(error: unknown): Outcome {
  const code = error instanceof SQLite.SqliteError || error instanceof StoreError ? error.code : 'UNKNOWN';
  return { kind: 'failed', code, message: error instanceof Error ? error.message : String(error) };
}
