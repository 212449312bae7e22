// The gateway's SSH port: takes connections, sees that the key was really used, and hands on whoever may come in. The user name says to whom.
import events from 'node:events';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AuthContext, Connection, PublicKeyAuthContext } from 'ssh2';
import { networkOf } from '../../../network-of.ts';
import { once } from '../../../shared-key.ts';
import { gatherPackets, missingServerFields, pingClient, prepareKeys } from '../ssh2-private.ts';
import type { PortHostKey } from './host-key.ts';
import { createUnproven } from './unproven.ts';
import type { Entered, Way, Ways } from './way.ts';

/** Whoever has not logged in by then is hung up on, ms. */
const LOG_IN_MS = 20_000;
/** Log-ins that one connection may try: an agent offers all its keys. */
const TRIES_MOST = 12;
/** Connections of one address that come to nothing: so many at once, and so many more each minute. */
export const FAILED = { burst: 120, perMinute: 60 } as const;
/** The user name of machines that dial in. */
const TUNNEL = 'tunnel';
/** A peer is asked so often before it counts as gone. */
const ASKED_TIMES = 3;

export interface SshPortParts {
  /** Asked for with the first connection. */
  readonly hostKey: () => Promise<Pick<PortHostKey, 'privateKey'>>;
  readonly ways: Ways;
  /** Counts connections of an address that came to nothing: answers 0, or that it has had enough. */
  readonly failures: { take(address: string | undefined): number };
  readonly report: (problem: string, error: unknown) => void;
}
export interface SshPort {
  /** Null where nothing is listened on: connections are then only handed over. */
  readonly port: number | null;
  /** Takes a connection that came another way, and that `way` judges whatever its user name. */
  take(stream: Duplex, from: { readonly remoteAddr: string; readonly way: Way }): void;
  close(): Promise<void>;
}
interface Address {
  readonly host: string;
  readonly port: number;
}
/** A connection from its first byte on. */
interface Guesting {
  readonly stream: Duplex;
  readonly remoteAddr: string;
  /** Null: by the user name. */
  readonly way: Way | null;
  /** Bytes that have come so far. */
  read(): number;
  /** Hangs up on whoever does not log in. */
  readonly late: NodeJS.Timeout;
  /** It holds no place of those any more that have not logged in. */
  readonly leave: () => void;
  proven: boolean;
}

/** Throws what listening does. `at` null: nothing is listened on. */
export async function listenForSsh(parts: SshPortParts, at: Address | null): Promise<SshPort> {
  const { ways, failures, report } = parts;
  const open = new Set<Guesting>();
  /** By the address that the engine reads from the stream. */
  const arrived = new Map<string, Guesting>();
  const unproven = createUnproven();
  /** By network, until when. */
  const blocked = new Map<string, number>();
  let taken = 0;
  /** With the first connection. */
  const load = once(async () => {
    const [{ createEngine, signedBy }, { privateKey }] = await Promise.all([import('./engine.ts'), parts.hostKey()]);
    const engine = createEngine(privateKey);
    engine.on('connection', (connection, { ip, port }) => {
      const guest = arrived.get(keyOf(ip, port));
      if (!guest) return void connection.end();
      const missing = missingServerFields(connection);
      if (missing.length > 0) {
        report('people cannot come in', new Error(`the SSH server has no ${missing.join(', ')}`));
        return guest.stream.destroy();
      }
      meet(connection, guest);
    });
    return { engine, signedBy };
  });

  function admit(stream: Duplex, from: Pick<Guesting, 'remoteAddr' | 'way' | 'read'>, key: string, ip: string): void {
    // Whoever is signed in already is not held up by strangers behind the same address.
    const network = from.way ? `${HANDED_OVER} ${networkOf(ip)}` : networkOf(ip);
    const isBlocked = (blocked.get(network) ?? 0) > Date.now();
    const leave = isBlocked ? null : unproven.hold(network, { read: from.read, cut: () => stream.destroy() });
    if (!leave) {
      stream.on('error', () => undefined).destroy();
      return;
    }
    blocked.delete(network);
    const late = setTimeout(() => stream.destroy(), LOG_IN_MS);
    const guest: Guesting = { ...from, stream, late, leave, proven: false };
    open.add(guest);
    arrived.set(key, guest);
    stream.once('close', () => {
      clearTimeout(late);
      open.delete(guest);
      leave();
      arrived.delete(key);
      if (guest.proven) return;
      const waitSeconds = failures.take(network);
      if (waitSeconds > 0) blocked.set(network, Date.now() + waitSeconds * 1000);
      if (blocked.size > BLOCKED_MOST) blocked.delete(blocked.keys().next().value ?? '');
    });
    load().then(
      ({ engine }) => {
        if (!stream.destroyed) engine.injectSocket(stream as Socket);
      },
      (error: unknown) => {
        report('nobody can come in at the SSH port', error);
        stream.destroy();
      },
    );
  }

  function meet(connection: Connection, guest: Guesting): void {
    const { stream, remoteAddr } = guest;
    let tries = 0;
    let entered: Entered | null = null;
    connection.on('handshake', () => {
      prepareKeys(connection);
      if (entered?.gathersPackets) gatherPackets(connection, stream);
    });
    connection.on('error', () => stream.destroy());
    connection.on('authentication', ctx => {
      tries += 1;
      if (tries > TRIES_MOST) return stream.destroy();
      void answer(ctx).catch(error => {
        report('a log-in at the SSH port failed', error);
        stream.destroy();
      });
    });
    connection.on('ready', () => {
      clearTimeout(guest.late);
      guest.proven = true;
      guest.leave();
      if (!entered) return stream.destroy();
      if (entered.gathersPackets) gatherPackets(connection, stream);
      watch(connection, guest, entered.silentMostMs);
      entered.begin({
        connection,
        remoteAddr,
        together(act) {
          stream.cork();
          act();
          stream.uncork();
        },
        hangUp: () => stream.destroy(),
      });
    });
    async function answer(ctx: AuthContext): Promise<void> {
      const refuse = () => ctx.reject(['publickey'] as never);
      const isBare = ctx.method === 'none' && guest.way !== null;
      if (ctx.method !== 'publickey' && !isBare) return refuse();
      const { key, signature } = ctx as PublicKeyAuthContext;
      const way = guest.way ?? (ctx.username === TUNNEL ? ways.tunnel : ways.people);
      const shown = isBare ? NOTHING : { algorithm: key.algo, blob: key.data };
      const found = await way.judge({ user: ctx.username, ...shown, remoteAddr });
      if (stream.destroyed) return;
      if (!found || (found.publicKey === null) !== isBare) return refuse();
      if (found.publicKey === null) entered = found;
      else if (signature) {
        const { signedBy } = await load();
        if (!signedBy(ctx as PublicKeyAuthContext, found.publicKey)) return refuse();
        entered = found;
      }
      ctx.accept();
    }
  }
  /** Asks a peer that says nothing; one that does not answer is cut off. */
  function watch(connection: Connection, guest: Guesting, silentMostMs: number): void {
    let asked = 0;
    let before = guest.read();
    const timer = setInterval(
      () => {
        const now = guest.read();
        if (now !== before) asked = 0;
        before = now;
        if (asked >= ASKED_TIMES) return guest.stream.destroy();
        asked += 1;
        pingClient(connection);
      },
      silentMostMs / (ASKED_TIMES + 1),
    ).unref();
    guest.stream.once('close', () => clearInterval(timer));
  }

  let server: NetServer | null = null;
  if (at) {
    server = createServer({ noDelay: true, keepAlive: true }, socket => {
      const { remoteAddress = '', remotePort = 0 } = socket;
      // It is gone already where it has no address.
      if (remoteAddress === '') return socket.destroy();
      const from = { remoteAddr: `${remoteAddress}:${remotePort}`, way: null, read: () => socket.bytesRead };
      admit(socket, from, keyOf(remoteAddress, remotePort), remoteAddress);
    });
    server.listen(at.port, at.host);
    await events.once(server, 'listening');
    server.on('error', error => report('the SSH port failed', error));
  }
  const address = server?.address();
  return {
    port: typeof address === 'object' && address ? address.port : null,
    take(stream, { remoteAddr, way }) {
      taken += 1;
      let read = 0;
      stream.on('data', (bytes: Buffer) => {
        read += bytes.length;
      });
      stream.pause();
      // The engine tells connections apart by what a socket says of its other end.
      Object.assign(stream, { remoteAddress: HANDED_OVER, remotePort: taken });
      admit(stream, { remoteAddr, way, read: () => read }, keyOf(HANDED_OVER, taken), remoteAddr.replace(/:\d+$/, ''));
    },
    async close() {
      server?.close();
      for (const { stream } of open) stream.destroy();
    },
  };
}

/** Addresses remembered at once that have had enough. */
const BLOCKED_MOST = 20_000;
const NOTHING = { algorithm: '', blob: Buffer.alloc(0) };
const HANDED_OVER = 'handed over';
const keyOf = (ip: string, port: number): string => `${ip} ${port}`;
