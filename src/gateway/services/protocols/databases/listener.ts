// The port for database clients: TLS ends here, and the certificate says whose client it is and which database it is for.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import type { CertificateSigner } from '../../../ports.ts';
import type { DatabaseDoor } from './door.ts';
import { hangUp } from './hang-up.ts';
import { type Identity, identityOf } from './identity.ts';
import { CANCEL_REQUEST, fatal, GSS_REQUEST, SSL_REQUEST, STATE } from './postgresql/messages.ts';
import { createCancels, servePostgresql } from './postgresql/relay.ts';
import { readBytes } from './read-bytes.ts';

/** Whoever has not shown a certificate and started by then is hung up on, ms. */
const START_MS = 15_000;
/** Connections at once, of all people together. */
const CONNECTIONS_MOST = 2000;
const DAY_MS = 24 * 3_600_000;
/** The port's own certificate is made anew in memory, long before it ends, ms. */
const OWN_LIFE_MS = 7 * DAY_MS;
const TLS_HANDSHAKE = 0x16;
const REQUEST_BYTES = 8;

export interface ListenerPorts {
  readonly certificates: CertificateSigner;
  /** Names by which people reach the gateway. */
  readonly names: readonly string[];
  /** The way in for a certificate that was good when it was shown. Throws Failure with a sentence for the person. */
  enter(identity: Identity, remoteAddr: string): Promise<DatabaseDoor>;
  readonly report: (problem: string, error: unknown) => void;
}
export interface DatabaseListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Throws what listening does. */
export async function listenForDatabases(
  ports: ListenerPorts,
  at: { readonly host: string; readonly port: number },
): Promise<DatabaseListener> {
  const cancels = createCancels();
  const open = new Set<Socket>();
  const context = createContexts(ports);

  async function take(raw: Socket): Promise<void> {
    const [first] = await readBytes(raw, 1);
    if (first === TLS_HANDSHAKE) raw.unshift(Buffer.from([TLS_HANDSHAKE]));
    else if (!(await greet(raw, first ?? 0))) return;
    const socket = new TLSSocket(raw, {
      isServer: true,
      secureContext: await context(),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['postgresql'],
    });
    socket.on('error', () => raw.destroy());
    socket.once('close', () => raw.destroy());
    await once(socket, 'secure');
    await serve(socket, `${raw.remoteAddress}:${raw.remotePort}`);
  }
  /** What PostgreSQL's clients say before TLS. False: there is nothing more to do. */
  async function greet(raw: Socket, first: number): Promise<boolean> {
    let bytes: Buffer = Buffer.concat([Buffer.from([first]), await readBytes(raw, REQUEST_BYTES - 1)]);
    for (let asked = 0; asked < 2; asked++) {
      const code = bytes.readInt32BE(4);
      if (bytes.readInt32BE(0) === 2 * REQUEST_BYTES && code === CANCEL_REQUEST) {
        cancels.cancel(await readBytes(raw, REQUEST_BYTES));
        hangUp(raw);
        return false;
      }
      if (bytes.readInt32BE(0) !== REQUEST_BYTES || (code !== SSL_REQUEST && code !== GSS_REQUEST)) {
        hangUp(raw, fatal(STATE.protocol, 'Postern: this port speaks TLS only (sslmode=verify-full)'));
        return false;
      }
      if (code === SSL_REQUEST) {
        // What came in the clear behind the request must not be read as if it had been encrypted.
        if (raw.readableLength > 0) break;
        raw.write('S');
        return true;
      }
      raw.write('N');
      bytes = await readBytes(raw, REQUEST_BYTES);
    }
    raw.destroy();
    return false;
  }
  async function serve(socket: TLSSocket, remoteAddr: string): Promise<void> {
    const refuse = (why: string): void => hangUp(socket, fatal(STATE.denied, `Postern: ${why}`));
    const { servername, ssl } = socket as unknown as ServerSide;
    const shown = ssl.verifyError() ? undefined : socket.getPeerX509Certificate();
    const identity = shown && identityOf(shown);
    if (!identity) return refuse('show the certificate that postern db login has written');
    if (servername && !ports.names.includes(servername)) return refuse(`this gateway is not called ${servername}`);
    let door: DatabaseDoor;
    try {
      door = await ports.enter(identity, remoteAddr);
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error));
    }
    await servePostgresql(socket, door, cancels);
  }

  const server = createServer({ noDelay: true, keepAlive: true }, raw => {
    open.add(raw);
    raw.on('error', () => undefined);
    raw.once('close', () => open.delete(raw));
    const late = setTimeout(() => raw.destroy(), START_MS);
    raw.once('close', () => clearTimeout(late));
    take(raw).then(
      () => clearTimeout(late),
      // Cut off, late, or not what it should be: nobody is there to be told.
      () => raw.destroy(),
    );
  });
  server.maxConnections = CONNECTIONS_MOST;
  server.listen(at.port, at.host);
  await once(server, 'listening');
  server.on('error', error => ports.report('the port for databases failed', error));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : at.port,
    async close() {
      server.close();
      for (const raw of open) raw.destroy();
    },
  };
}

/** What a TLS socket of the server's side has beside its types. */
interface ServerSide {
  /** What the client says that it has called; false: nothing. */
  readonly servername: string | false;
  /** Why the client's certificate does not count, also where there is none; null: it does. */
  readonly ssl: { verifyError(): Error | null };
}

/** The port's own certificate: made at the first client, and again when half its life is over. */
function createContexts({ certificates, names }: ListenerPorts): () => Promise<SecureContext> {
  let made: Promise<SecureContext> | undefined;
  let until = 0;
  const make = async (): Promise<SecureContext> => {
    const own = await certificates.issue('gateway', {
      name: names[0] ?? 'gateway',
      ends: new Date(Date.now() + OWN_LIFE_MS),
      for: 'server',
      hosts: names,
    });
    return createSecureContext({
      cert: own.certificate,
      key: own.privateKey,
      ca: await certificates.authority('people'),
      minVersion: 'TLSv1.2',
    });
  };
  return () => {
    if (!made || Date.now() > until) {
      made = make();
      until = Date.now() + OWN_LIFE_MS / 2;
      made.catch(() => {
        made = undefined;
      });
    }
    return made;
  };
}
