// Sockets of a leaf that asks for a second factor: the person shows it here, where their devices are known, and the leaf is told so by signature.
// What a key answers never reaches the leaf, and the leaf chooses no word of what the person is asked.
import type { FastifyRequest } from 'fastify';
import type WebSocket from 'ws';
import { Failure } from '../../contract/failure.ts';
import { closeCodes } from '../../contract/terminal.ts';
import { ConnectError } from '../ports/reach.ts';
import type { AskedSessions, Who } from '../ports/who.ts';
import type { Identity } from '../services/identity/identity.ts';
import { FAREWELL_MS } from '../services/trust/joined-streams.ts';
import type { Leaves } from '../services/trust/leaves.ts';
import { askSessionFactor, type FactorFrames } from './session-factor.ts';
import { finish, type Socket } from './socket.ts';
import type { Sockets } from './sockets.ts';

/** Given to one side and not yet taken by the network, bytes, before the other is read no further. */
const WAITING_MOST_BYTES = 1024 * 1024;

export interface LeafFactorParts {
  readonly leaves: Pick<Leaves, 'reach'>;
  readonly identity: {
    readonly factors: Pick<Identity['factors'], 'challenge' | 'prove'>;
    readonly sessions: Pick<AskedSessions, 'again'>;
  };
}
/** How the socket that is asked for speaks of factors. */
export interface LeafSocketFrames {
  /** Absent: as terminals do. */
  readonly factor?: FactorFrames;
  /** Says why there is nothing to show; absent: the close frame alone does. */
  readonly refusal?: (why: string) => Uint8Array | string;
}
interface Wanted {
  readonly leaf: string;
  readonly path: string;
  /** What the leaf is told of the request beside who asks. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Takes the socket, asks, and leads it on to the leaf once that has been answered. The reply must be hijacked. */
export function proveAndGoOn(
  parts: LeafFactorParts,
  sockets: Pick<Sockets, 'add'>,
  request: FastifyRequest,
  who: Who,
  wanted: Wanted,
  frames: LeafSocketFrames,
): void {
  const { raw } = request;
  request.server.websocketServer.handleUpgrade(raw, raw.socket, Buffer.alloc(0), near => {
    near.on('error', () => near.terminate());
    prove(parts, sockets, near, who, wanted, frames).catch((error: unknown) => {
      const isSaid = error instanceof Failure || error instanceof ConnectError;
      if (!isSaid) request.log.error({ err: error }, 'a socket of a leaf cluster could not be opened');
      const why = isSaid ? error.message : `the connection could not be made (request ${request.id})`;
      const frame = frames.refusal?.(why);
      if (frame !== undefined && near.readyState === near.OPEN) near.send(frame, { binary: typeof frame !== 'string' });
      finish(near as Socket, closeCodes.denied, why);
    });
  });
}

async function prove(
  { leaves, identity }: LeafFactorParts,
  sockets: Pick<Sockets, 'add'>,
  near: WebSocket,
  who: Who,
  { leaf, path, headers }: Wanted,
  frames: LeafSocketFrames,
): Promise<void> {
  let farewell: NodeJS.Timeout | undefined;
  let far: WebSocket | null = null;
  const forget = sockets.add(who, why => {
    if (!far) return finish(near as Socket, closeCodes.denied, why);
    // The leaf, which hears of it as well, says why before this.
    farewell = setTimeout(() => near.terminate(), FAREWELL_MS).unref();
  });
  near.on('close', () => {
    forget();
    clearTimeout(farewell);
  });
  const device = await askSessionFactor(
    near as Socket,
    identity.factors,
    who,
    `a session of cluster ${leaf}`,
    frames.factor,
  );
  // Frames that come early wait in the network until there is somebody to give them to.
  near.pause();
  const now = await identity.sessions.again(who);
  const { connection, vouched } = await leaves.reach(now, leaf, device);
  if (near.readyState !== near.OPEN) return;
  far = connection.webSocket({ path, headers: { ...headers, ...vouched }, protocol: near.protocol });
  await joinSockets(near, far, leaf);
  near.resume();
}

/** Leads each into the other until one is over. Resolves when the far one is open; throws ConnectError where it does not open. */
function joinSockets(near: WebSocket, far: WebSocket, leaf: string): Promise<void> {
  lead(near, far);
  lead(far, near);
  // What a leaf measures, and whether anybody is there, is measured to the person.
  far.on('ping', data => near.readyState === near.OPEN && near.ping(data));
  near.on('pong', data => far.readyState === far.OPEN && far.pong(data));
  return new Promise((done, fail) => {
    far.once('open', done);
    far.once('unexpected-response', (made, answer) => {
      made.destroy();
      fail(new Failure('denied', `cluster "${leaf}" refuses this, with status ${answer.statusCode}`));
    });
    far.on('error', error => {
      fail(new ConnectError('unreachable', `cluster "${leaf}": ${error.message}`));
      if (far.readyState !== far.CONNECTING) far.terminate();
    });
    near.once('close', () => fail(new ConnectError('unreachable', 'the socket was closed')));
  });
}
function lead(from: WebSocket, to: WebSocket): void {
  from.on('message', (message, isBinary) => {
    if (to.readyState !== to.OPEN) return;
    to.send(message as Buffer, { binary: isBinary }, () => {
      if (from.isPaused && to.bufferedAmount < WAITING_MOST_BYTES) from.resume();
    });
    if (to.bufferedAmount >= WAITING_MOST_BYTES) from.pause();
  });
  from.on('close', (code, reason) => {
    // A socket that broke is no socket that was closed: sessions outlive the one and not the other.
    if (code === BROKEN || to.readyState !== to.OPEN) to.terminate();
    else if (code === UNSAID) to.close();
    else to.close(code, reason);
  });
}
/** How a close is told that came without a code, and that did not come (RFC 6455, 7.4.1). */
const UNSAID = 1005;
const BROKEN = 1006;
