// A person's certificate for one database: made for a key that never leaves their machine, good as long as their web session.
import { Failure } from '../../../../contract/failure.ts';
import type { Who } from '../../../ports/who.ts';
import type { Resources } from '../../../store/store.ts';
import { unpreparedDatabase } from '../../made-users.ts';
import { type PersonCertificate, type PersonCertificates, placeFor } from '../person-certificates.ts';
import { targetOf, usersOf } from './targets.ts';

export interface CredentialParts {
  readonly personCertificates: PersonCertificates;
  readonly resources: Pick<Resources, 'get'>;
  /** Where clients of a protocol connect; null: nowhere. */
  readonly listensOn: (protocol: string) => Pick<DatabaseCredential, 'host' | 'port' | 'tlsPort'> | null;
}
/** What a client needs. */
export interface DatabaseCredential extends PersonCertificate {
  readonly host: string;
  readonly port: number;
  /** Where TLS is what a connection begins with. */
  readonly tlsPort: number;
  readonly protocol: string;
  readonly users: readonly string[];
  readonly names: readonly string[];
}
export interface DatabaseCredentials {
  /** `device`: id of the one that was shown for it. Throws Failure not_found, denied, unsupported, bad_request for a key that is none. */
  issue(who: Who, database: string, publicKey: string, device?: string): Promise<DatabaseCredential>;
}

export function createDatabaseCredentials(parts: CredentialParts): DatabaseCredentials {
  const { personCertificates, resources } = parts;
  return {
    async issue(who, name, publicKey, device = '') {
      const target = await targetOf(resources, who, name);
      const { labels, protocol } = target;
      const users = usersOf(who.rights, target);
      if (users.length === 0) {
        const unprepared = unpreparedDatabase(who.rights, target);
        throw new Failure(
          'denied',
          `no role gives you a database user on ${name} (db_users)${unprepared === null ? '' : `. ${unprepared}`}`,
        );
      }
      const at = placeFor(who, parts.listensOn(protocol));
      const route = { route_to_database: { service_name: name, protocol } };
      return {
        ...(await personCertificates.issue(who, { kind: 'db', name, publicKey, device, route })),
        ...at,
        protocol,
        users,
        names: who.rights.principals('db_names', labels),
      };
    },
  };
}
