// Small things kept once, one JSON value each.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { Settings } from './store.ts';
import { storable } from './text.ts';

export function createSettings(engine: Engine, builder: Builder): Settings {
  const get = async (key: string): Promise<unknown> => {
    const [row] = await engine.read(builder.selectFrom('settings').select('value').where('key', '=', key).compile());
    return row ? (JSON.parse(row.value) as unknown) : null;
  };
  const insert = (key: string, value: unknown) =>
    builder.insertInto('settings').values({ key: storable('key', key), value: JSON.stringify(value ?? null) });
  return {
    get,
    async put(key, value) {
      await engine.write(
        insert(key, value)
          .onConflict(conflict => conflict.column('key').doUpdateSet(({ ref }) => ({ value: ref('excluded.value') })))
          .compile(),
      );
    },
    async remove(key) {
      await engine.write(builder.deleteFrom('settings').where('key', '=', key).compile());
    },
    async putIfAbsent(key, value) {
      await engine.write(
        insert(key, value)
          .onConflict(conflict => conflict.doNothing())
          .compile(),
      );
      return await get(key);
    },
    async replace(key, before, value) {
      const { changes } = await engine.write(
        before === null
          ? insert(key, value)
              .onConflict(conflict => conflict.doNothing())
              .compile()
          : builder
              .updateTable('settings')
              .set({ value: JSON.stringify(value) })
              .where('key', '=', key)
              .where('value', '=', JSON.stringify(before))
              .compile(),
      );
      return changes === 1;
    },
  };
}
