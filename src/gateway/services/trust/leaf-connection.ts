// HTTP over the connection that a leaf has dialled in with: each request takes a channel of it.
import type { IncomingMessage, RequestOptions } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import WebSocket from 'ws';
import { Agent, request } from '../../../node/http.ts';
import { ConnectError } from '../../ports/reach.ts';
import type { DialledConnection } from '../../ports/tunnels.ts';

/** What a leaf offers at its end. */
export const LEAF_PATH = '/postern/cluster';
/** Channels of one connection at once, and those that are kept for the next request. */
const CHANNELS_MOST = 200;
const KEPT_MOST = 16;
/** Longest message of a leaf's socket, bytes, and how long it takes to open one, ms. */
const MESSAGE_MOST_BYTES = 16 * 1024 * 1024;
const OPEN_MS = 30_000;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: none. */
  readonly body?: Readable | string;
  /** Ends it. */
  readonly signal?: AbortSignal;
}
/** How an upgrade was answered: a connection, or a refusal. */
type Upgraded =
  | { readonly answer: IncomingMessage; readonly socket: Duplex; readonly head: Buffer }
  | { readonly answer: IncomingMessage; readonly socket: null };

export interface LeafConnection {
  readonly connection: DialledConnection;
  /** Its answer; the body is yours to read or destroy. Throws ConnectError unreachable. */
  ask(asked: Asked): Promise<IncomingMessage>;
  /** Throws ConnectError unreachable. */
  upgrade(asked: Pick<Asked, 'path' | 'headers'>): Promise<Upgraded>;
  /** A socket on its way to being open, whose pings are yours to answer. `protocol`: '' for none. */
  webSocket(asked: Pick<Asked, 'path' | 'headers'> & { readonly protocol: string }): WebSocket;
  close(): void;
}

export function openLeafConnection(connection: DialledConnection): LeafConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: CHANNELS_MOST, maxFreeSockets: KEPT_MOST });
  // The agent takes any duplex stream, which its types do not say.
  Object.assign(agent, {
    createConnection: (_options: unknown, done: (error: Error | null, stream?: Duplex) => void) => {
      connection.open(LEAF_PATH).then(
        stream => done(null, stream),
        (error: Error) => done(error),
      );
    },
  });
  const lost = (error: Error): ConnectError =>
    error instanceof ConnectError ? error : new ConnectError('unreachable', `its tunnel broke: ${error.message}`);
  const options = ({ path, headers, method }: Omit<Asked, 'body' | 'signal'>): RequestOptions => ({
    agent,
    host: 'leaf',
    method,
    path,
    headers,
    setHost: false,
  });
  return {
    connection,
    ask: ({ body, signal, ...asked }) =>
      new Promise((done, fail) => {
        const made = request({ ...options(asked), ...(signal && { signal }) });
        made.once('response', done);
        made.on('error', error => fail(lost(error)));
        if (typeof body === 'string' || body === undefined) return void made.end(body);
        body.once('error', error => made.destroy(error));
        body.once('close', () => body.readableEnded || made.destroy(new Error('the request was cut off')));
        body.pipe(made);
      }),
    upgrade: asked =>
      new Promise((done, fail) => {
        const made = request({ ...options({ ...asked, method: 'GET' }), agent: agent });
        made.once('upgrade', (answer, socket, head) => done({ answer, socket, head }));
        made.once('response', answer => {
          // Whoever refuses an upgrade may have stopped to read: no other request comes that way.
          const { socket } = answer;
          answer.once('end', () => socket.destroy());
          done({ answer, socket: null });
        });
        made.on('error', error => fail(lost(error)));
        made.end();
      }),
    webSocket: ({ path, headers, protocol }) =>
      new WebSocket(`ws://leaf${path}`, protocol === '' ? [] : [protocol], {
        ...{ agent, headers, autoPong: false, perMessageDeflate: false },
        ...{ maxPayload: MESSAGE_MOST_BYTES, handshakeTimeout: OPEN_MS },
      }),
    close: () => agent.destroy(),
  };
}
