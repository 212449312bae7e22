// Where requests of a root arrive at its leaf: each must say whose it is, and only what names a cluster may be asked for.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure, failures } from '../../../contract/failure.ts';
import { createServer } from '../../../node/http.ts';
import type { Visit } from '../../ports/who.ts';
import { arrived } from './arrivals.ts';
import { FACTOR_HEADER, VISITOR_HEADER } from './assertion.ts';
import type { Visitors } from './visitors.ts';

/** A request's headers hold an assertion, bytes. */
const HEADERS_MOST_BYTES = 64 * 1024;
/** What a root may ask for: the clusters it knows of, and what is in one. */
const OPEN = /^\/v1\/webapi\/(sites(\/[^/?]+\/[^?]+)?|command\/[^/?]+\/execute)(\?|$)/;
/** A root says here that somebody's web session is over, and that it lasts. */
const ENDED_PATH = '/ended';
const VOUCHED_PATH = '/vouched';
/** A client of somebody's own, whose bytes follow. */
const CLIENT_PATH = /^\/client\?/;
const CLIENT_UPGRADE = 'postern-client';

/** A client of somebody's own that their root has let in there, and goes on to something here. */
export interface VisitingClient {
  /** As their root's certificates name it: db, kube, tcp-app, tcp-db. */
  readonly kind: string;
  /** Name of the target. */
  readonly target: string;
  readonly userId: string;
  readonly webSessionId: string;
  readonly remoteAddr: string;
  /** Of the second factor that their root says was shown for it; '' where none was. */
  readonly device: string;
  /** Of databases: what it has begun to speak, and the number that it was greeted with; '' and null where it has not. */
  readonly protocol: string;
  readonly number: number | null;
}
/** Applications of this cluster, for browsers at hosts of a root. */
interface VisitedApplications {
  /** Whether a root asks for one. */
  takes(request: IncomingMessage): boolean;
  request(request: IncomingMessage, response: ServerResponse, visit: Promise<Visit>): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, visit: Promise<Visit>): void;
}
export interface Reception {
  /** A stream that the root of this name has opened. */
  take(stream: Duplex, root: string): void;
  /** Hands over clients of people's own: the bytes that they speak follow. */
  openClients(take: (stream: Duplex, client: VisitingClient) => void): void;
  /** Hands over what is asked of applications, with who asks, or why it is nobody. */
  openApplications(take: VisitedApplications): void;
  /** Hands what may come in to the console's own routes. */
  open(handle: RequestListener, upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void;
  close(): void;
}

export function createReception(visitors: Pick<Visitors, 'meet' | 'forget'>): Reception {
  const roots = new WeakMap<object, string>();
  let request: RequestListener | null = null;
  let applications: VisitedApplications | null = null;
  let clients: ((stream: Duplex, client: VisitingClient) => void) | null = null;
  let upgraded: ((asked: IncomingMessage, socket: Duplex, head: Buffer) => void) | null = null;

  /** Throws Failure. */
  async function admit(asked: IncomingMessage, isKnown = false): Promise<Visit> {
    const root = roots.get(asked.socket);
    const { [VISITOR_HEADER]: said, [FACTOR_HEADER]: factor } = asked.headers;
    if (root === undefined || typeof said !== 'string') throw new Failure('denied', 'access denied: nobody is named');
    if (!isKnown && !OPEN.test(asked.url ?? '')) throw new Failure('not_found', 'not found: nothing of a cluster');
    const visit = await visitors.meet(root, said, factor === undefined ? undefined : String(factor));
    arrived(asked, visit);
    for (const header of [VISITOR_HEADER, FACTOR_HEADER]) delete asked.headers[header];
    return visit;
  }
  const server = createServer({ maxHeaderSize: HEADERS_MOST_BYTES, requestTimeout: 0 }, (asked, answer) => {
    const root = roots.get(asked.socket);
    if (asked.method === 'POST' && asked.url === ENDED_PATH && root !== undefined)
      return hearEnded(asked, answer, root);
    if (applications?.takes(asked)) return applications.request(asked, answer, admit(asked, true));
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
  function takeClient(asked: IncomingMessage, socket: Duplex, head: Buffer, visit: Visit): void {
    const query = new URLSearchParams(asked.url?.replace(CLIENT_PATH, ''));
    const said = (name: string): string => query.get(name) ?? '';
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${CLIENT_UPGRADE}\r\n\r\n`);
    if (head.length > 0) socket.unshift(head);
    clients?.(socket, {
      ...{ kind: said('kind'), target: said('target'), protocol: said('protocol') },
      ...{ userId: visit.userId, webSessionId: visit.id, remoteAddr: said('from') },
      device: visit.device ?? '',
      number: query.has('number') ? Number(said('number')) : null,
    });
  }
  server.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (applications?.takes(asked)) return applications.upgrade(asked, socket, head, admit(asked, true));
    const isClient = asked.headers.upgrade === CLIENT_UPGRADE && CLIENT_PATH.test(asked.url ?? '');
    admit(asked, isClient).then(
      visit => (isClient ? takeClient(asked, socket, head, visit) : upgraded?.(asked, socket, head)),
      (error: unknown) => {
        const body = Buffer.from(bodyOf(error));
        const lines = [`HTTP/1.1 ${statusOf(error)} Refused`, 'connection: close', `content-length: ${body.length}`];
        socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
      },
    );
  });
  return {
    take(stream, root) {
      roots.set(stream, root);
      server.emit('connection', stream);
    },
    openClients(take) {
      clients = take;
    },
    openApplications(take) {
      applications = take;
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

/** What a root asks a leaf to take a client of somebody's own. */
export const clientRequest = (
  client: Pick<VisitingClient, 'kind' | 'target' | 'protocol' | 'number'> & { readonly from: string },
  vouched: Readonly<Record<string, string>>,
) => {
  const { number, ...said } = client;
  const query = new URLSearchParams({ ...said, ...(number !== null && { number: String(number) }) });
  return {
    path: `/client?${query}`,
    headers: { host: 'leaf', ...vouched, connection: 'Upgrade', upgrade: CLIENT_UPGRADE },
  };
};

const statusOf = (error: unknown): number => failures[error instanceof Failure ? error.code : 'internal'].status;
function refuse(answer: ServerResponse, error: unknown): void {
  answer.writeHead(statusOf(error), { 'content-type': 'application/json; charset=utf-8' });
  answer.end(bodyOf(error));
}
function bodyOf(error: unknown): string {
  const { code, message } = error instanceof Failure ? error : new Failure('internal');
  return JSON.stringify({ error: { message, code } });
}
