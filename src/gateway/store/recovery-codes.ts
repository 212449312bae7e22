// Recovery codes, as hashes: each is taken once, and a new set replaces the old.
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { RecoveryCodes } from './store.ts';

export function createRecoveryCodes(engine: Engine, builder: Builder): RecoveryCodes {
  return {
    async replace(userId, hashes, created) {
      const rows = hashes.map(hash => ({ user_id: userId, hash, created: created.getTime() }));
      await engine.batch([
        builder.deleteFrom('recovery_codes').where('user_id', '=', userId).compile(),
        ...(rows.length > 0 ? [builder.insertInto('recovery_codes').values(rows).compile()] : []),
      ]);
    },
    async has(userId, hash) {
      const one = builder.selectFrom('recovery_codes').select('hash').where('user_id', '=', userId);
      return (await engine.read(one.where('hash', '=', hash).compile())).length > 0;
    },
    async take(userId, hash) {
      const one = builder.deleteFrom('recovery_codes').where('user_id', '=', userId).where('hash', '=', hash);
      return (await engine.write(one.compile())).changes === 1;
    },
    async left(userId) {
      const rows = await engine.read(
        builder.selectFrom('recovery_codes').select('created').where('user_id', '=', userId).compile(),
      );
      return { count: rows.length, created: rows[0] ? new Date(rows[0].created) : null };
    },
  };
}
