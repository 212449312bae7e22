// Desktops as pictures: sockets for clients that speak TDP, on a desktop and of a recording. The gateway draws what the server sends.
import { duplexPair } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import {
  CLIPBOARD_MOST_BYTES,
  desktopParams,
  desktopPlaybackPath,
  desktopTdpPath,
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
  tdpScreen,
} from './tdp.ts';

/** Drawn at once by this gateway: each takes a thread, and a good part of a core while its screen moves. */
const DRAWN_MOST = 8;
/** Pictures are sent this far apart at least, ms, and none while more than this waits to be sent, bytes. */
const FRAME_MS = 40;
const WAITING_MOST_BYTES = 1024 * 1024;
/** What a server sent and is not drawn yet: then it is not read on, bytes. */
const UNDRAWN_MOST_BYTES = 4 * 1024 * 1024;
/** Speeds that a player can choose (times real time). */
const SPEED = { least: 0.25, most: 16 } as const;

export interface DesktopPictureServices extends DesktopSocketServices {
  readonly recordings: Pick<Recordings, 'desktop'>;
  readonly auditAccess: Pick<AuditAccess, 'openRecording'>;
}
type Asking = {
  Params: { clusterId: string; name: string; sid: string };
  Querystring: Readonly<Record<string, unknown>>;
};
const sides = z.object({
  login: desktopParams.shape.login,
  width: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(8192)),
  height: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(8192)),
});
const control = z.union([
  z.object({ action: z.literal('play/pause') }),
  z.object({ action: z.literal('speed'), speed: z.number() }),
]);

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
  app.get<Asking>(
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
        const read = z.safeParse(sides, { login: username, width: wide, height: high });
        if (!read.success)
          throw new Failure(
            'bad_request',
            'username, width and height are wanted: a login, and sides of 1 to 8192 pixels',
          );
        const { login } = read.data;
        // Servers draw in strips of four pixels.
        const [width, height] = [Math.max(200, read.data.width & ~3), Math.max(200, read.data.height & ~1)];
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
        const [client, gateway] = duplexPair();
        drawing = draw(
          { protocol, live: { sid, width, height } },
          {
            send: bytes => void gateway.write(bytes),
            copied: text => socket.send(tdpClipboard(text), { binary: true }),
          },
        );
        relayPictures(socket, drawing, gateway, why => {
          over(why);
          begun?.leave();
        });
        desktops.stream(who, desktop.name, sid)(client);
      } catch (error) {
        over(wordsOf(request, error));
        begun?.leave();
      }
    },
  );

  const playing = new WeakMap<FastifyRequest, { readonly who: Who; readonly found: DesktopRecording | null }>();
  app.get<Asking>(
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
          await play(socket, drawing, wanted.found, tell);
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

const isBusy = (socket: Socket): boolean => socket.bufferedAmount > WAITING_MOST_BYTES;

/** What the server sends is drawn and shown, what the client does is done. `broken`: hears once what ended it. */
function relayPictures(
  socket: Socket,
  drawing: Drawing,
  gateway: import('node:stream').Duplex,
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
    if (read.kind === 'directory') socket.send(tdpNoDirectory(read.directory), { binary: true });
    else drawing.act(read).catch(died);
  });
  socket.on('close', () => {
    isOver = true;
    clearInterval(frames);
    gateway.destroy();
  });
}

/** At the pace that the player asks for, until its end or until they leave. */
async function play(
  socket: Socket,
  drawing: Drawing,
  { events, started }: DesktopRecording,
  tell: (what: object) => void,
): Promise<void> {
  let speed = 1;
  let isPlaying = true;
  let wake = (): void => undefined;
  const isOpen = (): boolean => socket.readyState === socket.OPEN;
  socket.on('close', () => wake());
  socket.on('message', (message, isBinary) => {
    const read = isBinary ? undefined : z.safeParse(control, jsonOf(String(message)));
    if (!read?.success) return finish(socket, closeCodes.denied, 'unknown action');
    if (read.data.action === 'speed') speed = Math.min(SPEED.most, Math.max(SPEED.least, read.data.speed));
    else isPlaying = !isPlaying;
    wake();
  });
  /** Recorded milliseconds that are shown, and real ones when that was so. */
  let at = 0;
  let since = performance.now();
  const sleep = (ms: number): Promise<void> =>
    new Promise(done => {
      const timer = setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  async function until(ms: number): Promise<void> {
    while (isOpen()) {
      const now = performance.now();
      if (isPlaying) at += (now - since) * speed;
      since = now;
      if (isPlaying && at >= ms && !isBusy(socket)) return;
      await sleep(isPlaying ? Math.min(1000, Math.max(FRAME_MS, (ms - at) / speed)) : 1000);
    }
  }
  let size = '';
  let ei = 0;
  const say = (ms: number, message: Buffer): void =>
    tell({
      message: message.toString('base64'),
      ms: Math.round(ms),
      // The wire names both (socket wire, playback of desktops); the catalogue has no code for what is a part of a recording and none of the audit log.
      ...{ event: 'desktop.recording', code: '', ei: ei++, time: new Date(started + ms).toISOString() },
    });
  async function show(ms: number, parts: readonly Uint8Array[]): Promise<void> {
    await until(ms);
    if (!isOpen()) return;
    await drawing.feed(Buffer.concat(parts));
    const { width, height, rectangles } = await drawing.take();
    if (width > 0 && size !== `${width}x${height}`) {
      size = `${width}x${height}`;
      say(ms, tdpScreen(width, height));
    }
    for (const part of rectangles) say(ms, tdpPicture(part));
  }
  const parts: Uint8Array[] = [];
  let first = 0;
  for await (const { ms, bytes } of events) {
    if (parts.length > 0 && ms - first >= FRAME_MS * Math.max(1, speed)) {
      await show(first, parts.splice(0));
      if (!isOpen()) return;
    }
    if (parts.length === 0) first = ms;
    parts.push(bytes);
  }
  if (parts.length > 0) await show(first, parts);
}
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
