// Database users that the death of a gateway left behind (create_db_user): their sessions were cut short, so nobody let go of them.
import type { Rights, RightsUser } from '../../../ports/rights.ts';
import type { Events, Resources, UserRecord, Users } from '../../../store/store.ts';
import type { Retries } from '../../retries.ts';
import type { DialPorts } from './dial.ts';
import { madeFor } from './made-users.ts';
import { leftTargetOf } from './targets.ts';

export interface LeftUsersParts extends DialPorts {
  readonly resources: Pick<Resources, 'get'>;
  readonly users: Pick<Users, 'known'>;
  readonly rights: { rightsOf(user: RightsUser): Promise<Rights> };
  readonly events: Pick<Events, 'startOf' | 'madeUserOf'>;
  readonly retries: Pick<Retries, 'until'>;
  readonly report: (problem: string, error: unknown) => void;
}

/**
 * Tries, some 15 minutes of them: a database that is away for longer, or where something that nobody waits for goes on for longer, is set right at
 * the person's next session.
 */
const TRIES_MOST = 20;

/**
 * Lets go of the users that these sessions had made: those of them that another session uses stay. Resolves when that is done, or was given up.
 */
export async function letGoOfLeft(parts: LeftUsersParts, sids: readonly string[]): Promise<void> {
  const left = new Map<string, { readonly database: string; readonly dbUser: string; readonly user: string }>();
  for (const sid of sids) {
    // It was made ready, or a prompt went on to another database of the server; the start of others names no roles.
    const raw = ((await parts.events.startOf(sid)) ?? (await parts.events.madeUserOf(sid)))?.raw;
    if (!Array.isArray(raw?.db_roles)) continue;
    const [database, dbUser, user] = [raw.db_service, raw.db_user, raw.user].map(String) as [string, string, string];
    left.set(JSON.stringify([database, dbUser]), { database, dbUser, user });
  }
  await Promise.all(
    [...left.values()].map(({ database, dbUser, user }) => {
      const what = `database user ${dbUser} of ${database}, which a session had that was cut short: that it is let go of`;
      return parts.retries.until(what, async failures => {
        try {
          await letGo(parts, { database, dbUser, user });
        } catch (error) {
          if (failures + 1 < TRIES_MOST) throw error;
          parts.report(`the user ${dbUser} of ${database} may still log in there, until ${user} uses it again`, error);
        }
      });
    }),
  );
}

async function letGo(
  parts: LeftUsersParts,
  { database: name, dbUser, user }: { readonly database: string; readonly dbUser: string; readonly user: string },
): Promise<void> {
  const database = await leftTargetOf(parts.resources, dbUser, name);
  const made = database && madeFor({ database }, dbUser);
  // The database is no longer known here, or has no administrator any more: there is nobody who could.
  if (!made) return;
  const person: UserRecord | null = await parts.users.known(user);
  const own = person !== null && (await parts.rights.rightsOf(person)).options.reachLoopback;
  const { letGoOf } =
    database.protocol === 'postgres' ? await import('./postgresql/relay.ts') : await import('./mysql/relay.ts');
  if (!(await letGoOf({ database, ports: parts }, made, own))) throw new Error(`${dbUser} is connected there still`);
}
