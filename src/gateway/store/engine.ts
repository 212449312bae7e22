// What the repositories need of a database: run a compiled query, and run several as one. SQLite and PostgreSQL implement it.
import type { CompiledQuery } from 'kysely';

export interface Answer<Row = unknown> {
  readonly rows: readonly Row[];
  /** Rows that the statement inserted, changed or deleted. */
  readonly changes: number;
}

/** Rejects with StoreError, or with Failure unavailable when the database is gone, full or overwhelmed. */
export interface Engine {
  readonly dialect: 'sqlite' | 'postgres';
  read<Row>(query: CompiledQuery<Row>): Promise<readonly Row[]>;
  /** Resolves once committed. */
  write<Row>(query: CompiledQuery<Row>): Promise<Answer<Row>>;
  /** All or nothing, in order, in one transaction. Resolves once committed. */
  batch(queries: readonly CompiledQuery[]): Promise<readonly Answer[]>;
  /** Runs `work` while no other of these runs, here or in another gateway of the store; inside of one it just runs. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Queries and batches that wait for their turn now, by queue. */
  waiting(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Code of the StoreError for a list that the conditions of roles would take too long on. */
export const TOO_MUCH_WORK = 'TOO_MUCH_WORK';

/** What the database itself said. The message names no values, only the engine's own words. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The engine's code: SQLITE_…, a PostgreSQL SQLSTATE, or TOO_MUCH_WORK. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A database that newer code has written: this code must not touch it. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
  constructor(found: number, known: number) {
    super(
      `The store has schema version ${found}, but this version of Postern knows only versions up to ${known}. Start it with the version that wrote it, or a later one.`,
    );
  }
}
