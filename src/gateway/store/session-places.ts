// How many sessions each person has over all gateways. One statement counts and takes, so that two at once are never both the last one.
import { sql } from 'kysely';
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { SessionPlaces } from './store.ts';

export function createSessionPlaces(engine: Engine, builder: Builder): SessionPlaces {
  const big = (value: number) =>
    engine.dialect === 'postgres' ? sql<number>`${value}::bigint` : sql<number>`${value}`;
  const text = (value: string) => (engine.dialect === 'postgres' ? sql<string>`${value}::text` : sql<string>`${value}`);

  return {
    async take({ sid, userId, gateway, until }, most, now) {
      const alive = sql<number>`(SELECT count(*) FROM session_places WHERE user_id = ${text(userId)} AND until > ${big(now.getTime())})`;
      const count = sql<{ count: number | string }>`SELECT ${alive} AS count`.compile(builder);
      const insert = sql<{ sid: string }>`INSERT INTO session_places (sid, user_id, gateway, until)
        SELECT ${text(sid)}, ${text(userId)}, ${text(gateway)}, ${big(until.getTime())} WHERE ${alive} < ${big(most)} RETURNING sid`.compile(
        builder,
      );
      // PostgreSQL runs statements side by side: those of one user wait for each other.
      const turn = sql`SELECT pg_advisory_xact_lock(hashtextextended(${`session places of ${userId}`}, 0))`.compile(
        builder,
      );
      const answers = await engine.batch([...(engine.dialect === 'postgres' ? [turn] : []), count, insert]);
      const [counted, taken] = answers.slice(-2);
      const [row] = (counted?.rows ?? []) as { count: number | string }[];
      return { taken: taken?.changes === 1, others: Number(row?.count ?? 0) };
    },
    async keep(gateway, sids, until) {
      const own = builder.deleteFrom('session_places').where('gateway', '=', gateway);
      const gone = sids.length === 0 ? own : own.where('sid', 'not in', sids);
      const stay = builder.updateTable('session_places').set({ until: until.getTime() }).where('gateway', '=', gateway);
      const [answer] = await engine.batch([gone.returning('sid').compile(), stay.compile()]);
      return sidsOf(answer?.rows);
    },
    async release(sid) {
      await engine.write(builder.deleteFrom('session_places').where('sid', '=', sid).compile());
    },
    async prune(now) {
      const gone = builder.deleteFrom('session_places').where('until', '<=', now.getTime()).returning('sid');
      const { rows } = await engine.write(gone.compile());
      return rows.map(({ sid }) => sid);
    },
  };
}

const sidsOf = (rows: readonly unknown[] | undefined): readonly string[] =>
  ((rows ?? []) as readonly { readonly sid: string }[]).map(({ sid }) => sid);
