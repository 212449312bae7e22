// Where requests of a root arrive at its leaf: each must say whose it is, and only what names a cluster may be asked for.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure, failures } from '../../../contract/failure.ts';
import { arrived } from './arrivals.ts';
import { VISITOR_HEADER } from './assertion.ts';
import type { Visitors } from './visitors.ts';

/** A request's headers hold an assertion, bytes. */
const HEADERS_MOST_BYTES = 64 * 1024;
/** What a root may ask for: the clusters it knows of, and what is in one. */
const OPEN = /^\/v1\/webapi\/(sites(\/[^/?]+\/[^?]+)?|command\/[^/?]+\/execute)(\?|$)/;
/** A root says here that somebody's web session is over, and that it lasts. */
const ENDED_PATH = '/ended';
const VOUCHED_PATH = '/vouched';

export interface Reception {
  /** A stream that the root of this name has opened. */
  take(stream: Duplex, root: string): void;
  /** Hands what may come in to the console's own routes. */
  open(handle: RequestListener, upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void;
  close(): void;
}

export function createReception(visitors: Pick<Visitors, 'meet' | 'forget'>): Reception {
  const roots = new WeakMap<object, string>();
  let request: RequestListener | null = null;
  let upgraded: ((asked: IncomingMessage, socket: Duplex, head: Buffer) => void) | null = null;

  /** Throws Failure. */
  async function admit(asked: IncomingMessage, isKnown = false): Promise<void> {
    const root = roots.get(asked.socket);
    const said = asked.headers[VISITOR_HEADER];
    if (root === undefined || typeof said !== 'string') throw new Failure('denied', 'access denied: nobody is named');
    if (!isKnown && !OPEN.test(asked.url ?? '')) throw new Failure('not_found', 'not found: nothing of a cluster');
    arrived(asked, await visitors.meet(root, said));
    delete asked.headers[VISITOR_HEADER];
  }
  const server = createServer({ maxHeaderSize: HEADERS_MOST_BYTES, requestTimeout: 0 }, (asked, answer) => {
    const root = roots.get(asked.socket);
    if (asked.method === 'POST' && asked.url === ENDED_PATH && root !== undefined)
      return hearEnded(asked, answer, root);
    const isVouched = asked.method === 'POST' && asked.url === VOUCHED_PATH;
    admit(asked, isVouched).then(
      () => (isVouched ? void answer.writeHead(204).end() : request?.(asked, answer)),
      (error: unknown) => refuse(answer, error),
    );
  });
  function hearEnded(asked: IncomingMessage, answer: ServerResponse, root: string): void {
    const { session } = asked.headers;
    if (typeof session === 'string') visitors.forget(root, session);
    asked.resume();
    answer.writeHead(204).end();
  }
  server.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    admit(asked).then(
      () => upgraded?.(asked, socket, head),
      (error: unknown) =>
        socket.end(`HTTP/1.1 ${statusOf(error)} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`),
    );
  });
  return {
    take(stream, root) {
      roots.set(stream, root);
      server.emit('connection', stream);
    },
    open(handle, upgrade) {
      request = handle;
      upgraded = upgrade;
    },
    close: () => server.closeAllConnections(),
  };
}

/** Says at a leaf that somebody's web session is over. */
export const endedRequest = (session: string) => ({
  method: 'POST',
  path: ENDED_PATH,
  headers: { host: 'leaf', session },
});

/** Says at a leaf that somebody's web session lasts, and what is true of them now. */
export const vouchedRequest = (vouched: Readonly<Record<string, string>>) => ({
  ...{ method: 'POST', path: VOUCHED_PATH, headers: { host: 'leaf', ...vouched } },
});

const statusOf = (error: unknown): number => failures[error instanceof Failure ? error.code : 'internal'].status;
function refuse(answer: ServerResponse, error: unknown): void {
  const { code, message } = error instanceof Failure ? error : new Failure('internal');
  answer.writeHead(statusOf(error), { 'content-type': 'application/json; charset=utf-8' });
  answer.end(JSON.stringify({ error: { message, code } }));
}
