// People: roles and traits. What hangs on a person goes with them.
import type { Selectable } from 'kysely';
import { Failure } from '../../contract/failure.ts';
import type { Builder } from './builder.ts';
import type { Engine } from './engine.ts';
import type { UserRecord, Users } from './store.ts';
import type { UserRow } from './tables.ts';
import { storable } from './text.ts';

const toUser = (row: Selectable<UserRow>): UserRecord => ({
  id: row.id,
  name: row.name,
  roles: JSON.parse(row.roles) as UserRecord['roles'],
  traits: JSON.parse(row.traits) as UserRecord['traits'],
  authType: row.auth_type as UserRecord['authType'],
  isBot: row.is_bot === 1,
  created: new Date(row.created),
});
const fromUser = (user: UserRecord): UserRow => ({
  id: storable('id', user.id),
  name: storable('name', user.name),
  roles: JSON.stringify(user.roles),
  traits: JSON.stringify(user.traits),
  auth_type: user.authType,
  is_bot: user.isBot ? 1 : 0,
  created: user.created.getTime(),
});

/** Everything that is a person's alone. */
const ownTables = [
  'passwords',
  'web_sessions',
  'one_time_tokens',
  'mfa_devices',
  'recovery_codes',
  'challenges',
  'preferences',
] as const;

export function createUsers(engine: Engine, builder: Builder): Users {
  return {
    async get(name) {
      const [row] = await engine.read(builder.selectFrom('users').selectAll().where('name', '=', name).compile());
      return row ? toUser(row) : null;
    },
    async byId(id) {
      const [row] = await engine.read(builder.selectFrom('users').selectAll().where('id', '=', id).compile());
      return row ? toUser(row) : null;
    },
    async named(names) {
      if (names.length === 0) return [];
      const rows = await engine.read(
        builder
          .selectFrom('users')
          .selectAll()
          .where('name', 'in', [...names])
          .compile(),
      );
      return rows.map(toUser);
    },
    async list() {
      return (await engine.read(builder.selectFrom('users').selectAll().orderBy('name').compile())).map(toUser);
    },
    async create(user) {
      const { changes } = await engine.write(
        builder
          .insertInto('users')
          .values(fromUser(user))
          .onConflict(conflict => conflict.doNothing())
          .returning('name')
          .compile(),
      );
      if (changes === 0) throw new Failure('exists', `user ${user.name} already exists`);
    },
    async update(user) {
      const { id, ...rest } = fromUser(user);
      const { changes } = await engine.write(builder.updateTable('users').set(rest).where('id', '=', id).compile());
      if (changes === 0) throw new Failure('not_found', `user ${user.name} not found`);
    },
    async delete(id) {
      const answers = await engine.batch([
        builder.deleteFrom('users').where('id', '=', id).compile(),
        ...ownTables.map(table => builder.deleteFrom(table).where('user_id', '=', id).compile()),
      ]);
      return answers[0]?.changes === 1;
    },
  };
}
