// What was printed in a session, for playing back.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { hold } from './holds.ts';
import { countUpTo, name, time } from './shapes.ts';

const params = z.object({ clusterId: name, sid: name });
const event = z.looseObject({ event: z.string(), time });

export const sessionEvents = call('GET', 'sites/:clusterId/sessions/:sid/events', {
  summary: 'The events of one recording in order: session.start, resize, print {ms, offset, bytes}, session.end.',
  access: { resource: 'session', verb: 'read' },
  params,
  query: z.object({ after: z.optional(z.coerce.number().check(z.int(), z.minimum(0))) }),
  reply: z.object({ events: z.array(event) }),
});

/** Most bytes one stream call answers. */
export const STREAM_MOST_BYTES = 5 * 1024 * 1024;

/** Raw bytes, so its answer is application/octet-stream, not JSON. */
export const sessionStream = call('GET', 'sites/:clusterId/sessions/:sid/stream', {
  summary: 'A slice of the bytes that a session printed.',
  access: { resource: 'session', verb: 'read' },
  params,
  query: z.object({
    offset: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
    bytes: z._default(countUpTo(STREAM_MOST_BYTES), STREAM_MOST_BYTES),
  }),
  reply: z.unknown(),
});

/** A point a player can start from: the whole screen as one string of terminal output. */
export const keyframe = z.object({
  ms: z.number(),
  offset: z.number(),
  cols: z.number(),
  rows: z.number(),
  index: z.number(),
  /** Of a desktop: it has no picture of its own, and is played behind those before it. */
  isPart: z.optional(z.boolean()),
});
export type Keyframe = z.infer<typeof keyframe>;

/** A command that was run. The kernel's word is proof, a shell's its own, a line that looks like a prompt a guess. */
export const commandMark = z.object({
  ms: z.number(),
  /** Of one line; nothing in it moves a terminal. */
  text: z.string(),
  /** `startup`: the kernel too, before the first command that the shell or a prompt tells of: the shell's own files ran it. */
  source: z.enum(['kernel', 'startup', 'shell', 'prompt']),
  /** Exit status; null: nobody says. */
  status: z.nullable(z.number()),
  endMs: z.nullable(z.number()),
});
export type CommandMark = z.infer<typeof commandMark>;

/** Somebody came into the session or left it. */
export const partyMark = z.object({ ms: z.number(), user: z.string(), change: z.enum(['join', 'leave']) });
export type PartyMark = z.infer<typeof partyMark>;

/** A file that one of the session's people copied from or to its server meanwhile, as the audit log has it; for whoever may read that event. */
export const transferMark = z.object({
  ms: z.number(),
  user: z.string(),
  action: z.enum(['download', 'upload']),
  path: z.string(),
  /** null: the copy ended before anybody knew. */
  bytes: z.nullable(z.number()),
  isFailed: z.boolean(),
});
export type TransferMark = z.infer<typeof transferMark>;

/** Something that was shared with a desktop, as the audit log has it: text of a clipboard, without the text, or a directory or file, by its name. */
export const sharedMark = z.object({
  ms: z.number(),
  user: z.string(),
  /** `send` and `receive`: text, to the desktop and from it; `share`: a directory; `read` and `write`: a file of one. */
  action: z.enum(['send', 'receive', 'share', 'read', 'write']),
  /** '' of text. */
  name: z.string(),
  bytes: z.nullable(z.number()),
});
export type SharedMark = z.infer<typeof sharedMark>;

/** Ours: everything a player needs to draw its timeline and to seek without reading the whole recording. */
export const recordingSummary = z.object({
  sid: z.string(),
  /** Length in milliseconds. */
  durationMs: z.number(),
  /** Bytes printed in all. */
  bytes: z.number(),
  cols: z.number(),
  rows: z.number(),
  started: time,
  ended: z.nullable(time),
  /** 'sealed': ended and signed; 'cut': the gateway died and closed it later; 'live': still being written. */
  state: z.enum(['sealed', 'cut', 'live']),
  /**
   * What checking the hash chain and the signature found; `at` is the first bad chunk's time in ms. `unread`: that was when its session
   * ended; it is read in part from its bucket, each part checked against that.
   */
  integrity: z.object({
    ok: z.boolean(),
    problem: z.optional(z.string()),
    at: z.optional(z.number()),
    unread: z.optional(z.boolean()),
  }),
  keyframes: z.array(keyframe),
  /** Bytes printed in each of 400 equal slices of the time: the heat strip. */
  activity: z.array(z.number()),
  resizes: z.array(z.object({ ms: z.number(), cols: z.number(), rows: z.number() })),
  commands: z.array(commandMark),
  parties: z.array(partyMark),
  transfers: z.array(transferMark),
  /** Of a desktop, for whoever may read those events. */
  shared: z.optional(z.array(sharedMark)),
  /** How many small pictures of a desktop there are; absent or 0 until it was drawn, after its session. */
  thumbnails: z.optional(z.number()),
  /** What keeps it whatever the retention says; none for whoever may not list holds. */
  holds: z.array(hold),
  serverId: z.string(),
  login: z.string(),
  hostname: z.string(),
  /** What the desktop spoke, in the recording of one. */
  desktop: z.optional(z.enum(['rdp', 'vnc'])),
  participants: z.array(z.string()),
});
export type RecordingSummary = z.infer<typeof recordingSummary>;
export const getRecording = call('GET', 'sites/:clusterId/recordings/:sid', {
  summary: 'The outline of a recording: length, key frames, activity, and whether it is intact.',
  access: { resource: 'session', verb: 'read' },
  params,
  reply: recordingSummary,
});

/** What was printed between two key frames, with its timing: `prints` index into `text` decoded from base64 bytes. */
export const recordingSegment = z.object({
  /** Terminal output that draws the key frame's screen on a reset terminal. */
  screen: z.string(),
  ms: z.number(),
  offset: z.number(),
  cols: z.number(),
  rows: z.number(),
  /** Base64 of the bytes from this key frame to the next. */
  bytes: z.string(),
  /** [ms, length] for each print, in order; or [ms, cols, rows] for a resize. */
  prints: z.array(z.union([z.tuple([z.number(), z.number()]), z.tuple([z.number(), z.number(), z.number()])])),
});
export type RecordingSegment = z.infer<typeof recordingSegment>;
export const getRecordingSegment = call('GET', 'sites/:clusterId/recordings/:sid/segments/:index', {
  summary: 'One key frame and what was printed until the next.',
  access: { resource: 'session', verb: 'read' },
  params: z.object({ clusterId: name, sid: name, index: z.coerce.number().check(z.int(), z.minimum(0)) }),
  reply: recordingSegment,
});

/** Most small pictures that one call answers. */
export const THUMBNAILS_MOST = 60;
export const getThumbnails = call('GET', 'sites/:clusterId/recordings/:sid/thumbnails', {
  summary: 'Small pictures of a desktop in its recording, one for each minute, from a number on.',
  access: { resource: 'session', verb: 'read' },
  params,
  query: z.object({ from: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0) }),
  reply: z.object({
    thumbnails: z.array(
      z.object({
        ms: z.number(),
        /** In base64. */
        png: z.string(),
      }),
    ),
  }),
});

/** A terminal's screen, for a small picture of it: rows of runs [column, cells, text, colour of the text, of the ground]. */
export const screenPicture = z.object({
  cols: z.number(),
  rows: z.number(),
  /**
   * Colours: '' = the terminal's own, 0 to 255 = of the palette, #rrggbb, 'text' and 'ground' = the terminal's own of the two. Rows below the
   * last with something on it are left out.
   */
  lines: z.array(z.array(z.tuple([z.number(), z.number(), z.string(), z.string(), z.string()]))),
});
export type ScreenPicture = z.infer<typeof screenPicture>;
export const getLastScreen = call('GET', 'sites/:clusterId/recordings/:sid/screen', {
  summary:
    'What was on the screen when the recording ended. With `letters=no` only where something stood, for thumbnails: that is not noted as an access to the recording.',
  access: { resource: 'session', verb: 'read' },
  params,
  query: z.object({ letters: z.optional(z.enum(['no'])) }),
  reply: screenPicture,
});

/** A recording as a file; of statements in a database and of requests to an application also the list of them. */
export const recordingFiles = ['text', 'html', 'csv', 'json'] as const;
export type RecordingFile = (typeof recordingFiles)[number];

/** Ours, for whoever has no player: the text alone, a page that plays by itself, or the list of what was done. */
export const saveRecording = call('GET', 'sites/:clusterId/recordings/:sid/file', {
  summary:
    'The recording as plain text, or as one HTML file that plays it without any network; of statements or requests also their list, as CSV or JSON.',
  access: { resource: 'session', verb: 'read' },
  params,
  query: z.object({ format: z._default(z.enum(recordingFiles), 'text') }),
  reply: z.unknown(),
});
