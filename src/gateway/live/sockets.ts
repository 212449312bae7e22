// What all sockets have in common: who may open one, and that it is closed when its web session ends, here or on another gateway.
import type { FastifyRequest } from 'fastify';
import { Failure } from '../../contract/failure.ts';
import { SESSION_COOKIE } from '../../contract/session.ts';
import type { Changes, Who } from '../ports.ts';
import { peerOf } from '../services/identity/peer.ts';
import { cookieOf } from '../services/identity/session-cookie.ts';
import type { Sessions } from '../services/identity/web-sessions.ts';
import { openChecks } from '../services/sessions/policy/checks.ts';

export interface SocketParts {
  readonly sessions: Pick<Sessions, 'alive' | 'authenticate'>;
  readonly changes: Pick<Changes, 'subscribe'>;
  /** Whether a page of this origin may open a socket (origin.ts). */
  readonly isOwn: (origin: string | undefined) => boolean;
  /** Hears of a check that could not be made; the sockets stay until the next one. */
  readonly failed: (error: unknown) => void;
}

export interface Sockets {
  /** Whoever asks for a socket, by their cookie and the token in the query. Throws Failure signed_out, denied. */
  authenticate(request: FastifyRequest): Promise<Who>;
  /** Calls `close` once when the web session is over. Answers the function that forgets the socket. */
  add(webSessionId: string, close: () => void): () => void;
  dispose(): void;
}

/** You must dispose it. */
export function openSockets({ sessions, changes, isOwn, failed }: SocketParts): Sockets {
  const open = new Map<string, Set<() => void>>();

  const checks = openChecks(async () => {
    for (const id of [...open.keys()]) {
      if (await sessions.alive(id)) continue;
      const closes = open.get(id) ?? [];
      open.delete(id);
      for (const close of closes) close();
    }
  }, failed);
  const unsubscribe = changes.subscribe(({ kind }) => {
    if (kind === 'webSessionsEnded' || kind === 'userRemoved') checks.now();
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
      });
    },
    add(webSessionId, close) {
      const closes = open.get(webSessionId) ?? new Set();
      open.set(webSessionId, closes.add(close));
      return () => {
        closes.delete(close);
        if (closes.size === 0 && open.get(webSessionId) === closes) open.delete(webSessionId);
      };
    },
    dispose() {
      unsubscribe();
      checks.dispose();
    },
  };
}
