// The sockets of desktops: one that a session lasts as long as, and one that what is drawn comes over.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import {
  type DesktopMessage,
  type DesktopParams,
  desktopAnswer,
  desktopParams,
  desktopSessionPath,
  desktopStreamPath,
} from '../../contract/desktop-sessions.ts';
import { Failure } from '../../contract/failure.ts';
import { closeCodes } from '../../contract/terminal.ts';
import type { DesktopTarget } from '../ports/desktops.ts';
import { ConnectError } from '../ports/reach.ts';
import type { Who } from '../ports/who.ts';
import type { BegunDesktop, Desktops } from '../services/protocols/desktops/desktops.ts';
import { type LeafSocketParts, passSocketOn } from './leaf.ts';
import { readParams } from './params.ts';
import { askSessionFactor, demandShown } from './session-factor.ts';
import { finish, keepAlive, type Socket } from './socket.ts';
import { streamOf } from './socket-stream.ts';
import { type Sockets, wantsUpgrade } from './sockets.ts';

/** Longest `params` that is read, characters. */
const PARAMS_MOST_CHARACTERS = 2048;
/** A password is typed within this time, ms. */
const ANSWER_MS = 120_000;
/** Desktops that one web session has open or is opening: no more than policy ever lets one. */
const SOCKETS_MOST = 50;

export interface DesktopSocketServices extends LeafSocketParts {
  readonly desktops: Desktops;
  readonly config: { readonly clusterName: string; readonly keepAliveMs: number };
}
interface Wanted {
  readonly who: Who;
  readonly params: DesktopParams;
  readonly desktop: DesktopTarget;
}
type Route = { Params: { clusterId: string; name: string; sid: string }; Querystring: Record<string, unknown> };

/** Registers both. Their queries carry a token, so no line of the log may show their URLs. */
export function serveDesktopSockets(app: FastifyInstance, sockets: Sockets, services: DesktopSocketServices): void {
  const { config, desktops } = services;
  const asked = new WeakMap<FastifyRequest, Wanted>();
  const open = new Map<Socket, string>();
  app.get<Route>(
    desktopSessionPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async (request, reply) => {
        const who = await sockets.authenticate(request);
        if (await passSocketOn(services, sockets, request, reply, who, { refusal })) return reply;
        const params = readParams(desktopParams, request.query.params, PARAMS_MOST_CHARACTERS);
        if ([...open.values()].filter(id => id === who.webSessionId).length >= SOCKETS_MOST)
          throw new Failure('limited', `you have ${SOCKETS_MOST} desktops open: close one first`);
        asked.set(request, { who, params, desktop: await desktops.target(who, request.params.name) });
        demandShown(request, reply, who, who.rights.options.sessionFactor);
        if (!request.ws) return wantsUpgrade(reply);
      },
    },
    async (socket: Socket, request) => {
      const wanted = asked.get(request);
      if (!wanted) return socket.terminate();
      open.set(socket, wanted.who.webSessionId);
      const forget = sockets.add(wanted.who, why => over(why));
      let begun: BegunDesktop | undefined;
      socket.on('close', () => {
        forget();
        open.delete(socket);
        begun?.leave();
      });
      const tell = (message: DesktopMessage): void => {
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message), { binary: false });
      };
      function over(why: string): void {
        tell({ over: why });
        finish(socket, why === '' ? closeCodes.normal : closeCodes.denied, why);
      }
      try {
        begun = await begin(services, socket, wanted, tell, over);
        // They left while it was reached.
        if (socket.readyState !== socket.OPEN) return begun.leave();
        const { sid, protocol, sharesClipboard: clipboard, isRecorded: recorded } = begun;
        tell({ ready: { sid, protocol, clipboard, recorded } });
      } catch (error) {
        if (error instanceof Failure || error instanceof ConnectError) return over(error.message);
        request.log.error({ err: error }, 'a desktop could not be opened');
        over(`The desktop could not be opened (request ${request.id}).`);
      }
    },
  );

  const taking = new WeakMap<FastifyRequest, { readonly who: Who; readonly take: ReturnType<Desktops['stream']> }>();
  app.get<Route>(
    desktopStreamPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async (request, reply) => {
        const who = await sockets.authenticate(request);
        if (await passSocketOn(services, sockets, request, reply, who)) return reply;
        const { name, sid } = request.params;
        taking.set(request, { who, take: desktops.stream(who, name, sid) });
        if (!request.ws) return wantsUpgrade(reply);
      },
    },
    (socket: Socket, request) => {
      const taken = taking.get(request);
      if (!taken) return socket.terminate();
      socket.on(
        'close',
        sockets.add(taken.who, why => finish(socket, closeCodes.denied, why)),
      );
      keepAlive(socket, config.keepAliveMs);
      taken.take(streamOf(socket));
    },
  );
}

const refusal = (over: string): string => JSON.stringify({ over } satisfies DesktopMessage);
async function begin(
  { identity, desktops, config }: DesktopSocketServices,
  socket: Socket,
  { who, desktop, params }: Wanted,
  tell: (message: DesktopMessage) => void,
  ended: (why: string) => void,
): Promise<BegunDesktop> {
  const { login, width, height } = params;
  const device = who.rights.options.sessionFactor
    ? await askSessionFactor(socket, identity.factors, who, `${login}@${desktop.name}`)
    : undefined;
  keepAlive(socket, config.keepAliveMs);
  return desktops.begin(who, {
    ...{ desktop, login, ended, size: { cols: width, rows: height } },
    ...(device !== undefined && { device }),
    watched: by => tell({ watched: [...by] }),
    ask(why) {
      tell({ asks: why });
      return passwordOf(socket);
    },
  });
}

/** What is typed for a password. Throws Failure denied for what is none, and when nothing comes. */
function passwordOf(socket: Socket): Promise<string> {
  return new Promise((done, fail) => {
    const end = (settle: () => void): void => {
      clearTimeout(late);
      socket.off('message', hear);
      socket.off('close', gone);
      settle();
    };
    const refuse = (why: string) => end(() => fail(new Failure('denied', why)));
    const gone = (): void => refuse('They left.');
    const hear = (message: unknown, isBinary: boolean): void => {
      const given = isBinary ? null : readAnswer(String(message));
      if (given === null) refuse('That is no password.');
      else end(() => done(given));
    };
    const late = setTimeout(() => refuse('No password was typed in time.'), ANSWER_MS);
    socket.on('message', hear);
    socket.on('close', gone);
  });
}
function readAnswer(text: string): string | null {
  try {
    const read = z.safeParse(desktopAnswer, JSON.parse(text));
    return read.success ? read.data.password : null;
  } catch {
    return null;
  }
}
