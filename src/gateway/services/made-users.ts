// Where users are made for sessions: on servers that the join script has prepared for it, and in databases that have an administrator. Sessions,
// protocols and what explains rights judge by the same.
import * as z from 'zod/mini';
import { userMakingProtocols } from '../../contract/database-protocols.ts';
import type { DatabaseTarget } from '../ports/databases.ts';
import type { Rights } from '../ports/rights.ts';

/** The label of a server that makes users. */
const MAKING_LABEL = { name: 'users', value: 'made' } as const;

/** Whether a server makes users (create_host_user). The gateway's own machine is never prepared for it. */
export const makesHostUsers = (subKind: string, labels: Readonly<Record<string, string>>): boolean =>
  subKind !== 'local' && labels[MAKING_LABEL.name] === MAKING_LABEL.value;

const making = z.object({ protocol: z.string(), admin_user: z.optional(z.object({ name: z.string() })) });
/** Whether a database makes users of people's own (create_db_user), from its spec as it is stored. */
export function makesDatabaseUsers(spec: unknown): boolean {
  const read = z.safeParse(making, spec);
  return read.success && read.data.admin_user !== undefined && userMakingProtocols.has(read.data.protocol);
}

/** That a database makes no user although roles ask for one (create_db_user); null: it does, or nobody asks for it. */
export function unpreparedDatabase(
  { ownDatabaseUser }: Pick<Rights, 'ownDatabaseUser'>,
  { name, labels, protocol, made }: Pick<DatabaseTarget, 'name' | 'labels' | 'protocol' | 'made'>,
): string | null {
  if (made !== null || !ownDatabaseUser(labels)) return null;
  return userMakingProtocols.has(protocol)
    ? `${name} has no admin_user who would make users, so create_db_user does nothing there.`
    : `No users are made in databases that speak ${protocol}, so create_db_user does nothing in ${name}.`;
}
