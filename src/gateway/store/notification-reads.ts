// Which notifications each person has read.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { NotificationReads } from './store.ts';
import { storable } from './text.ts';

export function createNotificationReads(engine: Engine, builder: Builder): NotificationReads {
  return {
    async of(userId) {
      const rows = await engine.read(
        builder.selectFrom('notification_reads').select('key').where('user_id', '=', userId).compile(),
      );
      return new Set(rows.map(({ key }) => key));
    },
    async add(userId, keys, at) {
      if (keys.length === 0) return;
      const rows = keys.map(key => ({
        user_id: storable('user', userId),
        key: storable('notification', key),
        at: at.getTime(),
      }));
      await engine.write(
        builder
          .insertInto('notification_reads')
          .values(rows)
          .onConflict(conflict => conflict.doNothing())
          .compile(),
      );
    },
    async prune(before) {
      await engine.write(builder.deleteFrom('notification_reads').where('at', '<', before.getTime()).compile());
    },
  };
}
