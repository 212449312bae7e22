// The JSON inside the frames that a terminal receives, checked where it arrives.
import * as z from 'zod/mini';
import { modes } from '../contract/live-sessions.ts';
import { type PromptFile, promptFile } from '../contract/prompt-files.ts';
import { sessionState } from '../contract/terminal.ts';

/** Most columns and rows that the gateway takes. */
const MOST_CELLS = 4095;
const cells = z.number().check(z.int(), z.minimum(1), z.maximum(MOST_CELLS));

/** Somebody who takes part in a session; a gateway that does not say how counts them as typing. */
const participant = z.object({
  id: z._default(z.string(), ''),
  user: z.string(),
  mode: z._default(z.enum(modes), 'peer'),
});
export type Participant = z.infer<typeof participant>;

/** What a terminal needs of the session frame (src/contract/terminal.ts SessionFrame); other gateways may send more or less. */
const sessionFrame = z.object({
  session: z.object({
    id: z.string().check(z.minLength(1)),
    login: z._default(z.string(), ''),
    server_id: z._default(z.string(), ''),
    server_hostname: z._default(z.string(), ''),
    owner: z._default(z.string(), ''),
    moderated: z._default(z.boolean(), false),
    production: z._default(z.boolean(), false),
    parties: z._default(z.array(participant), []),
    terminal_params: z.optional(z.object({ w: cells, h: cells })),
  }),
  output: z.optional(z.object({ offset: z.number().check(z.int(), z.minimum(0)), fresh: z.boolean() })),
  recording: z.optional(z.enum(['strict', 'best_effort', 'off'])),
  /** Which of the parties this side is. */
  party: z._default(z.string(), ''),
  sessionState: z.optional(sessionState),
});
export type SessionDetails = z.infer<typeof sessionFrame>;

/** Round trips in milliseconds: `ws` between this side and the gateway, `ssh` between the gateway and the server. */
const latencyFrame = z.object({ ws: z.number(), ssh: z.number() });
export type Latency = z.infer<typeof latencyFrame>;

const resizeEvent = z.object({ event: z.literal('resize'), size: z.string().check(z.regex(/^\d{1,4}:\d{1,4}$/)) });

const presenceEvent = z.object({
  event: z.enum(['session.join', 'session.leave', 'session.state']),
  parties: z.array(participant),
  sessionState: z.optional(sessionState),
});

const decoder = new TextDecoder();
/** The payload of a frame as text. */
export const textOf = (payload: Uint8Array): string => decoder.decode(payload);

/** The payload of a frame as JSON; undefined when it is none. */
export function jsonOf(payload: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(payload));
  } catch {
    return undefined; // the schemas refuse undefined
  }
}

/** The session frame, or undefined when it is not one. */
export const readSession = (payload: Uint8Array): SessionDetails | undefined =>
  z.safeParse(sessionFrame, jsonOf(payload)).data;
/** The latency frame, or undefined when it is not one. */
export const readLatency = (payload: Uint8Array): Latency | undefined =>
  z.safeParse(latencyFrame, jsonOf(payload)).data;

/** Everybody who takes part now, and how the session stands, when an audit frame says that either has changed. */
export const readPresence = (payload: Uint8Array): z.infer<typeof presenceEvent> | undefined =>
  z.safeParse(presenceEvent, jsonOf(payload)).data;

const fileEvent = z.object({
  event: z.enum(['file_transfer_request', 'file_transfer_request_approve', 'file_transfer_request_deny']),
  requestID: z.string(),
  requester: z.string(),
  /** Users. */
  approvers: z.readonly(z.array(z.string())),
  location: z.string(),
  filename: z._default(z.string(), ''),
  download: z.boolean(),
  /** Ours: a folder with all that is in it, to look through or to copy. */
  reach: z.optional(z.enum(['look', 'folder'])),
  act: z.optional(z.enum(['move', 'remove'])),
  /** Ours: where it is copied to. */
  to: z.optional(z.object({ hostname: z.string(), nodeId: z.string(), login: z.string(), location: z.string() })),
  /** Ours: why it was denied, where nobody was asked. */
  message: z._default(z.string(), ''),
});
/** A file transfer that somebody asks the others for, or what became of it. */
export type FileEvent = z.infer<typeof fileEvent>;
export const readFileEvent = (payload: Uint8Array): FileEvent | undefined =>
  z.safeParse(fileEvent, jsonOf(payload)).data;
/** The requests that wait, once this is told. */
export const waitingAfter = (waiting: readonly FileEvent[], told: FileEvent): readonly FileEvent[] => [
  ...waiting.filter(({ requestID }) => requestID !== told.requestID),
  ...(told.event === 'file_transfer_request' ? [told] : []),
];

/** A file that waits for this side to fetch it, when an audit frame says so. */
export const readPromptFile = (payload: Uint8Array): PromptFile | undefined =>
  z.safeParse(promptFile, jsonOf(payload)).data;

/** The size another participant chose, when an audit frame says so; other events are not for the terminal. */
export function readSize(payload: Uint8Array): { readonly cols: number; readonly rows: number } | undefined {
  const resize = z.safeParse(resizeEvent, jsonOf(payload)).data;
  if (!resize) return undefined;
  const [cols = 0, rows = 0] = resize.size.split(':').map(Number);
  return cols >= 1 && cols <= MOST_CELLS && rows >= 1 && rows <= MOST_CELLS ? { cols, rows } : undefined;
}
