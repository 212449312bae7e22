// Challenges that wait for their answer: taking one deletes it.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { Challenges, StoredChallenge } from './store.ts';
import type { ChallengeRow } from './tables.ts';

const toChallenge = ({ user_id, expires, ...row }: ChallengeRow): StoredChallenge => ({
  ...row,
  userId: user_id,
  expires: new Date(expires),
});

export function createChallenges(engine: Engine, builder: Builder): Challenges {
  return {
    async create({ id, userId, purpose, scope, expires }, now) {
      const row = { id, user_id: userId, purpose, scope, expires: expires.getTime() };
      await engine.batch([
        builder.deleteFrom('challenges').where('expires', '<', now.getTime()).compile(),
        builder.insertInto('challenges').values(row).compile(),
      ]);
    },
    async get(id) {
      const [row] = await engine.read(builder.selectFrom('challenges').selectAll().where('id', '=', id).compile());
      return row ? toChallenge(row) : null;
    },
    async take(id) {
      const { rows } = await engine.write(
        builder.deleteFrom('challenges').where('id', '=', id).returningAll().compile(),
      );
      const [row] = rows;
      return row ? toChallenge(row) : null;
    },
  };
}
