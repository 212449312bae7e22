// Password hashes, apart from the people they belong to.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { Passwords } from './store.ts';
import { storable } from './text.ts';

export function createPasswords(engine: Engine, builder: Builder): Passwords {
  return {
    async get(userId) {
      const [row] = await engine.read(
        builder.selectFrom('passwords').select('hash').where('user_id', '=', userId).compile(),
      );
      return row?.hash ?? null;
    },
    async set(userId, hash) {
      const insert = builder.insertInto('passwords').values({ user_id: storable('user', userId), hash });
      await engine.write(insert.onConflict(conflict => conflict.column('user_id').doUpdateSet({ hash })).compile());
    },
    async remove(userId) {
      await engine.write(builder.deleteFrom('passwords').where('user_id', '=', userId).compile());
    },
  };
}
