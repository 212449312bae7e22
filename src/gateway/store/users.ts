// People: roles and traits. What hangs on a person goes with them.
import type { Insertable, Selectable } from 'kysely';
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
  ...(row.sign_in_traits !== '' && { signInTraits: JSON.parse(row.sign_in_traits) as UserRecord['traits'] }),
  ...(row.sign_in_rules !== '' && { signInRules: JSON.parse(row.sign_in_rules) as readonly string[] }),
  ...(row.identity !== '' && { identity: row.identity }),
  // PostgreSQL answers large numbers as text.
  ...(Number(row.last_sign_in) > 0 && { lastSignIn: new Date(Number(row.last_sign_in)) }),
});
/** Without what only signing in writes. */
const fromUser = (user: UserRecord): Insertable<UserRow> => ({
  id: storable('id', user.id),
  name: storable('name', user.name),
  roles: JSON.stringify(user.roles),
  traits: JSON.stringify(user.traits),
  auth_type: user.authType,
  is_bot: user.isBot ? 1 : 0,
  created: user.created.getTime(),
  identity: user.identity ?? '',
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
  'conversations',
  'notification_reads',
] as const;

export function createUsers(engine: Engine, builder: Builder, clock: () => Date): Users {
  const present = () =>
    builder
      .selectFrom('users')
      .selectAll()
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('identity', '=', ''),
          exists(
            selectFrom('web_sessions')
              .select('web_sessions.id')
              .whereRef('web_sessions.user_id', '=', 'users.id')
              .where('web_sessions.expires', '>', clock().getTime()),
          ),
        ]),
      );
  const first = async (query: { compile(): Parameters<Engine['read']>[0] }): Promise<UserRecord | null> => {
    const [row] = (await engine.read(query.compile())) as readonly Selectable<UserRow>[];
    return row ? toUser(row) : null;
  };
  const get: Users['get'] = name => first(present().where('name', '=', name));
  const known: Users['known'] = name => first(builder.selectFrom('users').selectAll().where('name', '=', name));

  async function remove(id: string): Promise<boolean> {
    const answers = await engine.batch([
      builder.deleteFrom('users').where('id', '=', id).compile(),
      ...ownTables.map(table => builder.deleteFrom(table).where('user_id', '=', id).compile()),
    ]);
    return answers[0]?.changes === 1;
  }

  return {
    get,
    known,
    byId: id => first(present().where('id', '=', id)),
    async named(names) {
      if (names.length === 0) return [];
      return (
        await engine.read(
          present()
            .where('name', 'in', [...names])
            .compile(),
        )
      ).map(toUser);
    },
    async list() {
      return (await engine.read(present().orderBy('name').compile())).map(toUser);
    },
    async create(user) {
      const away = await known(user.name);
      if (away && (await get(user.name)) === null) await remove(away.id);
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
    async signedIn(id, at, ruled) {
      await engine.write(
        builder
          .updateTable('users')
          .set({
            ...(at && { last_sign_in: at.getTime() }),
            sign_in_traits: ruled ? JSON.stringify(ruled.traits) : '',
            sign_in_rules: ruled ? JSON.stringify(ruled.rules) : '',
          })
          .where('id', '=', id)
          .compile(),
      );
    },
    delete: remove,
  };
}
