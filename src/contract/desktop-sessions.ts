// Sessions on desktops: the socket that begins one and says what becomes of it, and the socket that what is drawn comes over.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { desktopProtocol } from './resources.ts';
import { clusterParams, name, ok } from './shapes.ts';

/** Largest side of a desktop's screen, pixels. */
export const SCREEN_MOST_PIXELS = 8192;
/** Longest password, characters. */
const PASSWORD_MOST_CHARACTERS = 512;
/** Most text that the clipboard is handed on with at once, bytes. */
export const CLIPBOARD_MOST_BYTES = 256 * 1024;

/**
 * Path of the socket that a session lasts as long as; `access_token` and `params` are its query. Where roles ask for a hardware key for each
 * session, a challenge comes first, as in a terminal's. All else is text: `desktopMessage` from the gateway, `desktopAnswer` to it.
 */
export const desktopSessionPath = '/v1/webapi/sites/:clusterId/desktops/:name/session';
/**
 * Path of the socket for the desktop's own protocol, in binary messages: once for each session, by whoever began it, with `access_token` as its
 * query. VNC asks for no password there, and RDP begins with RDCleanPath.
 */
export const desktopStreamPath = '/v1/webapi/sites/:clusterId/desktops/:name/stream/:sid';

/** Path of the socket for clients that speak TDP: `access_token`, `username`, `width` and `height` are its query. */
export const desktopTdpPath = '/v1/webapi/sites/:clusterId/desktops/:name/connect';
/** Path of the socket that plays the recording of a desktop as pictures, for clients that know TDP alone. */
export const desktopPlaybackPath = '/v1/webapi/sites/:clusterId/desktopplayback/:sid';

const pixels = z.number().check(z.int(), z.minimum(1), z.maximum(SCREEN_MOST_PIXELS));
export const desktopParams = z.object({
  login: z.string().check(z.minLength(1), z.maxLength(255)),
  /** Of the screen that is wanted, pixels. */
  width: pixels,
  height: pixels,
});
export type DesktopParams = z.infer<typeof desktopParams>;

const password = z
  .string()
  .check(z.maxLength(PASSWORD_MOST_CHARACTERS, `at most ${PASSWORD_MOST_CHARACTERS} characters`));
export const desktopAnswer = z.object({ password });

/** Each has the one field that it is about. */
export const desktopMessage = z.object({
  /** The gateway keeps no password for the login, or the one it keeps was refused: it is asked for, used once and forgotten. Why, in words. */
  asks: z.optional(z.string()),
  /** The desktop is there: its stream can be opened. */
  ready: z.optional(
    z.object({
      sid: z.string(),
      protocol: desktopProtocol,
      /** Whether text is handed on between the clipboards. */
      clipboard: z.boolean(),
      recorded: z.boolean(),
    }),
  ),
  /** Who watches, by name, whenever that is others. */
  watched: z.optional(z.array(z.string())),
  /** The last thing that is said: why the session is over. '' = in good order. */
  over: z.optional(z.string()),
});
export type DesktopMessage = z.infer<typeof desktopMessage>;

/** A moment of a session: what a replay begins with in the place of all that was before. */
export const desktopMoment = z.object({
  width: z.number().check(z.int(), z.minimum(1), z.maximum(16_384)),
  height: z.number().check(z.int(), z.minimum(1), z.maximum(16_384)),
  /** What the server said first, and what it had said of what comes next; base64. */
  before: z.string(),
  after: z.string(),
  /** What the screen showed: PNG, base64. */
  png: z.string(),
});
export type DesktopMoment = z.infer<typeof desktopMoment>;

/**
 * Path of the socket of somebody who watches a running session; `access_token` is its query. Text is `watchedMessage`; binary is what the server
 * has drawn since the session began, or since `moment`, as it stands in the recording.
 */
export const desktopWatchPath = '/v1/webapi/sites/:clusterId/desktopsessions/:sid/watch';

/** Each has the one field that it is about. */
export const watchedMessage = z.object({
  /** Comes first. */
  watching: z.optional(z.object({ protocol: desktopProtocol, name: z.string(), login: z.string(), owner: z.string() })),
  /** Comes before all that was drawn: where a session has gone on for long, it is shown from here on. */
  moment: z.optional(desktopMoment),
  /** The last thing that is said: why it is over. '' = in good order. */
  over: z.optional(z.string()),
});
export type WatchedMessage = z.infer<typeof watchedMessage>;

export const setDesktopPassword = call('PUT', 'sites/:clusterId/desktops/:name/passwords/:login', {
  summary:
    'Keep the password of a login on a desktop, encrypted, for whoever may use that login; "" forgets it. It is never answered, and void once the address changes.',
  access: { resource: 'windows_desktop', verb: 'update' },
  params: z.extend(clusterParams, { name, login: name }),
  body: z.object({ password }),
  reply: ok,
});
