// The way in for a database client that has shown its certificate: who it is now, and the session that begins.
import type { CertificateSigner } from '../../../ports/certificates.ts';
import type { DatabaseTarget, OpenDatabase, RdsLogins, Statements } from '../../../ports/databases.ts';
import type { Reach } from '../../../ports/reach.ts';
import type { Who } from '../../../ports/who.ts';
import type { Resources } from '../../../store/store.ts';
import type { Identity } from '../identity.ts';
import type { DatabaseDoor } from './door.ts';
import type { StatementReader } from './statement-reader.ts';
import { targetOf, usersOf } from './targets.ts';

export interface EntranceParts {
  readonly resources: Pick<Resources, 'get'>;
  /** The person as they are now. Throws Failure signed_out when their web session is over. */
  readonly again: (of: Pick<Who, 'userId' | 'webSessionId' | 'remoteAddr'>) => Promise<Who>;
  readonly sessions: { relay(request: OpenDatabase): Promise<Statements> };
  readonly reach: Pick<Reach, 'stream'>;
  readonly certificates: CertificateSigner;
  readonly statementReader: Pick<StatementReader, 'read'>;
  readonly report: (problem: string, error: unknown) => void;
  readonly awsOidc: { readonly rdsLogins: RdsLogins };
  readonly databasePasswords: { of(serverName: string, dbUser: string): Promise<string> };
}

/** Throws Failure signed_out, not_found, unsupported. */
export async function enter(parts: EntranceParts, identity: Identity, remoteAddr: string): Promise<DatabaseDoor> {
  const { userId, webSessionId, target: name, device } = identity;
  const who = await parts.again({ userId, webSessionId, remoteAddr });
  return openDoor(parts, who, await targetOf(parts.resources, who, name), device);
}

/** The way in for a person who is known. `device`: of the second factor that was shown for it; '' where none was. */
export const openDoor = (parts: EntranceParts, who: Who, database: DatabaseTarget, device: string): DatabaseDoor => ({
  database,
  ports: parts,
  users: usersOf(who.rights, database),
  readStatement: (protocol, text) => parts.statementReader.read(who.userId, protocol, text),
  report: parts.report,
  password: dbUser => parts.databasePasswords.of(database.serverName, dbUser),
  begin: ({ dbUser, dbName, reach }) =>
    parts.sessions.relay({
      who,
      database,
      dbUser,
      dbName,
      ...(device !== '' && { device }),
      reach: (ttlMs, noteMade) => reach({ ttlMs, noteMade, own: who.rights.options.reachLoopback }),
    }),
});
