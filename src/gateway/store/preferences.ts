// Each person's preferences, one JSON value.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { StoredPreferences } from './store.ts';
import { storable } from './text.ts';

export function createPreferences(engine: Engine, builder: Builder): StoredPreferences {
  return {
    async get(user) {
      const [row] = await engine.read(
        builder.selectFrom('preferences').select('value').where('user_name', '=', user).compile(),
      );
      return row ? (JSON.parse(row.value) as unknown) : null;
    },
    async put(user, value) {
      const text = JSON.stringify(value ?? null);
      const insert = builder.insertInto('preferences').values({ user_name: storable('user', user), value: text });
      await engine.write(
        insert.onConflict(conflict => conflict.column('user_name').doUpdateSet({ value: text })).compile(),
      );
    },
  };
}
