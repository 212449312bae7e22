// Password hashes, apart from the people they belong to.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { Passwords } from './store.ts';
import { storable } from './text.ts';

export function createPasswords(engine: Engine, builder: Builder): Passwords {
  return {
    async get(user) {
      const [row] = await engine.read(
        builder.selectFrom('passwords').select('hash').where('user_name', '=', user).compile(),
      );
      return row?.hash ?? null;
    },
    async set(user, hash) {
      const insert = builder.insertInto('passwords').values({ user_name: storable('user', user), hash });
      await engine.write(insert.onConflict(conflict => conflict.column('user_name').doUpdateSet({ hash })).compile());
    },
    async remove(user) {
      await engine.write(builder.deleteFrom('passwords').where('user_name', '=', user).compile());
    },
  };
}
