// A database user of a person's own that is there for their sessions (create_db_user): the gateway makes it, or lets it in again, as the
// database's administrator, with the roles that theirs name; once nobody uses it, it may not log in and holds none. What was made from here
// is a member of one role of that name, and nothing else is ever touched.
import type { Duplex } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { ConnectError } from '../../../../ports/reach.ts';
import {
  isMissing,
  isNotOurs,
  LETTING_GO_MOST_MS,
  LOOK_EVERY_MS,
  LOOKS_MOST,
  MADE,
  MAKING_MOST_MS,
  type Made,
  refusal,
} from '../made-users.ts';
import { type OwnConnection, openOwn } from './own-connection.ts';

/** Longest name that PostgreSQL keeps whole, bytes. */
const NAME_MOST_BYTES = 63;
export interface Making extends Made {
  /** As the administrator. Connects and never logs in. */
  dial(): Promise<Duplex>;
}

/** `noteMade`: before it may log in; what that throws ends the making. Throws ConnectError with a sentence. */
export async function makeUser(making: Making, noteMade: () => Promise<void>): Promise<void> {
  const { user, roles } = making;
  if (Buffer.byteLength(user) > NAME_MOST_BYTES || /\p{Cc}/u.test(user))
    throw refusal(making, `the name is longer than ${NAME_MOST_BYTES} bytes, or holds what no name may`);
  await asAdministrator(making, MAKING_MOST_MS, async own => {
    const [found] = (await own.query(FIND, [user, MADE])).rows;
    if (found && found[0] !== true) throw isNotOurs(making);
    const known = (await own.query('select rolname from pg_roles where rolname = any($1)', [[...roles, MADE]])).rows;
    const missing = roles.find(role => !known.some(([name]) => name === role));
    if (missing !== undefined) throw isMissing(making, missing);
    if (!known.some(([name]) => name === MADE)) await own.query(`create role ${quoted(MADE)} nologin`);
    if (!found) await own.query(`create role ${quoted(user)} nologin in role ${quoted(MADE)}`);
    // Nobody logs in with other roles than theirs: of a user that could not be given them, nothing can be used.
    await holdOnly(own, user, roles);
    await noteMade();
    await own.query(`alter role ${quoted(user)} login`);
  });
}

/**
 * Nothing happens while the user is connected by another session, which is answered with false, or is none of those that were made from here.
 */
export async function letGoOfUser(making: Making): Promise<boolean> {
  const { user } = making;
  return asAdministrator(making, LETTING_GO_MOST_MS, async own => {
    for (let looks = 0; ; looks++) {
      const [[others] = []] = (await own.query('select count(*)::int from pg_stat_activity where usename = $1', [user]))
        .rows;
      if (others === 0) break;
      if (looks === LOOKS_MOST) return false;
      await after(LOOK_EVERY_MS);
    }
    const [found] = (await own.query(FIND, [user, MADE])).rows;
    if (found?.[0] !== true) return true;
    await own.query(`alter role ${quoted(user)} nologin`);
    await holdOnly(own, user, []);
    return true;
  });
}

const FIND = `select exists (select from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid and g.rolname = $2)
  from pg_roles r where r.rolname = $1`;
const HELD = `select g.rolname from pg_auth_members m join pg_roles g on g.oid = m.roleid join pg_roles r on r.oid = m.member
  where r.rolname = $1`;

/** Grants what is missing of these roles, and takes all others away. */
async function holdOnly(own: OwnConnection, user: string, roles: readonly string[]): Promise<void> {
  const held = (await own.query(HELD, [user])).rows.map(([name]) => String(name)).filter(name => name !== MADE);
  for (const role of held.filter(name => !roles.includes(name)))
    await own.query(`revoke ${quoted(role)} from ${quoted(user)}`);
  for (const role of roles.filter(name => !held.includes(name)))
    await own.query(`grant ${quoted(role)} to ${quoted(user)}`);
}

/** Two sessions of one person begin and end one after the other. */
async function asAdministrator<Result>(
  making: Making,
  mostMs: number,
  act: (own: OwnConnection) => Promise<Result>,
): Promise<Result> {
  try {
    const own = await openOwn(making.admin, making.dial, mostMs);
    try {
      await own.query('select pg_advisory_lock(hashtextextended($1, 0))', [`postern user ${making.user}`]);
      return await act(own);
    } finally {
      own.close();
    }
  } catch (error) {
    throw error instanceof ConnectError
      ? error
      : refusal(making, error instanceof Error ? error.message : String(error));
  }
}

/** A name within a statement: none holds a character that ends it. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
