// The terminal socket: parameters in its URL, and the JSON inside its frames.
import * as z from 'zod/mini';
import { modes, sessionStates } from './live-sessions.ts';

/** Path of the socket; `access_token`, `params` and `traceparent` are its query. */
export const terminalPath = '/v1/webapi/sites/:clusterId/connect';

/** Rows and columns a terminal may have, cells. */
const cells = z.number().check(z.int(), z.minimum(1), z.maximum(4095));

export const terminalParams = z.object({
  /** Node id, or host[:port]; empty when joining by sid. */
  server_id: z._default(z.string().check(z.maxLength(300)), ''),
  /** OS login; ignored when joining. */
  login: z._default(z.string().check(z.maxLength(255)), ''),
  /** '' = a new session, else the session to join. */
  sid: z._default(z.string().check(z.maxLength(64)), ''),
  mode: z._default(z.enum([...modes, '']), ''),
  term: z.object({ h: cells, w: cells }),
  /** Ours: bytes of output this client already has of the session; the gateway sends what follows when it still can. */
  have: z.optional(z.number().check(z.int(), z.minimum(0))),
});
export type TerminalParams = z.infer<typeof terminalParams>;

export const resizeMessage = z.object({
  event: z.literal('resize'),
  width: cells,
  height: cells,
  size: z.optional(z.string()),
});

/**
 * Most output in one envelope, bytes: its length then takes two bytes. A client of this wire misreads longer lengths and loses what they
 * hold, so no `r` envelope is larger, whatever it replays.
 */
export const RAW_MOST_BYTES = 16_383;

/** Somebody who takes part in a session now. */
const present = z.object({ id: z.string(), user: z.string(), mode: z.enum(modes) });
export type Present = z.infer<typeof present>;

/** Ours: how a session stands with those in it. */
export const sessionState = z.object({
  /** `pending`: nothing runs yet. `paused`: it runs, and neither types nor shows anything. */
  state: z.enum(sessionStates),
  /** Why it does not run: a sentence; '' while it does. */
  why: z.string(),
  /** The user who has taken the keys; '' = all peers type. */
  writer: z.string(),
});
export type SessionState = z.infer<typeof sessionState>;

/**
 * Payload of the audit frame when somebody comes or goes. Ours: `mode`, `parties`, all who are there after it, and `sessionState`; clients that
 * do not know them ignore them. When a session has another state, `session.state` (ours) says `sid`, `by` (a user, or ''), `parties` and `sessionState`.
 */
export const presenceMessage = z.object({
  event: z.enum(['session.join', 'session.leave']),
  sid: z.string(),
  user: z.string(),
  mode: z.enum(modes),
  parties: z.array(present),
  sessionState,
});

const filePath = z.string().check(z.minLength(1), z.maxLength(4096));
/** A file transfer that needs the approval of others in a session: what is asked for, by whom it may be done once approved. */
export const fileRequest = z.object({
  download: z.boolean(),
  /** Path on the server. */
  location: filePath,
  /** Name of what is uploaded. */
  filename: z._default(z.string().check(z.maxLength(4096)), ''),
  /** Ours: the location is a folder, meant with all that is in it: to `look` through, or to be copied file by file. */
  reach: z.optional(z.enum(['look', 'folder'])),
  /** Ours: it is not copied but moved to `to`, another place of the same login, or removed with all that is in it. */
  act: z.optional(z.enum(['move', 'remove'])),
  /** Ours: it is copied to there, another server or another place of the same. */
  to: z.optional(
    z.object({
      nodeId: z.string().check(z.maxLength(300)),
      login: z.string().check(z.maxLength(255)),
      location: filePath,
    }),
  ),
});
export type FileRequest = z.infer<typeof fileRequest>;
/** Payloads of the frames of file transfers, client to gateway. */
export const fileRequestMessage = z.extend(fileRequest, { event: z.literal('file_transfer_request') });
export const fileDecisionMessage = z.object({
  event: z.literal('file_transfer_decision'),
  requestId: z.string().check(z.maxLength(64)),
  approved: z.boolean(),
});

/**
 * Ours, client to gateway, in an audit frame: peers take, return and hand over the keys, moderators pause the session and
 * let it go on; the owner and moderators end it.
 */
export const controlMessage = z.object({
  event: z.literal('session.control'),
  action: z.enum(['take', 'return', 'give', 'pause', 'resume', 'end']),
  /** Whom the keys are given: id of the party. */
  party: z._default(z.string().check(z.maxLength(64)), ''),
});
export type SessionControl = Omit<z.infer<typeof controlMessage>, 'event'>;

/**
 * Payload of the session frame beside the session itself. Ours: `output` says where in the session's output the next raw
 * frame begins; `fresh` is false when it continues what the client said it has, true when the client must clear its screen first.
 */
export interface SessionFrame {
  readonly session: z.infer<typeof import('./live-sessions.ts').liveSession>;
  readonly output?: { readonly offset: number; readonly fresh: boolean };
  readonly recording?: 'strict' | 'best_effort' | 'off';
  /** Ours: which of the session's parties this client is. */
  readonly party?: string;
  /** Ours. */
  readonly sessionState?: SessionState;
}

/** Payload of the latency frame, milliseconds: browser to gateway, gateway to server. */
export interface LatencyFrame {
  readonly ws: number;
  readonly ssh: number;
}

/** Close codes of our sockets, with their meaning. 1000 is the normal end. */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  badFrame: 1003,
  denied: 1008,
  tooBig: 1009,
  failed: 1011,
} as const;

/**
 * Ours, client to gateway, in a latency frame: how far into the session's output this client has shown, bytes. Once a client has
 * sent one, the gateway keeps at most SEEN_WINDOW_BYTES between what it sent and what was seen, so that Ctrl-C is felt at once
 * even where sockets buffer megabytes. Clients that never send it are held by their socket's buffer alone.
 */
export const seenMessage = z.object({ seen: z.number().check(z.int(), z.minimum(0)) });
/** Most output between sent and seen, bytes: a third of a second of what a browser's terminal can draw. */
export const SEEN_WINDOW_BYTES = 512 * 1024;
/** A client reports after this much more was drawn, bytes. */
export const SEEN_EVERY_BYTES = 64 * 1024;

/** How a program in a terminal ended: with a status, or by a signal such as SIGTERM. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
}
/** What the close frame says of it; nothing when it ended with 0. */
export function endText({ code, signal }: ProgramEnd): string {
  if (signal) return `The program was ended by ${signal}.`;
  return code ? `The program ended with ${code}.` : '';
}
/** The same read back, for whoever passes the status on. Null: the text says something else. */
export function readEnd(text: string): ProgramEnd | null {
  if (text === '') return { code: 0, signal: null };
  const [, signal, code] = /^The program (?:was ended by (\w+)|ended with (\d{1,10}))\.$/.exec(text) ?? [];
  if (signal !== undefined) return { code: null, signal };
  return code === undefined ? null : { code: Number(code), signal: null };
}
