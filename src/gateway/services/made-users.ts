// Where users are made for sessions: on servers that the join script has prepared for it, and in databases that have an administrator. Sessions,
// protocols and what explains rights judge by the same.
import * as z from 'zod/mini';
import { userMakingProtocols } from '../../contract/database-protocols.ts';

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
