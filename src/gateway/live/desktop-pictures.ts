// Desktops as pictures: sockets for clients that speak TDP, on a desktop and of a recording. The gateway draws what the server sends.
import { type Duplex, duplexPair } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import {
  CLIPBOARD_MOST_BYTES,
  desktopParams,
  desktopPlaybackPath,
  desktopTdpPath,
  SCREEN_MOST_PIXELS,
} from '../../contract/desktop-sessions.ts';
import { Failure } from '../../contract/failure.ts';
import { closeCodes } from '../../contract/terminal.ts';
import { refuseOtherCluster } from '../http/cluster.ts';
import type { DesktopTarget } from '../ports/desktops.ts';
import { ConnectError } from '../ports/reach.ts';
import type { Who } from '../ports/who.ts';
import type { AuditAccess } from '../services/audit/access.ts';
import { type Drawing, openDrawing } from '../services/desktop-drawing/drawing.ts';
import type { BegunDesktop } from '../services/protocols/desktops/desktops.ts';
import type { DesktopRecording, Recordings } from '../services/recordings/recordings.ts';
import { FRAME_MS, isBusy, playPictures } from './desktop-playback.ts';
import type { DesktopSocketServices } from './desktops.ts';
import { askSessionFactor } from './session-factor.ts';
import { finish, keepAlive, type Socket } from './socket.ts';
import { type Sockets, wantsUpgrade } from './sockets.ts';
import {
  readTdp,
  readTdpFactor,
  tdpClipboard,
  tdpEnd,
  tdpFactor,
  tdpNoDirectory,
  tdpNote,
  tdpPicture,
  tdpWarning,
} from './tdp.ts';

/** Drawn at once by this gateway: each takes a thread, and a good part of a core while its screen moves. */
const DRAWN_MOST = 8;
/** What a server sent and is not drawn yet: then it is not read on, bytes. */
const UNDRAWN_MOST_BYTES = 4 * 1024 * 1024;
/** No screen that is drawn has more, pixels. */
const PIXELS_MOST = 8192 * 4096;
/** A desktop is no smaller, pixels. */
const SIDE_LEAST_PIXELS = 200;

export interface DesktopPictureServices extends DesktopSocketServices {
  readonly recordings: Pick<Recordings, 'desktop'>;
  readonly auditAccess: Pick<AuditAccess, 'openRecording'>;
}
type Route = {
  Params: { clusterId: string; name: string; sid: string };
  Querystring: Readonly<Record<string, unknown>>;
};
const side = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(SCREEN_MOST_PIXELS));
const sides = z
  .object({ width: side, height: side })
  .check(z.refine(({ width, height }) => width * height <= PIXELS_MOST));
const SIDES = `sides of 1 to ${SCREEN_MOST_PIXELS} pixels, ${PIXELS_MOST} in all at most`;
/** As large as is wanted, where that is allowed: servers draw in strips of four pixels. */
function sidesOf(width: number, height: number): { readonly width: number; readonly height: number } {
  const read = z.safeParse(sides, { width, height });
  if (!read.success) throw new Failure('bad_request', `a screen has ${SIDES}, not ${width} by ${height}`);
  return {
    width: Math.max(SIDE_LEAST_PIXELS, read.data.width & ~3),
    height: Math.max(SIDE_LEAST_PIXELS, read.data.height & ~1),
  };
}

/** Registers both. Their queries carry a token, so no line of the log may show their URLs. */
export function serveDesktopPictures(app: FastifyInstance, sockets: Sockets, services: DesktopPictureServices): void {
  const { config, desktops, identity, recordings, auditAccess } = services;
  const drawn = new Set<Drawing>();
  app.addHook('onClose', async () => void (await Promise.all([...drawn].map(one => one.close()))));
  /** Throws Failure limited. */
  function draw(...wanted: Parameters<typeof openDrawing>): Drawing {
    if (drawn.size >= DRAWN_MOST)
      throw new Failure('limited', `this gateway draws ${DRAWN_MOST} desktops already: use the console, or try later`);
    const drawing = openDrawing(...wanted);
    drawn.add(drawing);
    return {
      ...drawing,
      async close() {
        drawn.delete(drawing);
        await drawing.close();
      },
    };
  }
  const wordsOf = (request: FastifyRequest, error: unknown): string => {
    if (error instanceof Failure || error instanceof ConnectError) return error.message;
    request.log.error({ err: error }, 'a desktop could not be drawn');
    return `The desktop could not be opened (request ${request.id}).`;
  };

  const asked = new WeakMap<FastifyRequest, { readonly who: Who; readonly desktop: DesktopTarget }>();
  app.get<Route>(
    desktopTdpPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async (request, reply) => {
        const who = await sockets.authenticate(request);
        refuseOtherCluster(request.params.clusterId, config.clusterName);
        asked.set(request, { who, desktop: await desktops.target(who, request.params.name) });
        if (!request.ws) return wantsUpgrade(reply);
      },
    },
    async (socket: Socket, request) => {
      const wanted = asked.get(request);
      if (!wanted) return socket.terminate();
      const { who, desktop } = wanted;
      const forget = sockets.add(who, why => over(why));
      let begun: BegunDesktop | undefined;
      let drawing: Drawing | undefined;
      socket.on('close', () => {
        forget();
        begun?.leave();
        void drawing?.close();
      });
      function over(why: string): void {
        if (socket.readyState === socket.OPEN)
          socket.send(tdpEnd(why || 'The session on the desktop has ended.'), { binary: true });
        finish(socket, closeCodes.normal, '');
      }
      try {
        const { username, width: wide, height: high } = request.query;
        const read = z.safeParse(desktopParams.shape.login, username);
        if (!read.success || wide === undefined || high === undefined)
          throw new Failure('bad_request', `username, width and height are wanted: a login, and ${SIDES}`);
        const login = read.data;
        const { width, height } = sidesOf(Number(wide), Number(high));
        const device = who.rights.options.sessionFactor
          ? await askSessionFactor(socket, identity.factors, who, `${login}@${desktop.name}`, {
              write: tdpFactor,
              read: readTdpFactor,
            })
          : undefined;
        keepAlive(socket, config.keepAliveMs);
        begun = await desktops.begin(who, {
          ...{ desktop, login, ended: over, size: { cols: width, rows: height } },
          ...(device !== undefined && { device }),
          watched: by =>
            socket.send(tdpNote(by.length === 0 ? 'Nobody watches any longer.' : `${by.join(', ')} watches.`), {
              binary: true,
            }),
          async ask(why) {
            throw new Failure('denied', `${why} This way in asks for none: have the gateway keep it for ${login}.`);
          },
        });
        if (socket.readyState !== socket.OPEN) return begun.leave();
        const { sid, protocol } = begun;
        const desk = begun;
        const [client, gateway] = duplexPair();
        drawing = draw(
          { protocol, live: { sid, width, height } },
          {
            send: bytes => void gateway.write(bytes),
            copied: text => socket.send(tdpClipboard(text), { binary: true }),
          },
        );
        relayPictures(socket, drawing, gateway, desk, why => {
          over(why);
          desk.leave();
        });
        desktops.stream(who, desktop.name, sid)(client);
      } catch (error) {
        over(wordsOf(request, error));
        begun?.leave();
      }
    },
  );

  const playing = new WeakMap<FastifyRequest, { readonly who: Who; readonly found: DesktopRecording | null }>();
  app.get<Route>(
    desktopPlaybackPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async (request, reply) => {
        const who = await sockets.authenticate(request);
        const { clusterId, sid } = request.params;
        refuseOtherCluster(clusterId, config.clusterName);
        let found: DesktopRecording | null = null;
        try {
          await auditAccess.openRecording(who, sid);
          found = await recordings.desktop(sid);
        } catch (error) {
          // Whether there is one is told to nobody who may not play it.
          if (!(error instanceof Failure)) throw error;
        }
        playing.set(request, { who, found });
        if (!request.ws) return wantsUpgrade(reply);
      },
    },
    async (socket: Socket, request) => {
      const wanted = playing.get(request);
      if (!wanted) return socket.terminate();
      const tell = (what: object): void => {
        if (socket.readyState === socket.OPEN) socket.send(Buffer.from(JSON.stringify(what)), { binary: true });
      };
      socket.on(
        'close',
        sockets.add(wanted.who, why => finish(socket, closeCodes.denied, why)),
      );
      keepAlive(socket, config.keepAliveMs);
      let drawing: Drawing | undefined;
      try {
        if (!wanted.found) tell({ message: 'error', errorText: 'session not found' });
        else {
          drawing = draw({ protocol: wanted.found.protocol });
          await playPictures(socket, drawing, wanted.found, tell);
          tell({ message: 'end' });
        }
      } catch (error) {
        request.log.error({ err: error }, 'a desktop could not be played');
        tell({ message: 'error', errorText: 'server error' });
      } finally {
        await drawing?.close();
        finish(socket, closeCodes.normal, '');
      }
    },
  );
}

/** Text does not go between the clipboards, and why. */
const notCopied = (why: string): Buffer => tdpWarning(`Nothing was copied to the desktop: ${why}.`);
const NO_DIRECTORY = 'Directories cannot be shared with this desktop: what draws it here has no way to.';

/** What the server sends is drawn and shown, what the client does is done. `broken`: hears once what ended it. */
function relayPictures(
  socket: Socket,
  drawing: Drawing,
  gateway: Duplex,
  desktop: Pick<BegunDesktop, 'sharesClipboard' | 'notShared'>,
  broken: (why: string) => void,
): void {
  let undrawn = 0;
  let isChanged = false;
  let isOver = false;
  const end = (why: string): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(frames);
    broken(why);
  };
  const died = (): void => end('What draws the desktop broke.');
  gateway.on('error', () => undefined);
  gateway.on('data', (bytes: Buffer) => {
    undrawn += bytes.length;
    if (undrawn > UNDRAWN_MOST_BYTES) gateway.pause();
    drawing.feed(bytes).then(() => {
      undrawn -= bytes.length;
      isChanged = true;
      if (gateway.isPaused()) gateway.resume();
    }, died);
  });
  let isTaking = false;
  const frames = setInterval(() => {
    if (!isChanged || isTaking || isBusy(socket) || socket.readyState !== socket.OPEN) return;
    isChanged = false;
    isTaking = true;
    drawing.take().then(({ rectangles }) => {
      isTaking = false;
      for (const part of rectangles) socket.send(tdpPicture(part), { binary: true });
    }, died);
  }, FRAME_MS);
  socket.on('message', (message, isBinary) => {
    const read = isBinary && Buffer.isBuffer(message) ? readTdp(message, CLIPBOARD_MOST_BYTES) : null;
    if (read === null) return end('The session was ended: what was sent is no message of a desktop.');
    if (read.kind === 'ignored') return;
    if (read.kind === 'directory') {
      desktop.notShared({ id: read.directory, name: read.name }, NO_DIRECTORY);
      for (const told of [tdpNoDirectory(read.directory), tdpWarning(NO_DIRECTORY)])
        socket.send(told, { binary: true });
    } else if (read.kind === 'tooMuch')
      socket.send(notCopied(`it is longer than ${CLIPBOARD_MOST_BYTES / 1024} kB`), { binary: true });
    else if (read.kind === 'clipboard' && !desktop.sharesClipboard)
      socket.send(notCopied('your roles do not let text go between the clipboards (desktop_clipboard)'), {
        binary: true,
      });
    else if (read.kind === 'resize')
      try {
        drawing.act({ kind: 'resize', ...sidesOf(read.width, read.height) }).catch(died);
      } catch (error) {
        end(error instanceof Failure ? error.message : String(error));
      }
    else drawing.act(read).catch(died);
  });
  socket.on('close', () => {
    isOver = true;
    clearInterval(frames);
    gateway.destroy();
  });
}
