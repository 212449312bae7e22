// The way from the gateway to a database: over TLS, with a certificate made for this one session, to a server that shows who it is.
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { CertificateSigner } from '../../../ports/certificates.ts';
import type { DatabaseAccess, DatabaseTarget, RdsLogins } from '../../../ports/databases.ts';
import type { Reach } from '../../../ports/reach.ts';
import { tunnelWay } from '../../tunnel-way.ts';
import { secure } from '../tls.ts';

export interface DialPorts {
  readonly reach: Pick<Reach, 'stream'>;
  readonly certificates: CertificateSigner;
  readonly awsOidc: { readonly rdsLogins: RdsLogins };
}
export interface Dialling extends DatabaseAccess {
  /** The certificate lives so long, ms. */
  readonly ttlMs: number;
  /** Whether it may be on the gateway's own machine. */
  readonly own: boolean;
  readonly alpn: readonly string[];
  /** Says to the server, on the bare connection, that TLS follows. Rejects when it will not. */
  begin(raw: Duplex): Promise<void>;
}

/** What a database is shown as a password; null: it knows users by their certificates. Throws ConnectError. */
export async function passwordOf(
  { awsOidc }: Pick<DialPorts, 'awsOidc'>,
  { rds, host, port }: DatabaseTarget,
  dbUser: string,
): Promise<string | null> {
  return rds && awsOidc.rdsLogins.password({ ...rds, host, port, dbUser });
}

/** Throws ConnectError with the step that failed and what to do. You must destroy the socket. */
export async function dial({ reach, certificates, awsOidc }: DialPorts, to: Dialling): Promise<TLSSocket> {
  const { database, dbUser } = to;
  const { rds } = database;
  const ends = new Date(Date.now() + to.ttlMs);
  const [shown, own, raw] = await Promise.all([
    rds ? undefined : certificates.issue('databaseClients', { name: dbUser, ends, for: 'client' }),
    rds ? awsOidc.rdsLogins.authorities(rds.region) : certificates.authority('databaseServers'),
    reach.stream(
      {
        target: database.name,
        host: database.host,
        port: database.port,
        way: tunnelWay('db', database.name, database.labels),
      },
      to.own,
    ),
  ]);
  return secure(
    raw,
    {
      name: database.name,
      serverName: database.serverName,
      // Databases of a cloud show certificates that everybody knows, but for those of RDS.
      authorities: database.authorities ?? (database.type === 'self-hosted' || rds ? own : null),
      shown,
      alpn: to.alpn,
      advice: {
        otherName: 'set spec.tls.server_name to the name that it has',
        unknown: 'give it one with postern db setup, or set spec.tls.ca_cert',
      },
    },
    bare => to.begin(bare),
  );
}
