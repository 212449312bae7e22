// One-time tokens (invites, password resets, privileges): taking one deletes it.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { OneTimeToken, OneTimeTokens } from './store.ts';
import type { OneTimeTokenRow } from './tables.ts';

/** Those that ended longer ago than this go when the next one is made. Also measured from that one's end, so that no other clock than the caller's counts. */
const KEPT_MS = 24 * 60 * 60 * 1000;

const toToken = (row: OneTimeTokenRow): OneTimeToken => ({
  id: row.id,
  kind: row.kind as OneTimeToken['kind'],
  userId: row.user_id,
  expires: new Date(row.expires),
});

export function createOneTimeTokens(engine: Engine, builder: Builder): OneTimeTokens {
  return {
    async create({ id, kind, userId, expires }) {
      const row = { id, kind, user_id: userId, expires: expires.getTime() };
      await engine.batch([
        builder
          .deleteFrom('one_time_tokens')
          .where('expires', '<', Math.min(Date.now(), row.expires) - KEPT_MS)
          .compile(),
        builder.insertInto('one_time_tokens').values(row).compile(),
      ]);
    },
    async get(id) {
      const [row] = await engine.read(builder.selectFrom('one_time_tokens').selectAll().where('id', '=', id).compile());
      return row ? toToken(row) : null;
    },
    async take(id) {
      const { rows } = await engine.write(
        builder.deleteFrom('one_time_tokens').where('id', '=', id).returningAll().compile(),
      );
      const [row] = rows;
      return row ? toToken(row) : null;
    },
    async deleteOf(userId) {
      return (await engine.write(builder.deleteFrom('one_time_tokens').where('user_id', '=', userId).compile()))
        .changes;
    },
  };
}
