// Challenges that wait for their answer: taking one deletes it.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { Challenges } from './store.ts';

export function createChallenges(engine: Engine, builder: Builder): Challenges {
  return {
    async create({ id, userId, purpose, scope, expires }, now) {
      const row = { id, user_id: userId, purpose, scope, expires: expires.getTime() };
      await engine.batch([
        builder.deleteFrom('challenges').where('expires', '<', now.getTime()).compile(),
        builder.insertInto('challenges').values(row).compile(),
      ]);
    },
    async take(id) {
      const { rows } = await engine.write(
        builder.deleteFrom('challenges').where('id', '=', id).returningAll().compile(),
      );
      const [row] = rows;
      return row ? { ...row, userId: row.user_id, expires: new Date(row.expires) } : null;
    },
  };
}
