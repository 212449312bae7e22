// The way from the gateway to a database: over TLS, with a certificate made for this one session, to a server that shows who it is.
import { once } from 'node:events';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, rootCertificates, type TLSSocket } from 'node:tls';
import { type CertificateSigner, ConnectError, type DatabaseAccess, type Reach } from '../../../ports.ts';

/** The hand-shake takes no longer than this, ms. */
const HANDSHAKE_MS = 10_000;

export interface DialPorts {
  readonly reach: Pick<Reach, 'stream'>;
  readonly certificates: CertificateSigner;
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

/** Throws ConnectError with the step that failed and what to do. You must destroy the socket. */
export async function dial({ reach, certificates }: DialPorts, to: Dialling): Promise<TLSSocket> {
  const { database, dbUser } = to;
  const ends = new Date(Date.now() + to.ttlMs);
  const [shown, own, raw] = await Promise.all([
    certificates.issue('databaseClients', { name: dbUser, ends, for: 'client' }),
    certificates.authority('databaseServers'),
    reach.stream({ target: database.name, host: database.host, port: database.port }, to.own),
  ]);
  const late = AbortSignal.timeout(HANDSHAKE_MS);
  const giveUp = (): void => void raw.destroy();
  late.addEventListener('abort', giveUp);
  try {
    await to.begin(raw);
    const socket = connect({
      socket: raw,
      host: database.serverName,
      ...(isIP(database.serverName) === 0 && { servername: database.serverName }),
      // Databases of a cloud show certificates that everybody knows.
      ca: database.authorities ?? (database.type === 'self-hosted' ? own : [...rootCertificates]),
      cert: shown.certificate,
      key: shown.privateKey,
      ALPNProtocols: [...to.alpn],
      minVersion: 'TLSv1.2',
    });
    await once(socket, 'secureConnect');
    return socket;
  } catch (error) {
    raw.destroy();
    throw new ConnectError('failed', sentence(database.name, late.aborted ? null : error));
  } finally {
    late.removeEventListener('abort', giveUp);
  }
}

/** `error`: null when no answer came in time. */
function sentence(name: string, error: unknown): string {
  if (error === null) return `${name} did not answer within ${HANDSHAKE_MS / 1000} s.`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of ${name} is for another name: set spec.tls.server_name to the name that it has.`;
  if (/^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_)/.test(code))
    return `Nobody that this cluster knows vouches for the certificate of ${name} (${code}): give it one with postern db setup, or set spec.tls.ca_cert.`;
  return `${name} could not be reached over TLS: ${error instanceof Error ? error.message : String(error)}`;
}
