// The Engine over PostgreSQL: a pool, and a transaction per batch.

import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import { Failure } from '../../../contract/failure.ts';
import { createAlone } from '../alone.ts';
import { type Answer, type Engine, StoreError } from '../engine.ts';
import { mended } from '../text.ts';

const CONNECTIONS_MOST = 10;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 60_000;
/** Calls that may wait for a connection. Beyond it the store says so instead of growing. */
const WAITING_MOST = 20_000;

/** Our bigint columns hold milliseconds and row numbers, far below 2^53: pg would answer them as strings. */
const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? Number
      : format === 'binary'
        ? pg.types.getTypeParser(oid, 'binary')
        : pg.types.getTypeParser(oid, 'text'),
};

/** What the gateways of a schema take turns by: several clusters may share a database. */
const ALONE = "hashtextextended('postern alone ' || current_schema(), 0)";

/** SQLSTATE classes for: connection lost, out of resources, shut down by an operator, disk error. */
const GONE = /^(08|53|57P|58)/;

function toError(error: unknown): Error {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? 'UNKNOWN';
    return GONE.test(code)
      ? new Failure('unavailable', `The database cannot be used: ${error.message}`)
      : new StoreError(code, error.message);
  }
  // Everything else is the connection: refused, reset, timed out.
  return new Failure(
    'unavailable',
    `The database cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
  );
}

export interface PostgresEngine extends Engine {
  /** One connection in one transaction, for migrations. */
  transaction<T>(work: (run: (sql: string) => Promise<readonly unknown[]>) => Promise<T>): Promise<T>;
}

/** Opens a pool. You must close it. `warn` hears of idle connections that broke. */
export function openPostgresEngine(url: string, warn: (message: string) => void): PostgresEngine {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MOST,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    application_name: 'postern',
    types,
  });
  let closed = false;
  pool.on('error', error => {
    if (!closed) warn(`an idle database connection broke: ${error.message}`);
  });

  /** PostgreSQL refuses NUL in text; SQLite takes it. As a question it then simply finds nothing. */
  const values = (query: CompiledQuery): unknown[] =>
    query.parameters.map(value => (typeof value === 'string' ? mended(value) : value));
  const answer = (result: pg.QueryResult): Answer => ({ rows: result.rows, changes: result.rowCount ?? 0 });
  const one = async (query: CompiledQuery): Promise<Answer> => {
    if (pool.waitingCount >= WAITING_MOST) throw new Failure('unavailable', 'The store has too much to do');
    try {
      return answer(await pool.query(query.sql, values(query)));
    } catch (error) {
      throw toError(error);
    }
  };
  const inTransaction = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    if (pool.waitingCount >= WAITING_MOST) throw new Failure('unavailable', 'The store has too much to do');
    let client: pg.PoolClient | undefined;
    let broken = true;
    try {
      client = await pool.connect();
      await client.query('BEGIN');
      const value = await work(client);
      await client.query('COMMIT');
      broken = false;
      return value;
    } catch (error) {
      // The server undoes it by itself when the connection is gone; the broken connection leaves the pool below.
      if (client && error instanceof pg.DatabaseError)
        broken = !(await client.query('ROLLBACK').then(
          () => true,
          () => false,
        ));
      throw toError(error);
    } finally {
      client?.release(broken);
    }
  };

  return {
    dialect: 'postgres',
    waiting: () => ({ pool: pool.waitingCount }),
    async read<Row>(query: CompiledQuery<Row>) {
      return (await one(query)).rows as readonly Row[];
    },
    async write<Row>(query: CompiledQuery<Row>) {
      return (await one(query)) as Answer<Row>;
    },
    batch: queries =>
      inTransaction(async client => {
        const answers: Answer[] = [];
        for (const query of queries) answers.push(answer(await client.query(query.sql, values(query))));
        return answers;
      }),
    alone: createAlone(async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw toError(error);
      });
      try {
        await client.query(`SELECT pg_advisory_lock(${ALONE})`);
      } catch (error) {
        client.release(true);
        throw toError(error);
      }
      return async () => {
        const isFree = await client.query(`SELECT pg_advisory_unlock(${ALONE})`).then(
          () => true,
          () => false,
        );
        // The lock goes with the connection.
        client.release(!isFree);
      };
    }),
    transaction: work => inTransaction(client => work(async text => (await client.query(text)).rows)),
    async close() {
      closed = true;
      await pool.end();
    },
  };
}
