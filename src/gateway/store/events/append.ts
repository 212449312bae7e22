// Appending: one writer per chain, and as many events per commit as have come together meanwhile.
import { randomUUID } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { Failure } from '../../../contract/failure.ts';
import type { Builder } from '../builder.ts';
import { type Engine, StoreError } from '../engine.ts';
import type { StoredEvent } from '../store.ts';
import { type Hashed, linkHash, START_HASH } from './chain.ts';
import { participantsOf, toHashed } from './rows.ts';

/** Events that one commit takes. */
const TOGETHER_MOST = 256;
/** Events that nobody waits for gather this long before a commit, unless so many have come: a commit costs as much as many rows. */
const GATHER_MS = 10;
const GATHERED_ENOUGH = 128;
/** Rows that one statement inserts where there are so many: fewer words go to the database, and it is faster with them. */
const ROWS_TOGETHER = 16;
/** Events that may wait; the log is needed, so callers hear of it at once when the disk cannot follow. */
const WAITING_MOST = 20_000;

/** SQLite has one writing process, whose chain goes on after a restart. With PostgreSQL each gateway process begins a chain of its own. */
const SQLITE_CHAIN = 'main';

interface Head {
  readonly length: number;
  readonly hash: string;
}
interface Waiting {
  readonly event: Hashed;
  readonly participants: readonly string[];
  readonly mayWait: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface Appender {
  append(event: StoredEvent, mayWait?: boolean): Promise<void>;
  /** Resolves when nothing waits any more. */
  settle(): Promise<void>;
}

export function createAppender(engine: Engine, builder: Builder): Appender {
  const chain = engine.dialect === 'sqlite' ? SQLITE_CHAIN : randomUUID();
  const write = createWriter(engine, builder, chain);
  const waiting: Waiting[] = [];
  /** null: not known, read it first. */
  let head: Head | null = null;
  let running: Promise<void> | null = null;
  /** Of those that wait, so many are waited for. */
  let urgent = 0;
  let hurry = (): void => undefined;

  const readHead = async (): Promise<Head> => {
    const [row] = await engine.read(
      builder.selectFrom('event_chains').select(['length', 'hash']).where('chain', '=', chain).compile(),
    );
    return row ?? { length: 0, hash: START_HASH };
  };
  /** One transaction. When its end was lost with the connection, the chain's end tells whether it was kept. */
  const commit = async (some: readonly Waiting[]): Promise<void> => {
    const before: Head = head ?? (await readHead());
    head = null;
    try {
      head = await write(before, some);
    } catch (error) {
      // What went wrong first is what to report: a read that fails as well adds nothing.
      const now = await readHead().catch(() => null);
      if (now?.length !== before.length + some.length) throw error;
      head = now;
    }
  };
  const settleAll = async (some: readonly Waiting[]): Promise<void> => {
    try {
      await commit(some);
      for (const item of some) item.resolve();
    } catch (error) {
      // The database refused one of them (a uid that is there already): by itself, each of the others fits.
      if (error instanceof StoreError && some.length > 1) for (const item of some) await settleAll([item]);
      else for (const item of some) item.reject(error as Error);
    }
  };
  const isDue = (): boolean => urgent > 0 || waiting.length >= GATHERED_ENOUGH;
  /** Resolves once there is enough for a commit, or has been long enough. */
  const gather = (): Promise<void> =>
    new Promise(resolve => {
      const late = setTimeout(resolve, GATHER_MS);
      hurry = () => {
        clearTimeout(late);
        // What is appended in this turn of the event loop goes along.
        setImmediate(resolve);
      };
      if (isDue()) hurry();
    });
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      await gather();
      do {
        const some = waiting.splice(0, TOGETHER_MOST);
        urgent -= some.filter(({ mayWait }) => !mayWait).length;
        await settleAll(some);
      } while (isDue());
    }
    running = null;
  };

  return {
    append: (event, mayWait = false) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= WAITING_MOST) return reject(new Failure('unavailable', 'The audit log cannot keep up'));
        waiting.push({ event: toHashed(event), participants: participantsOf(event), mayWait, resolve, reject });
        if (!mayWait) urgent += 1;
        if (!running) running = run();
        else if (isDue()) hurry();
      }),
    settle: async () => {
      hurry();
      await running;
    },
  };
}

/** Writes events to the end of a chain in one transaction; answers the new end. Rejects when the chain has moved on meanwhile. */
function createWriter(
  engine: Engine,
  builder: Builder,
  chain: string,
): (head: Head, some: readonly Waiting[]) => Promise<Head> {
  const row = { uid: '', time: 0, type: '', code: '', user_name: '', sid: '', raw: '', chain, position: 0, hash: '' };
  const seq = sql<number>`(SELECT seq FROM events WHERE uid = ${''})`;
  const participant = { user_name: '', time: 0, seq };
  const statements = [ROWS_TOGETHER, 1].map(count => ({
    count,
    insert: builder.insertInto('events').values(Array(count).fill(row)).compile().sql,
    insertParticipants: builder.insertInto('event_participants').values(Array(count).fill(participant)).compile().sql,
  }));
  const keepHead = builder
    .insertInto('event_chains')
    .values({ chain: '', length: 0, hash: '' })
    .onConflict(conflict =>
      conflict
        .column('chain')
        .doUpdateSet(({ ref }) => ({ length: ref('excluded.length'), hash: ref('excluded.hash') })),
    )
    .compile().sql;
  return async (head, some) => {
    let { length, hash } = head;
    const rows: unknown[][] = [];
    const participating: unknown[][] = [];
    for (const { event, participants } of some) {
      hash = linkHash(hash, event);
      length++;
      const { uid, time, type, code, user_name, sid, raw } = event;
      rows.push([uid, time, type, code, user_name, sid, raw, chain, length, hash]);
      for (const name of participants) participating.push([name, time, uid]);
    }
    const queries: CompiledQuery[] = [];
    for (const { count, insert } of statements)
      while (rows.length >= count) queries.push(CompiledQuery.raw(insert, rows.splice(0, count).flat()));
    for (const { count, insertParticipants } of statements)
      while (participating.length >= count)
        queries.push(CompiledQuery.raw(insertParticipants, participating.splice(0, count).flat()));
    queries.push(CompiledQuery.raw(keepHead, [chain, length, hash]));
    await engine.batch(queries);
    return { length, hash };
  };
}
