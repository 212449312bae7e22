// A database user of a person's own that is there for their sessions (create_db_user): the gateway makes it, or lets it in again, as the
// server's administrator, with the roles that theirs name; once nobody uses it, it is locked and holds none. What was made from here holds one
// role of that name, and nothing else is ever touched. In MariaDB one role is in force at a time: there each user has one, which holds theirs.
import { createHash } from 'node:crypto';
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
import { ask } from './reading.ts';

/** Longest names of users and roles, characters: of MySQL, and of any MariaDB. */
const NAME_MOST = { mysql: 32, mariadb: 80 } as const;
/** What names begin with that were made from others. */
const OURS = 'postern-';
/** Two sessions of one person begin and end one after the other: how long one waits for the other, s. */
const LOCK_WAIT_S = 10;
/** MariaDB locks accounts from here on. */
const MARIADB_LEAST = [10, 4] as const;
const MYSQL_LEAST = [8, 0] as const;

export interface Making extends Made {
  /** Logs in as the administrator. */
  dial(): Promise<Duplex>;
}
/** How the person's session goes on. */
export interface InUse {
  /** Its name in the server. */
  readonly name: string;
  /**
   * Checks, on the person's own connection, that it is who was made, takes up its roles, and goes into the database, which they may be needed
   * for ('': into none). Throws ConnectError.
   */
  enter(own: Duplex, database: string): Promise<void>;
  letGo(): Promise<boolean>;
}

/** `noteMade`: before it may log in; what that throws ends the making. Throws ConnectError with a sentence. */
export async function makeUser(making: Making, noteMade: () => Promise<void>): Promise<InUse> {
  const inside = await asAdministrator(making, MAKING_MOST_MS, async (server, name) => {
    const exists = await isThere(server, name);
    if (exists && !(await isOurs(server, name))) throw isNotOurs(making);
    const known = (await server.ask(server.isMariadb ? ROLES_MARIADB : ROLES_MYSQL)).map(([role]) => role);
    const missing = making.roles.find(role => !known.includes(role));
    if (missing !== undefined) throw isMissing(making, missing);
    if (!known.includes(MADE)) await server.ask(`create role if not exists ${text(MADE)}`);
    if (!exists) {
      await server.ask(`create user ${account(name)} require subject ${text(`/CN=${name}`)} account lock`);
      await server.ask(`grant ${text(MADE)} to ${account(name)}`);
    }
    await holdOnly(server, name, making.roles);
    await noteMade();
    // A password that somebody gave their own user would keep them out.
    const certificate = `identified by '' require subject ${text(`/CN=${name}`)}`;
    await server.ask(`alter user ${account(name)} ${certificate} account unlock`);
    return { name, personRole: server.isMariadb ? personRole(name) : null };
  });
  return {
    name: inside.name,
    async enter(own, database) {
      const [[who = ''] = []] = await ask(own, 'select current_user()');
      if (who !== `${inside.name}@%`) throw refusal(making, `${making.database} takes it for "${who}"`);
      try {
        if (inside.personRole !== null) {
          // Their own default is theirs to set: as the administrator it would take writing to the server's own tables.
          await ask(own, `set default role ${text(inside.personRole)}`);
          await ask(own, `set role ${text(inside.personRole)}`);
        }
        if (database !== '') await ask(own, `use \`${database.replaceAll('`', '``')}\``);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new ConnectError(
          'principal_refused',
          `${making.database} refused database user "${making.user}": ${why}`,
        );
      }
    },
    letGo: () => letGoOfUser(making),
  };
}

/**
 * Nothing happens while the user is connected by another session, which is answered with false, or is none of those that were made from here.
 */
export async function letGoOfUser(making: Making): Promise<boolean> {
  return asAdministrator(making, LETTING_GO_MOST_MS, async (server, name) => {
    for (let looks = 0; await isConnected(server, name); looks++) {
      if (looks === LOOKS_MOST) return false;
      await after(LOOK_EVERY_MS);
    }
    if (!(await isThere(server, name)) || !(await isOurs(server, name))) return true;
    await server.ask(`alter user ${account(name)} account lock`);
    await holdOnly(server, name, []);
    return true;
  });
}

/** What the server knows a person by: their own name, or one that is made from it where that is too long or not of plain characters. */
function nameInside(user: string, most: number): string {
  if (user.length <= most && /^[!-~]+$/.test(user) && !user.startsWith(OURS)) return user;
  return `${OURS}${createHash('sha256')
    .update(user)
    .digest('base64url')
    .slice(0, NAME_MOST.mysql - OURS.length)}`;
}
const personRole = (name: string): string => {
  const whole = `${OURS}role-${name}`;
  return whole.length <= NAME_MOST.mariadb ? whole : nameInside(whole, NAME_MOST.mysql);
};

interface Server {
  readonly isMariadb: boolean;
  ask(statement: string): Promise<readonly (readonly string[])[]>;
}
const ROLES_MARIADB = "select user from mysql.user where is_role = 'Y'";
const ROLES_MYSQL = "select user from mysql.user where host = '%'";

/** Whether there is a user of this name, from wherever it may come. */
const isThere = async (server: Server, name: string): Promise<boolean> => {
  const isUser = server.isMariadb ? " and is_role = 'N'" : '';
  return (await server.ask(`select host from mysql.user where user = ${text(name)}${isUser}`)).length > 0;
};
/** One that comes in elsewhere as well was made by others. */
async function isOurs(server: Server, name: string): Promise<boolean> {
  const hosts = await server.ask(
    `select host from mysql.user where user = ${text(name)}${server.isMariadb ? " and is_role = 'N'" : ''}`,
  );
  return hosts.length === 1 && hosts[0]?.[0] === '%' && (await rolesOf(server, name, '%')).includes(MADE);
}
/** Roles that a user (of any host: '%') or a role of MariaDB ('') holds. */
async function rolesOf(server: Server, name: string, host: '%' | ''): Promise<readonly string[]> {
  const rows = await server.ask(
    server.isMariadb
      ? `select role from mysql.roles_mapping where user = ${text(name)} and host = ${text(host)}`
      : `select from_user from mysql.role_edges where to_user = ${text(name)} and to_host = ${text(host)}`,
  );
  return rows.flatMap(([role]) => role ?? []);
}
const isConnected = async (server: Server, name: string): Promise<boolean> =>
  (await server.ask(`select count(*) from information_schema.processlist where user = ${text(name)}`))[0]?.[0] !== '0';

/** Grants what is missing of these roles, and takes all others away. */
async function holdOnly(server: Server, name: string, roles: readonly string[]): Promise<void> {
  if (server.isMariadb) {
    const own = personRole(name);
    const isKnown = (await server.ask(ROLES_MARIADB)).some(([role]) => role === own);
    if (!isKnown) await server.ask(`create role ${text(own)}`);
    await grantOnly(server, text(own), await rolesOf(server, own, ''), roles);
    await grantOnly(server, account(name), await rolesOf(server, name, '%'), [MADE, own]);
  } else {
    await grantOnly(server, account(name), await rolesOf(server, name, '%'), [MADE, ...roles]);
    await server.ask(`set default role ${roles.map(text).join(', ') || 'none'} to ${account(name)}`);
  }
}
async function grantOnly(
  server: Server,
  to: string,
  held: readonly string[],
  wanted: readonly string[],
): Promise<void> {
  for (const role of held.filter(one => !wanted.includes(one))) await server.ask(`revoke ${text(role)} from ${to}`);
  for (const role of wanted.filter(one => !held.includes(one))) await server.ask(`grant ${text(role)} to ${to}`);
}

async function asAdministrator<Result>(
  making: Making,
  mostMs: number,
  act: (server: Server, name: string) => Promise<Result>,
): Promise<Result> {
  let connection: Duplex | undefined;
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    connection?.destroy();
  }, mostMs);
  try {
    const own = await making.dial();
    connection = own;
    const [[version = ''] = []] = await ask(own, 'select version()');
    const isMariadb = /mariadb/i.test(version);
    if (!isAtLeast(version, isMariadb ? MARIADB_LEAST : MYSQL_LEAST))
      throw refusal(making, `${making.database} is ${version}; users are made from MySQL 8.0 and MariaDB 10.4 on`);
    // So that quotes and escapes mean what is written here.
    await ask(own, "set sql_mode = ''");
    const name = nameInside(making.user, isMariadb ? NAME_MOST.mariadb : NAME_MOST.mysql);
    const [[isLocked] = []] = await ask(own, `select get_lock(${text(lockOf(name))}, ${LOCK_WAIT_S})`);
    if (isLocked !== '1') throw refusal(making, 'another session of the same user takes too long');
    return await act({ isMariadb, ask: statement => ask(own, statement) }, name);
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw refusal(making, isLate ? 'the database took too long' : why);
  } finally {
    clearTimeout(late);
    connection?.destroy();
  }
}
const isAtLeast = (version: string, [major, minor]: readonly [number, number]): boolean => {
  const [ours = 0, its = 0] = version.split('.').map(part => Number.parseInt(part, 10));
  return ours > major || (ours === major && its >= minor);
};
/** Names of locks are bounded more narrowly than those of users. */
const lockOf = (name: string): string => nameInside(`postern user ${name}`, 0);

/** A text within a statement; roles and users are written so too. */
const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
const account = (name: string): string => `${text(name)}@'%'`;
