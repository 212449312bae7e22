// What a database server needs to take connections of the gateway, and to be believed by it: certificates, once, at its set-up.
import { gzipSync } from 'node:zlib';
import { Failure } from '../../../contract/failure.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { CertificateSigner } from '../../ports/certificates.ts';
import type { Actor } from '../../ports/who.ts';
import { tarEnd, tarHeader, tarPadding } from '../tar.ts';
import type { DatabasePasswords } from './passwords.ts';

const HOUR_MS = 3_600_000;
/** The authority itself ends after ten years. */
const LIFE_MOST_MS = 9 * 365 * 24 * HOUR_MS;

export interface DatabaseSetUpParts {
  readonly certificates: CertificateSigner;
  readonly passwords: Pick<DatabasePasswords, 'hashOf'>;
  readonly audit: AuditLog;
  readonly clock: () => Date;
}
export interface DatabaseSetUp {
  /** PEM each. */
  authorities(): Promise<{ readonly clients: string; readonly servers: string }>;
  /**
   * server.crt, server.key and server.cas (whom it should believe) as a gzip tar archive, and users.acl where `users` of a Redis are named.
   * The private key is kept nowhere else. Throws Failure bad_request for a time that is no hour or longer than nine years.
   */
  sign(hostnames: readonly string[], ttlMs: number, by: Actor, users?: readonly string[]): Promise<Buffer>;
}

export function createDatabaseSetUp({ certificates, passwords, audit, clock }: DatabaseSetUpParts): DatabaseSetUp {
  /** Users of a Redis, who may do what is not dangerous; nobody else comes in. */
  async function aclOf(hostnames: readonly string[], users: readonly string[]): Promise<string> {
    const lines = users.map(async user => {
      const hashes = await Promise.all(hostnames.map(async name => `#${await passwords.hashOf(name, user)}`));
      return `user ${user} on ${hashes.join(' ')} ~* &* +@all -@dangerous +info\n`;
    });
    return ['user default off\n', ...(await Promise.all(lines))].join('');
  }
  return {
    authorities: async () => ({
      clients: await certificates.authority('databaseClients'),
      servers: await certificates.authority('databaseServers'),
    }),
    async sign(hostnames, ttlMs, by, users = []) {
      if (ttlMs < HOUR_MS || ttlMs > LIFE_MOST_MS)
        throw new Failure('bad_request', 'ttl: between one hour and nine years');
      const ends = new Date(clock().getTime() + ttlMs);
      const { certificate, privateKey } = await certificates.issue('databaseServers', {
        name: hostnames[0] ?? '',
        ends,
        for: 'server',
        hosts: hostnames,
      });
      await audit.emit({
        code: 'TC000I',
        cert_type: 'database server',
        user: by.user,
        identity: { user: hostnames.join(','), expires: ends.toISOString() },
      });
      const trusted = await certificates.authority('databaseClients');
      const files = {
        ...{ 'server.crt': certificate, 'server.key': privateKey, 'server.cas': trusted },
        ...(users.length > 0 && { 'users.acl': await aclOf(hostnames, users) }),
      };
      return gzipSync(archiveOf(files, clock()));
    },
  };
}

/** Files that only their owner may read, as a tar. */
function archiveOf(files: Readonly<Record<string, string>>, modified: Date): Buffer {
  const about = { kind: 'file', mode: 0o600, uid: 0, gid: 0, modified } as const;
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const body = Buffer.from(text);
    return [tarHeader({ ...about, path: Buffer.from(name), size: body.length }), body, tarPadding(body.length)];
  });
  return Buffer.concat([...parts, tarEnd()]);
}
