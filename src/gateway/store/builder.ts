// Kysely as a compiler only: it writes the SQL of either engine, the Engine runs it.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Engine } from './engine.ts';
import type { Tables } from './tables.ts';

export type Builder = Kysely<Tables>;

/** A query builder that speaks the engine's SQL and has no connection. */
export function createBuilder(dialect: Engine['dialect']): Builder {
  return dialect === 'sqlite'
    ? new Kysely({
        dialect: {
          createAdapter: () => new SqliteAdapter(),
          createDriver: () => new DummyDriver(),
          createIntrospector: db => new SqliteIntrospector(db),
          createQueryCompiler: () => new SqliteQueryCompiler(),
        },
      })
    : new Kysely({
        dialect: {
          createAdapter: () => new PostgresAdapter(),
          createDriver: () => new DummyDriver(),
          createIntrospector: db => new PostgresIntrospector(db),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        },
      });
}
