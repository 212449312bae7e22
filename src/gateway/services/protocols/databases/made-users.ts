// Database users of people's own (create_db_user): what all protocols do around a session for which one is made.
import { ConnectError } from '../../../ports/reach.ts';
import { whenClosed } from '../when-closed.ts';
import type { DatabaseDoor, Dialled } from './door.ts';

/** Who belongs to it was made from here: a role of the database that gives nothing. */
export const MADE = 'postern-made';
/** A certificate of the administrator lives so long, ms. */
export const ADMINISTRATOR_MS = 60_000;
/** All of making a user, and of letting it go, ms. */
export const MAKING_MOST_MS = 15_000;
export const LETTING_GO_MOST_MS = 30_000;
/** What has hung up is still listed for a moment: it is looked at so often, and so far apart, ms. */
export const LOOKS_MOST = 50;
export const LOOK_EVERY_MS = 100;

/** The user of a database that a session is to have, and as whom it is made. */
export interface Made {
  readonly database: string;
  readonly user: string;
  readonly roles: readonly string[];
  readonly admin: { readonly dbUser: string; readonly dbName: string };
}
export const refusal = ({ database, user }: Pick<Made, 'database' | 'user'>, why: string): ConnectError =>
  new ConnectError('failed', `${database} was to make the user "${user}" (create_db_user): ${why}.`);
export const isNotOurs = (made: Pick<Made, 'database' | 'user'>): ConnectError =>
  refusal(made, `${made.database} has a user of this name that was not made from here: it is left alone`);
export const isMissing = (made: Pick<Made, 'database' | 'user'>, role: string): ConnectError =>
  refusal(made, `${made.database} has no role "${role}" (db_roles)`);

/** The person's own user, where `dbUser` is that; null for any other. */
export const madeFor = ({ database: { name, made } }: Pick<DatabaseDoor, 'database'>, dbUser: string): Made | null =>
  made?.name === dbUser ? { database: name, user: dbUser, roles: made.roles, admin: made.admin } : null;

/** A user that was made is let go of once the connection that `dialled` opens is over. Throws what that throws. */
export async function whileMade<Opened extends { readonly server: Dialled }>(
  { database, report }: Pick<DatabaseDoor, 'database' | 'report'>,
  user: string,
  letGo: () => Promise<unknown>,
  dialled: () => Promise<Opened>,
): Promise<Opened> {
  const over = (): void =>
    void letGo().catch((error: unknown) =>
      report(`the user ${user} of ${database.name} may still log in there`, error),
    );
  try {
    const opened = await dialled();
    whenClosed(opened.server, over);
    return opened;
  } catch (error) {
    over();
    throw error;
  }
}
