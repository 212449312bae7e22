// Failed sign-ins by name. One statement counts and locks, so that failures at the same moment are all counted.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { Attempts } from './store.ts';

/** Rows that nobody has touched for this long are dropped: names are whatever people type. */
const KEPT_MS = 24 * 60 * 60 * 1000;
const NAME_MOST_CHARACTERS = 255;

/** Names nobody could have been given are kept by their hash, so that the table takes any of them. */
const keyOf = (name: string): string =>
  name.length > NAME_MOST_CHARACTERS || name.includes('\0') || !name.isWellFormed()
    ? `sha256:${createHash('sha256').update(name).digest('hex')}`
    : name;

const answer = (row: { readonly failures: number; readonly locked_until: number | null }) => ({
  failures: row.failures,
  lockedUntil: row.locked_until === null ? null : new Date(row.locked_until),
});

export function createAttempts(engine: Engine, builder: Builder): Attempts {
  return {
    async get(name) {
      const [row] = await engine.read(
        builder.selectFrom('attempts').select(['failures', 'locked_until']).where('name', '=', keyOf(name)).compile(),
      );
      return row ? answer(row) : null;
    },
    async lockedUsers(now) {
      const rows = await engine.read(
        builder
          .selectFrom('attempts')
          .innerJoin('users', 'users.name', 'attempts.name')
          .select(['attempts.name', 'attempts.locked_until'])
          .where('attempts.locked_until', '>', now.getTime())
          .compile(),
      );
      return new Map(rows.map(({ name, locked_until }) => [name, new Date(Number(locked_until))]));
    },
    async fail(name, now, { limit, windowMs, lockMs }) {
      const time = now.getTime();
      const big = (value: number) =>
        engine.dialect === 'postgres' ? sql<number>`${value}::bigint` : sql<number>`${value}`;
      const reached = limit <= 1;
      // Counting starts anew when the first failure lies before the window.
      const within = sql`attempts.since > ${big(time - windowMs)}`;
      const count = sql<number>`CASE WHEN ${within} THEN attempts.failures + 1 ELSE 1 END`;
      const locks = sql`${count} >= ${limit}`;
      const countFailure = builder
        .insertInto('attempts')
        .values({
          name: keyOf(name),
          failures: reached ? 0 : 1,
          since: time,
          locked_until: reached ? time + lockMs : null,
          updated: time,
        })
        .onConflict(conflict =>
          conflict.column('name').doUpdateSet({
            failures: sql<number>`CASE WHEN ${locks} THEN 0 ELSE ${count} END`,
            since: sql<number>`CASE WHEN ${within} AND attempts.failures > 0 THEN attempts.since ELSE ${big(time)} END`,
            locked_until: sql<number>`CASE WHEN ${locks} THEN ${big(time + lockMs)} ELSE attempts.locked_until END`,
            updated: time,
          }),
        )
        .returning(['failures', 'locked_until'])
        .compile();
      const forget = builder
        .deleteFrom('attempts')
        .where('updated', '<', time - KEPT_MS)
        .where(sql<boolean>`coalesce(locked_until, 0) < ${big(time)}`)
        .compile();
      const [, counted] = await engine.batch([forget, countFailure]);
      return answer(counted?.rows[0] as { failures: number; locked_until: number | null });
    },
    async clear(name) {
      await engine.write(builder.deleteFrom('attempts').where('name', '=', keyOf(name)).compile());
    },
  };
}
