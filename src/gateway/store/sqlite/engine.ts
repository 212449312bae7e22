// The Engine over SQLite: one writer thread that commits in groups, reader threads beside it.
import type { CompiledQuery } from 'kysely';
import { createAlone } from '../alone.ts';
import type { Answer, Engine } from '../engine.ts';
import { openThread } from './thread.ts';
import { createThreadPool } from './thread-pool.ts';

/** Batches that one group commits: more would make the first of them wait longer than a sync costs. */
const GROUP_MOST_BATCHES = 256;
const READERS = 2;
/** A query that reads longer than this is given up. Scanning a million audit events takes about a second. */
const READ_MS = 30_000;

/** Opens the threads over a file whose schema is already right. You must close it. */
export function openSqliteEngine(file: string, readMs = READ_MS): Engine {
  const readers = createThreadPool(() => openThread(new URL('./reader.ts', import.meta.url), file, readMs), 1, READERS);
  const writer = createThreadPool(
    () => openThread(new URL('./writer.ts', import.meta.url), file, null),
    GROUP_MOST_BATCHES,
    1,
  );
  return {
    dialect: 'sqlite',
    async read<Row>(query: CompiledQuery<Row>) {
      const [answer] = await readers.add([query]);
      return (answer?.rows ?? []) as readonly Row[];
    },
    async write<Row>(query: CompiledQuery<Row>) {
      const [answer] = await writer.add([query]);
      return (answer ?? { rows: [], changes: 0 }) as Answer<Row>;
    },
    batch: queries => writer.add(queries),
    // The folder's lock keeps other processes out all the time.
    alone: createAlone(async () => async () => {}),
    waiting: () => ({ reader: readers.waiting(), writer: writer.waiting() }),
    async close() {
      await readers.close();
      await writer.close();
    },
  };
}
