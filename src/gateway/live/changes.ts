// The socket that tells open consoles what has changed: they ask the lists that they show again, and go to sign-in when their session is over.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ChangesMessage, changesPath, type OverMessage } from '../../contract/changes.ts';
import { Failure } from '../../contract/failure.ts';
import { closeCodes } from '../../contract/terminal.ts';
import type { Change, Changes } from '../ports/changes.ts';
import type { Rights } from '../ports/rights.ts';
import type { Who } from '../ports/who.ts';
import { finish, keepAlive, type Socket } from './socket.ts';
import type { Sockets } from './sockets.ts';

/** Changes within this time are told once, ms. */
const TOLD_EVERY_MS = 200;
/** Whoever has not taken so much is cut off, and asks every list again when it is back, bytes. */
const BEHIND_BYTES = 4096;
/** Who hears of a list. Everybody has sessions of their own, and statements that wait. */
const mayHear: Readonly<Record<ChangesMessage['changed'], (rights: Rights) => boolean>> = {
  recordings: rights => rights.may('session', 'list'),
  sessions: () => true,
  reviews: () => true,
  requests: () => true,
  plugins: rights => rights.may('plugin', 'list'),
  agents: () => true,
  notifications: () => true,
  accessLists: () => true,
};
/** The lists that a change is about. */
const toldBy: Readonly<Partial<Record<Change['kind'], readonly ChangesMessage['changed'][]>>> = {
  sessionEnded: ['recordings'],
  sessionChanged: ['sessions'],
  reviewsChanged: ['reviews'],
  requestsChanged: ['requests', 'notifications'],
  pluginsChanged: ['plugins'],
  agentsChanged: ['agents'],
  lockChanged: ['notifications'],
  notificationsRead: ['notifications'],
  accessListsChanged: ['accessLists', 'notifications'],
};
/** Sockets of one web session: more tabs than anyone has. */
const SOCKETS_MOST = 100;

export interface ChangesSocketParts {
  readonly changes: Pick<Changes, 'subscribe'>;
  readonly keepAliveMs: number;
}

/** Registers the socket. Its query carries a token, so no line of the log may show its URL. */
export function serveChanges(
  app: FastifyInstance,
  sockets: Sockets,
  { changes, keepAliveMs }: ChangesSocketParts,
): void {
  const people = new WeakMap<FastifyRequest, Who>();
  const open = new Map<Socket, Who>();
  const waiting = new Set<ChangesMessage['changed']>();
  let telling: NodeJS.Timeout | null = null;

  function tell(): void {
    telling = null;
    for (const changed of waiting) {
      const message: ChangesMessage = { changed };
      for (const [socket, { rights }] of open)
        if (socket.bufferedAmount > BEHIND_BYTES) socket.terminate();
        else if (mayHear[changed](rights) && socket.readyState === socket.OPEN)
          socket.send(JSON.stringify(message), { binary: false });
    }
    waiting.clear();
  }
  const unsubscribe = changes.subscribe(({ kind }) => {
    const lists = toldBy[kind];
    if (lists === undefined) return;
    for (const changed of lists) waiting.add(changed);
    telling ??= setTimeout(tell, TOLD_EVERY_MS);
  });
  app.addHook('onClose', async () => {
    unsubscribe();
    if (telling) clearTimeout(telling);
  });

  app.get(
    changesPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async request => {
        const who = await sockets.authenticate(request);
        const others = [...open.values()].filter(({ webSessionId }) => webSessionId === who.webSessionId);
        if (others.length >= SOCKETS_MOST) throw new Failure('limited', 'this session has too many consoles open');
        people.set(request, who);
      },
    },
    (socket: Socket, request) => {
      const who = people.get(request);
      if (!who) return socket.terminate();
      open.set(socket, who);
      const forget = sockets.add(who, why => {
        // Whole, which the reason of a close may be too short for.
        if (socket.readyState === socket.OPEN)
          socket.send(JSON.stringify({ over: why } satisfies OverMessage), { binary: false });
        finish(socket, closeCodes.denied, why);
      });
      keepAlive(socket, keepAliveMs);
      socket.on('close', () => {
        forget();
        open.delete(socket);
      });
    },
  );
}
