// The socket of somebody who watches a session on a desktop: nothing that they send reaches it.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { desktopWatchPath, type WatchedMessage } from '../../contract/desktop-sessions.ts';
import { Failure } from '../../contract/failure.ts';
import { closeCodes } from '../../contract/terminal.ts';
import type { Who } from '../ports/who.ts';
import type { DesktopWatching } from '../services/sessions/desktop-watching.ts';
import { type LeafSocketParts, passSocketOn } from './leaf.ts';
import { finish, keepAlive, type Socket } from './socket.ts';
import { type Sockets, wantsUpgrade } from './sockets.ts';

export interface DesktopWatchServices extends LeafSocketParts {
  readonly watchDesktop: DesktopWatching;
  readonly config: { readonly clusterName: string; readonly keepAliveMs: number };
}
type Route = { Params: { clusterId: string; sid: string }; Querystring: Record<string, unknown> };

/** Resolves when the network has it. */
const sent = (socket: Socket, message: Uint8Array | string): Promise<void> =>
  new Promise((done, fail) =>
    socket.send(message, { binary: typeof message !== 'string' }, error => (error ? fail(error) : done())),
  );

/** Registers it. Its query carries a token, so no line of the log may show its URL. */
export function serveDesktopWatch(app: FastifyInstance, sockets: Sockets, services: DesktopWatchServices): void {
  const { watchDesktop, config } = services;
  const asked = new WeakMap<FastifyRequest, Who>();
  app.get<Route>(
    desktopWatchPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async (request, reply) => {
        const who = await sockets.authenticate(request);
        if (await passSocketOn(services, sockets, request, reply, who)) return reply;
        asked.set(request, who);
        if (!request.ws) return wantsUpgrade(reply);
      },
    },
    (socket: Socket, request) => {
      const who = asked.get(request);
      if (!who) return socket.terminate();
      const tell = (message: WatchedMessage): void => {
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message), { binary: false });
      };
      const ended = (why: string): void => {
        tell({ over: why });
        finish(socket, why === '' ? closeCodes.normal : closeCodes.denied, why);
      };
      const forget = sockets.add(who, ended);
      socket.on('close', forget);
      try {
        const { session, protocol, leave } = watchDesktop(who, request.params.sid, {
          ended,
          show: bytes => sent(socket, bytes),
          begin: moment => sent(socket, JSON.stringify({ moment } satisfies WatchedMessage)),
        });
        socket.on('close', leave);
        keepAlive(socket, config.keepAliveMs);
        tell({ watching: { protocol, name: session.desktop_name, login: session.login, owner: session.owner } });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        ended(error.message);
      }
    },
  );
}
