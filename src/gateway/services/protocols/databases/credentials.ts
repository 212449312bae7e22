// A person's certificate for one database: made for a key that never leaves their machine, good as long as their web session.
import { Failure } from '../../../../contract/failure.ts';
import type { AuditLog, CertificateSigner, Who } from '../../../ports.ts';
import type { Resources } from '../../../store/store.ts';
import { identityUris } from '../identity.ts';
import { targetOf } from './targets.ts';

/** Long enough for a working day, ms: it counts no longer than the web session that it was made in. */
const LIFE_MOST_MS = 12 * 3_600_000;
/** With a second factor for each session, a certificate is for the one that is begun now, ms. */
const PROVEN_LIFE_MS = 60_000;

export interface CredentialParts {
  readonly certificates: CertificateSigner;
  readonly resources: Pick<Resources, 'get'>;
  readonly audit: AuditLog;
  /** Where clients of a protocol connect; null: nowhere. */
  readonly listensOn: (protocol: string) => Pick<DatabaseCredential, 'host' | 'port' | 'tlsPort'> | null;
  readonly clock: () => Date;
}
/** What a client needs. */
export interface DatabaseCredential {
  readonly certificate: string;
  /** PEM: vouches for the gateway. */
  readonly authority: string;
  readonly host: string;
  readonly port: number;
  /** Where TLS is what a connection begins with. */
  readonly tlsPort: number;
  readonly protocol: string;
  readonly expires: string;
  readonly users: readonly string[];
  readonly names: readonly string[];
}
export interface DatabaseCredentials {
  /** `device`: id of the one that was shown for it. Throws Failure not_found, denied, unsupported, bad_request for a key that is none. */
  issue(who: Who, database: string, publicKey: string, device?: string): Promise<DatabaseCredential>;
}

export function createDatabaseCredentials(parts: CredentialParts): DatabaseCredentials {
  const { certificates, resources, audit, clock } = parts;
  return {
    async issue(who, name, publicKey, device = '') {
      const { labels, protocol } = await targetOf(resources, who.rights, name);
      const users = who.rights.principals('db_users', labels);
      if (users.length === 0) throw new Failure('denied', `no role gives you a database user on ${name} (db_users)`);
      const at = parts.listensOn(protocol);
      if (!at)
        throw new Failure(
          'unsupported',
          'this gateway takes no database clients: it needs --databases-listen HOST:PORT',
        );
      const asksFactor = who.rights.options.sessionFactor;
      if (asksFactor && device === '')
        throw new Failure('denied', 'MFA required: your roles ask for a second factor for each session');
      const most = clock().getTime() + (asksFactor ? PROVEN_LIFE_MS : LIFE_MOST_MS);
      const ends = new Date(Math.min(who.expires.getTime(), most));
      const { certificate } = await certificates.issue('people', {
        name: who.user,
        ends,
        for: 'client',
        uris: identityUris('db', { userId: who.userId, webSessionId: who.webSessionId, target: name, device }),
        publicKey,
      });
      await audit.emit({
        code: 'TC000I',
        cert_type: 'user',
        user: who.user,
        user_id: who.userId,
        'addr.remote': who.remoteAddr,
        identity: { user: who.user, expires: ends.toISOString(), route_to_database: { service_name: name, protocol } },
      });
      return {
        certificate,
        authority: await certificates.authority('gateway'),
        ...at,
        protocol,
        expires: ends.toISOString(),
        users,
        names: who.rights.principals('db_names', labels),
      };
    },
  };
}
