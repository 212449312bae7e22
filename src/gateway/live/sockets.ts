// What all sockets have in common: who may open one, and that it is closed when its web session ends, here or on another gateway.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../contract/failure.ts';
import { SESSION_COOKIE } from '../../contract/session.ts';
import type { Change, Changes } from '../ports/changes.ts';
import type { Who } from '../ports/who.ts';
import { peerOf } from '../services/identity/peer.ts';
import { cookieOf } from '../services/identity/session-cookie.ts';
import type { Sessions } from '../services/identity/web-sessions.ts';
import { openChecks } from '../services/sessions/policy/checks.ts';
import { visitOf } from '../services/trust/arrivals.ts';

export interface SocketParts {
  readonly sessions: Pick<Sessions, 'over' | 'authenticate'>;
  readonly changes: Pick<Changes, 'subscribe'>;
  /** Whether a page of this origin may open a socket (origin.ts). */
  readonly isOwn: (origin: string | undefined) => boolean;
  /** Hears of a check that could not be made; the sockets stay until the next one. */
  readonly failed: (error: unknown) => void;
}

type Session = Pick<Who, 'webSessionId' | 'userId' | 'trustedDevice'>;
export interface Sockets {
  /** Whoever asks for a socket, by their cookie and the token in the query. Throws Failure signed_out, denied. */
  authenticate(request: FastifyRequest): Promise<Who>;
  /** Calls `close` once when the web session is over, with why. Answers the function that forgets the socket. */
  add(session: Session, close: (why: string) => void): () => void;
  dispose(): void;
}

/** What may end a web session: users who come to hold a locked role are locked as well. */
const ending: ReadonlySet<Change['kind']> = new Set([
  'webSessionsEnded',
  'userRemoved',
  'userChanged',
  'roleChanged',
  'roleRemoved',
  'lockChanged',
]);

/** You must dispose it. */
export function openSockets({ sessions, changes, isOwn, failed }: SocketParts): Sockets {
  /** By web session: whose it is, and what closes its sockets. */
  const open = new Map<string, { of: Session; readonly closes: Set<(why: string) => void> }>();

  const checks = openChecks(async () => {
    for (const [webSessionId, { of, closes }] of [...open]) {
      const why = await sessions.over(of);
      if (why === null) continue;
      open.delete(webSessionId);
      for (const close of closes) close(why);
    }
  }, failed);
  const unsubscribe = changes.subscribe(({ kind }) => {
    if (ending.has(kind)) checks.now();
  });

  return {
    async authenticate(request) {
      if (!isOwn(request.headers.origin))
        throw new Failure('denied', 'access denied: a page of another origin may not open this socket');
      const { access_token: token } = request.query as Readonly<Record<string, unknown>>;
      return sessions.authenticate({
        cookie: cookieOf(request.headers.cookie, SESSION_COOKIE),
        bearer: typeof token === 'string' ? token : undefined,
        remoteAddr: peerOf(request),
        visit: visitOf(request.raw),
      });
    },
    add({ webSessionId, userId, trustedDevice }, close) {
      const of = { webSessionId, userId, trustedDevice };
      const session = open.get(webSessionId) ?? { of, closes: new Set() };
      // The device may have been proven since the socket before was opened.
      session.of = of;
      open.set(webSessionId, session);
      session.closes.add(close);
      return () => {
        session.closes.delete(close);
        if (session.closes.size === 0 && open.get(webSessionId) === session) open.delete(webSessionId);
      };
    },
    dispose() {
      unsubscribe();
      checks.dispose();
    },
  };
}

/** Answers whoever asks a socket's address without an upgrade, and may have one. */
export const wantsUpgrade = (reply: FastifyReply): FastifyReply =>
  reply.code(426).header('upgrade', 'websocket').send({ message: 'this address speaks WebSocket' });
