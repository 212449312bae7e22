// Challenges that wait for their answer: taking one deletes it.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { Challenges, StoredChallenge } from './store.ts';
import type { ChallengeRow } from './tables.ts';

const toRow = ({ userId, expires, ...challenge }: StoredChallenge): ChallengeRow => ({
  ...challenge,
  user_id: userId,
  expires: expires.getTime(),
});
const toChallenge = ({ user_id, expires, ...row }: ChallengeRow): StoredChallenge => ({
  ...row,
  userId: user_id,
  expires: new Date(expires),
});

export function createChallenges(engine: Engine, builder: Builder): Challenges {
  return {
    async create(challenge, now) {
      await engine.batch([
        builder.deleteFrom('challenges').where('expires', '<', now.getTime()).compile(),
        builder.insertInto('challenges').values(toRow(challenge)).compile(),
      ]);
    },
    async get(id) {
      const [row] = await engine.read(builder.selectFrom('challenges').selectAll().where('id', '=', id).compile());
      return row ? toChallenge(row) : null;
    },
    async change(purpose, to) {
      const { id, ...row } = toRow(to);
      const query = builder.updateTable('challenges').set(row).where('id', '=', id).where('purpose', '=', purpose);
      return (await engine.write(query.compile())).changes > 0;
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
