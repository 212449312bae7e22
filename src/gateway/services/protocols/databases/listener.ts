// The ports for people's own clients: TLS ends here, and the certificate says whose client it is and which database or cluster it is for.
// MySQL has a port of its own, since there the server speaks first; the others share one.
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { TUNNEL_PROTOCOL, type TunnelKind } from '../../../../contract/tunnels.ts';
import type { CertificateSigner } from '../../../ports/certificates.ts';
import { type CertifiedKind, certifiedAs, type Identity, identityOf } from '../identity.ts';
import { readBytes } from '../read-bytes.ts';
import type { DatabaseClients } from './clients.ts';
import type { Greeted } from './engine.ts';

/** Whoever has not shown a certificate and started by then is hung up on, ms. */
const START_MS = 15_000;
/** Connections at once, of all people together. */
const CONNECTIONS_MOST = 2000;
const DAY_MS = 24 * 3_600_000;
/** The port's own certificate is made anew in memory, long before it ends, ms. */
const OWN_LIFE_MS = 7 * DAY_MS;
const TLS_HANDSHAKE = 0x16;
const HTTP = 'http/1.1';

export interface ListenerPorts {
  readonly certificates: CertificateSigner;
  /** Names by which people reach the gateway. */
  readonly names: readonly string[];
  /** Serves those of databases. */
  readonly clients: DatabaseClients;
  /** Tells a client of a cluster why it does not come in. */
  refuseCluster(socket: TLSSocket, why: string): void;
  /** Takes connections of clients that go on to a leaf cluster. */
  takeElsewhere(socket: TLSSocket, client: ClientElsewhere): void;
  /** Takes connections of clients of clusters. */
  takeCluster(
    socket: TLSSocket,
    client: { readonly identity: Identity | undefined; readonly remoteAddr: string; readonly refusal?: string },
  ): void;
  /** Takes connections whose bytes nobody reads. */
  takeTunnel(
    socket: TLSSocket,
    client: { readonly kind: TunnelKind; readonly identity: Identity; readonly remoteAddr: string },
  ): void;
  readonly report: (problem: string, error: unknown) => void;
}
/** A client whose certificate names a leaf cluster. */
interface ClientElsewhere {
  readonly kind: CertifiedKind;
  readonly identity: Identity;
  readonly remoteAddr: string;
  /** Of databases: the protocol that it has begun to speak, and the number that it was greeted with; '' and null where it has not. */
  readonly protocol: string;
  readonly number: number | null;
  /** Tells it why it does not get there. */
  refuse(why: string): void;
}
const KINDS: readonly CertifiedKind[] = ['db', 'kube', 'tcp-app', 'tcp-db'];
interface Address {
  readonly host: string;
  readonly port: number;
}
interface Port {
  readonly at: Address;
  /** What is said before TLS. */
  greet(raw: Socket): Promise<Greeted>;
}
export interface DatabaseListener {
  /** Where clients of a protocol connect, and where those do that begin with TLS. */
  portsOf(protocol: string): { readonly port: number; readonly tlsPort: number };
  close(): Promise<void>;
}

/** Throws what listening does. */
export async function listenForDatabases(
  ports: ListenerPorts,
  at: { readonly databases: Address; readonly mysql: Address },
): Promise<DatabaseListener> {
  const { clients } = ports;
  const { byAlpn, mysql, postgresql } = clients;
  const open = new Set<Socket>();
  /** PostgreSQL's clients speak first, in the clear; those of Redis begin with TLS, and so do plain ports of people's machines. */
  async function byFirstByte(raw: Socket): Promise<Greeted> {
    const [first = 0] = await readBytes(raw, 1);
    if (first !== TLS_HANDSHAKE) return (await postgresql.greet(raw, first)) ? { speaks: postgresql } : null;
    raw.unshift(Buffer.from([first]));
    return {};
  }
  const context = createContexts(ports);

  async function take(raw: Socket, greet: Port['greet']): Promise<void> {
    const greeted = await greet(raw);
    if (!greeted) return;
    const socket = new TLSSocket(raw, {
      isServer: true,
      secureContext: await context(),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: [...byAlpn.keys(), HTTP, TUNNEL_PROTOCOL],
    });
    socket.on('error', () => raw.destroy());
    socket.once('close', () => raw.destroy());
    await once(socket, 'secure');
    await serve(socket, `${raw.remoteAddress}:${raw.remotePort}`, greeted);
  }
  async function serve(socket: TLSSocket, remoteAddr: string, greeted: Greeted): Promise<void> {
    const spoken = greeted?.speaks ?? byAlpn.get(socket.alpnProtocol || '');
    const refuse = (why: string): void => clients.refuse(socket, spoken, why);
    const { servername, ssl } = socket as unknown as ServerSide;
    const shown = ssl.verifyError() ? undefined : socket.getPeerX509Certificate();
    const certified = shown && certifiedBy(shown);
    if (certified?.identity.cluster !== undefined)
      return ports.takeElsewhere(socket, {
        ...certified,
        ...{ remoteAddr, protocol: spoken?.protocol ?? '', number: greeted?.number ?? null },
        refuse: refusalsOf(socket, certified.kind, refuse, ports.refuseCluster),
      });
    const otherName = servername && !ports.names.includes(servername) ? `this gateway is not called ${servername}` : '';
    const as = (kind: CertifiedKind): Identity | undefined =>
      certified?.kind === kind ? certified.identity : undefined;
    const cluster = as('kube');
    // Some clients of HTTP do not say in TLS that they speak it.
    if (cluster || socket.alpnProtocol === HTTP)
      return ports.takeCluster(socket, { identity: cluster, remoteAddr, refusal: otherName });
    if (socket.alpnProtocol === TUNNEL_PROTOCOL) {
      if (otherName !== '') return void socket.end(`${otherName}\n`);
      for (const kind of ['app', 'db'] as const) {
        const identity = as(certifiedAs[kind]);
        if (identity) return ports.takeTunnel(socket, { kind, identity, remoteAddr });
      }
      return void socket.end('show the certificate that postern proxy has fetched\n');
    }
    const identity = as('db');
    if (!identity) return refuse('show the certificate that postern db login has written');
    if (otherName !== '') return refuse(otherName);
    await clients.serve(socket, { identity, remoteAddr, spoken });
  }

  const accept = (greet: Port['greet']) => (raw: Socket) => {
    open.add(raw);
    raw.on('error', () => undefined);
    raw.once('close', () => open.delete(raw));
    const late = setTimeout(() => raw.destroy(), START_MS);
    raw.once('close', () => clearTimeout(late));
    take(raw, greet).then(
      () => clearTimeout(late),
      // Cut off, late, or not what it should be: nobody is there to be told.
      () => raw.destroy(),
    );
  };
  const servers: Server[] = [];
  async function listen({ at, greet }: Port): Promise<number> {
    const server = createServer({ noDelay: true, keepAlive: true }, accept(greet));
    server.maxConnections = CONNECTIONS_MOST;
    server.listen(at.port, at.host);
    await once(server, 'listening');
    servers.push(server);
    server.on('error', error => ports.report('a port for databases failed', error));
    const address = server.address();
    return typeof address === 'object' && address ? address.port : at.port;
  }
  const close = (): void => {
    for (const server of servers) server.close();
    for (const raw of open) raw.destroy();
  };
  try {
    const port = await listen({ at: at.databases, greet: byFirstByte });
    const mysqlPort = await listen({ at: at.mysql, greet: mysql.greet });
    return {
      portsOf: protocol => ({ port: protocol === mysql.protocol ? mysqlPort : port, tlsPort: port }),
      close: async () => close(),
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** What a certificate is for: each is for one thing. */
function certifiedBy(
  shown: X509Certificate,
): { readonly kind: CertifiedKind; readonly identity: Identity } | undefined {
  for (const kind of KINDS) {
    const identity = identityOf(kind, shown);
    if (identity) return { kind, identity };
  }
  return undefined;
}

/** How a client of each kind is told why it does not come in. */
function refusalsOf(
  socket: TLSSocket,
  kind: CertifiedKind,
  database: (why: string) => void,
  cluster: ListenerPorts['refuseCluster'],
): (why: string) => void {
  if (kind === 'db') return database;
  if (kind !== 'kube') return why => void socket.end(`${why.replace(/\s+/g, ' ')}\n`);
  return why => cluster(socket, why);
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
