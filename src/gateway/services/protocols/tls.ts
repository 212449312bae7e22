// TLS over a connection that is there already, to a server that shows who it is.
import { once } from 'node:events';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, rootCertificates, type TLSSocket } from 'node:tls';
import { ConnectError } from '../../ports/reach.ts';

/** The hand-shake takes no longer than this, ms. */
const HANDSHAKE_MS = 10_000;

interface SecureTo {
  /** As sentences call it. */
  readonly name: string;
  /** Name or IP address that its certificate has. */
  readonly serverName: string;
  /** PEM: who vouches for it; null: whom everybody knows. */
  readonly authorities: string | null;
  /** PEM: what is shown to it. */
  readonly shown?: { readonly certificate: string; readonly privateKey: string } | undefined;
  readonly alpn: readonly string[];
  /** What to do about a certificate for another name, and about one that nobody vouches for. */
  readonly advice: { readonly otherName: string; readonly unknown: string };
}

/** `begin` says to the server, on the bare connection, that TLS follows. Throws ConnectError with what to do. You must destroy the socket. */
export async function secure(
  raw: Duplex,
  to: SecureTo,
  begin: (raw: Duplex) => Promise<void> = async () => undefined,
): Promise<TLSSocket> {
  const late = AbortSignal.timeout(HANDSHAKE_MS);
  const giveUp = (): void => void raw.destroy();
  late.addEventListener('abort', giveUp);
  try {
    await begin(raw);
    const socket = connect({
      socket: raw,
      host: to.serverName,
      ...(isIP(to.serverName) === 0 && { servername: to.serverName }),
      ca: to.authorities ?? [...rootCertificates],
      ...(to.shown && { cert: to.shown.certificate, key: to.shown.privateKey }),
      ALPNProtocols: [...to.alpn],
      minVersion: 'TLSv1.2',
    });
    await once(socket, 'secureConnect');
    return socket;
  } catch (error) {
    raw.destroy();
    throw new ConnectError('failed', sentence(to, late.aborted ? null : error));
  } finally {
    late.removeEventListener('abort', giveUp);
  }
}

/** `error`: null when no answer came in time. */
function sentence({ name, advice }: SecureTo, error: unknown): string {
  if (error === null) return `${name} did not answer within ${HANDSHAKE_MS / 1000} s.`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of ${name} is for another name: ${advice.otherName}.`;
  if (/^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_)/.test(code))
    return `Nobody that this cluster knows vouches for the certificate of ${name} (${code}): ${advice.unknown}.`;
  return `${name} could not be reached over TLS: ${error instanceof Error ? error.message : String(error)}`;
}
