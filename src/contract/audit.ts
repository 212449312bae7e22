// Audit events over the wire. The catalogue of codes is in audit-codes.ts.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { NEEDLE_CHARACTERS } from './needle.ts';
import { clusterParams, countUpTo, name, time } from './shapes.ts';

/** A raw event: `code` and `event` name it, `uid` identifies it; the rest is by its kind. */
export const auditEvent = z.looseObject({
  event: z.string(),
  code: z.string(),
  time,
  uid: z._default(z.string(), ''),
  user: z.optional(z.string()),
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** Most events one call answers (specification section 9). */
export const EVENTS_MOST = 5000;

const eventsQuery = z.object({
  from: z.optional(time),
  to: z.optional(time),
  limit: z.optional(countUpTo(EVENTS_MOST)),
  startKey: z.optional(z.string().check(z.maxLength(512))),
  /** Event types, comma separated; empty = all. */
  include: z.optional(z.string().check(z.maxLength(4096))),
  /** Ours: event types that are left out, comma separated. */
  exclude: z.optional(z.string().check(z.maxLength(4096))),
  /** The specification's names for `from`, `to` and `include` (section 7); those of the wire count when both are given. */
  start: z.optional(time),
  end: z.optional(time),
  filter: z.optional(z.string().check(z.maxLength(4096))),
  order: z.optional(z.enum(['asc', 'desc'])),
  /** Ours: words that must all stand in the event. */
  search: z.optional(z.string().check(z.maxLength(512))),
  /** Ours: only what this person took part in. */
  user: z.optional(z.string().check(z.maxLength(255))),
});
export type EventsQuery = z.infer<typeof eventsQuery>;
const exportQuery = z.extend(z.omit(eventsQuery, { limit: true, startKey: true }), {
  format: z.enum(['csv', 'ndjson']),
});
const eventsReply = z.object({ events: z.array(auditEvent), startKey: z.string() });

export const searchEvents = call('GET', 'sites/:clusterId/events/search', {
  summary: 'Audit events of a time range, newest first.',
  access: { resource: 'event', verb: 'list' },
  params: clusterParams,
  query: eventsQuery,
  reply: eventsReply,
});
/** Text, as the format says: all of them, however many. */
export const exportEvents = call('GET', 'sites/:clusterId/events/export', {
  summary: 'All audit events of a time range as a file, newest first.',
  access: { resource: 'event', verb: 'list' },
  params: clusterParams,
  query: exportQuery,
  reply: z.unknown(),
});
/** Ours. For a browser that a page cannot write to a file of: it downloads by a link of its own, for a minute, once. */
export const createExportLink = call('POST', 'sites/:clusterId/events/export', {
  summary: 'A one-time token to download the audit events with, for this web session.',
  access: { resource: 'event', verb: 'list' },
  params: clusterParams,
  reply: z.object({ token: z.string() }),
});
/** Ours. The browser sends its cookie along: the token is good beside that alone. */
export const downloadEvents = call('GET', 'sites/:clusterId/events/export/:token', {
  summary: 'The same file, for who has a token for it.',
  access: 'public',
  params: z.extend(clusterParams, { token: name }),
  query: exportQuery,
  reply: z.unknown(),
  streamed: true,
});
/** Slices of time that one timeline has, at most. */
export const SLICES_MOST = 120;
/** Ours. How many events each slice of a time range holds; no slices for whoever may see only some of the events. */
export const countEvents = call('GET', 'sites/:clusterId/events/timeline', {
  summary: 'How many audit events there are in each of equal slices of a time range, oldest first.',
  access: { resource: 'event', verb: 'list' },
  params: clusterParams,
  query: z.extend(z.omit(eventsQuery, { limit: true, startKey: true, order: true }), {
    slices: z.optional(countUpTo(SLICES_MOST)),
  }),
  /** `isPart`: it holds more than were looked at, so the count is a least one. */
  reply: z.object({ slices: z.array(z.object({ count: z.number(), isPart: z.boolean() })) }),
});
export type EventSlice = z.infer<typeof countEvents.parts.reply>['slices'][number];
export const searchSessionEvents = call('GET', 'sites/:clusterId/events/search/sessions', {
  summary: 'Ended sessions of a time range, newest first: the list of recordings.',
  access: { resource: 'session', verb: 'list' },
  params: clusterParams,
  query: eventsQuery,
  reply: eventsReply,
});
/** Recordings that one search of what was printed answers, and places shown of each. */
export const FOUND_RECORDINGS_MOST = 50;
export const FOUND_PLACES_MOST = 5;
const foundRecording = z.object({
  /** The event that ended the session. */
  event: auditEvent,
  /** `ms` is the time since the session began. */
  places: z.array(z.object({ ms: z.number(), line: z.string() })),
});
export type FoundRecording = z.infer<typeof foundRecording>;
/** Ours: which recordings hold a text, and where. */
export const searchRecordedText = call('GET', 'sites/:clusterId/recordings/search', {
  summary: 'Recordings in which a text was printed, newest first, each with the first places and their lines.',
  access: { resource: 'session', verb: 'read' },
  params: clusterParams,
  query: z.object({
    /** Found as it stands, case aside, where a word begins. */
    text: z.string().check(z.maxLength(NEEDLE_CHARACTERS)),
    from: z.optional(time),
    to: z.optional(time),
    startKey: z.optional(z.string().check(z.maxLength(64))),
    limit: z._default(countUpTo(FOUND_RECORDINGS_MOST), FOUND_RECORDINGS_MOST),
  }),
  reply: z.object({
    recordings: z.array(foundRecording),
    startKey: z.string(),
    /** Recordings that are not indexed yet. */
    waiting: z.number(),
  }),
});
/** Text, so its answer is application/x-asciicast. */
export const exportRecording = call('GET', 'sites/:clusterId/recordings/:sid/asciicast', {
  summary: 'The recording as asciicast v3.',
  access: { resource: 'session', verb: 'read' },
  params: z.extend(clusterParams, { sid: name }),
  reply: z.unknown(),
});
