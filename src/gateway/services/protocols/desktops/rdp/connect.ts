// Reaches an RDP server as far as it can be without a client: how it is secured, its certificate, and who logs in where it asks for that first.

import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as secure, type TLSSocket } from 'node:tls';
import type { DesktopTarget } from '../../../../ports/desktops.ts';
import { ConnectError } from '../../../../ports/reach.ts';
import { readBytes } from '../../read-bytes.ts';
import { Malformed, WrongPassword } from '../passing.ts';
import type { Credentials } from './client-info.ts';
import { credSsp } from './cred-ssp.ts';
import { TPKT_HEAD_BYTES } from './pdus.ts';
import { type Confirmed, connectionRequest, readConfirm, SECURED } from './x224.ts';

export interface SecuredServer {
  readonly server: TLSSocket;
  /** What it has chosen, and bits that its clients are told of. */
  readonly secured: number;
  readonly flags: number;
  /** DER. */
  readonly certificate: Buffer;
}

/** Codes of a refusal (MS-RDPBCGR, 2.2.1.2.2), in words of what is to be done. */
const refusals: Readonly<Record<number, string>> = {
  2: 'it does not offer TLS: have it offer that, or NLA',
  3: 'it has no certificate: give it one',
  6: 'it asks for a smart card, which the gateway cannot show',
};

/** Secures a connection, and answers the SHA-256 of the certificate that is shown, hex. Throws ConnectError. Destroys the stream. */
export async function shownCertificate(stream: Duplex, desktop: Pick<DesktopTarget, 'name' | 'host'>): Promise<string> {
  try {
    return (await begin(stream, desktop)).shown;
  } catch (error) {
    throw asConnectError(error, desktop.name);
  } finally {
    stream.destroy();
  }
}

/**
 * `trusted` answers the SHA-256 of the certificate that is trusted, given the one that is shown. Throws ConnectError, WrongPassword.
 */
export async function connectRdp(
  stream: Duplex,
  desktop: Pick<DesktopTarget, 'name' | 'host'>,
  credentials: Credentials,
  trusted: (shown: string) => Promise<string>,
): Promise<SecuredServer> {
  const { name } = desktop;
  try {
    const { server, secured, flags, certificate, shown } = await begin(stream, desktop);
    const pinned = await trusted(shown);
    if (pinned !== shown) throw changed(name, pinned, shown);
    if (secured === SECURED.credSsp) {
      if (credentials.password === null) throw new WrongPassword(`${name} asks who logs in`);
      await credSsp(server, name, { ...credentials, password: credentials.password }, certificate);
    }
    return { server, secured, flags, certificate: certificate.raw };
  } catch (error) {
    throw asConnectError(error, name);
  }
}

/** As far as TLS, where it shows its certificate. */
async function begin(stream: Duplex, { name, host }: Pick<DesktopTarget, 'name' | 'host'>) {
  stream.write(connectionRequest());
  const confirmed = readConfirm(await readTpkt(stream));
  const { secured, flags } = chosen(confirmed, name);
  const server = await secureStream(stream, host);
  const certificate = server.getPeerX509Certificate();
  if (!certificate) throw new ConnectError('failed', `${name} showed no certificate.`);
  return { server, secured, flags, certificate, shown: certificate.fingerprint256.replaceAll(':', '').toLowerCase() };
}

function asConnectError(error: unknown, name: string): unknown {
  if (error instanceof ConnectError || error instanceof WrongPassword) return error;
  const why = error instanceof Malformed ? error.message : 'it hung up before anybody could log in';
  return new ConnectError('failed', `${name} could not be logged in to: ${why}.`);
}

const changed = (name: string, pinned: string, shown: string): ConnectError =>
  new ConnectError(
    'failed',
    `${name} shows another certificate than the one that is trusted: it was ${pinned}, and is ${shown}. ` +
      'Nothing was sent. Somebody may be in between, or the desktop was set up anew: compare it on the desktop itself. ' +
      `If it is the same, an administrator runs "Trust the new certificate of ${name}…" (or: postern desktops trust ${name}).`,
  );

function chosen(confirmed: Confirmed, name: string): { readonly secured: number; readonly flags: number } {
  if ('refused' in confirmed) {
    const why =
      refusals[confirmed.refused] ?? 'it knows neither TLS nor NLA: what is typed would cross the network readable';
    throw new ConnectError('failed', `${name} refused the connection: ${why}.`);
  }
  if (confirmed.secured === SECURED.tls || confirmed.secured === SECURED.credSsp) return confirmed;
  throw new ConnectError('failed', `${name} wants to be secured in a way that the gateway does not know.`);
}

async function readTpkt(stream: Duplex): Promise<Buffer> {
  const head = await readBytes(stream, TPKT_HEAD_BYTES);
  const length = head.readUInt16BE(2);
  if (head[0] !== 3 || length < TPKT_HEAD_BYTES + 7) throw new Malformed('it does not speak RDP');
  return Buffer.concat([head, await readBytes(stream, length - TPKT_HEAD_BYTES)]);
}

/** Which certificate is right, its pin says: servers sign their own. */
function secureStream(socket: Duplex, host: string): Promise<TLSSocket> {
  return new Promise((done, fail) => {
    const server = secure({ socket, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) });
    const refused = (): void => fail(new Malformed('it did not come to TLS with the gateway'));
    server.once('error', refused).once('close', refused);
    server.once('secureConnect', () => {
      server.off('error', refused).off('close', refused);
      server.on('error', () => undefined);
      done(server);
    });
  });
}
