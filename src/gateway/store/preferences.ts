// Each person's preferences, one JSON value.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { StoredPreferences } from './store.ts';
import { storable } from './text.ts';

export function createPreferences(engine: Engine, builder: Builder): StoredPreferences {
  return {
    async get(userId) {
      const [row] = await engine.read(
        builder.selectFrom('preferences').select('value').where('user_id', '=', userId).compile(),
      );
      return row ? (JSON.parse(row.value) as unknown) : null;
    },
    async put(userId, value) {
      const text = JSON.stringify(value ?? null);
      const insert = builder.insertInto('preferences').values({ user_id: storable('user', userId), value: text });
      await engine.write(
        insert.onConflict(conflict => conflict.column('user_id').doUpdateSet({ value: text })).compile(),
      );
    },
  };
}
