// Audit events as things: each by itself, and the one that ended a session as its recording.
import type { AuditEvent } from '../contract/audit.ts';
import type { Hold, Holdable } from '../contract/holds.ts';
import { detailOf, type Thing } from './thing.ts';
import { dateTime } from './times.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Who took part, as the event names them. */
export function participantsOf(event: AuditEvent): readonly string[] {
  const { participants } = event;
  const named = Array.isArray(participants) ? participants.map(textOf) : [event.user ?? ''];
  return named.filter(user => user !== '');
}

/** The recording that an event speaks of. Null when it names no session. */
export function recordingThing(event: AuditEvent): Thing | null {
  const fields: Readonly<Record<string, unknown>> = event;
  const sid = textOf(fields.sid);
  if (sid === '') return null;
  const desktop = event.event === 'windows.desktop.session.end';
  const kube = !desktop && fields.proto === 'kube';
  const database = event.event === 'db.session.end';
  const application = event.event === 'app.session.end';
  const host = database
    ? textOf(fields.db_service)
    : desktop
      ? textOf(fields.desktop_name) || textOf(fields.desktop_addr)
      : kube
        ? textOf(fields.kubernetes_cluster)
        : application
          ? textOf(fields.app_name)
          : textOf(fields.server_hostname);
  const users = desktop ? [event.user ?? ''].filter(user => user !== '') : participantsOf(event);
  const started = Date.parse(textOf(fields.session_start));
  const stopped = Date.parse(textOf(fields.session_stop));
  const durationMs = Number.isFinite(stopped - started) ? Math.max(0, stopped - started) : 0;
  const off = desktop ? fields.recorded === false : textOf(fields.session_recording) === 'off';
  const refused = off
    ? 'This session was not recorded'
    : // What an agent runs has nobody at a terminal, and is recorded to be looked at all the same.
      !desktop && fields.interactive === false && textOf(fields.agent) === ''
      ? 'This session was not interactive'
      : undefined;
  return {
    kind: 'recording',
    id: sid,
    title: host || sid,
    detail: detailOf(users.join(', '), event.time.slice(0, 19).replace('T', ' '), sid),
    recording: { type: database ? 'db' : application ? 'app' : desktop ? 'desktop' : kube ? 'k8s' : 'ssh', durationMs },
    ...(refused === undefined ? {} : { refused }),
  };
}

/** An event's id: its own, or what it is and when (the specification, section 3). */
export const eventId = (event: AuditEvent): string => event.uid || `${event.event}:${event.time}`;

/**
 * An event as a thing, by its type and code: the catalogue of titles is long, and stays with whoever shows events. Of an event of a session
 * the recording can be played.
 */
export function eventThing(event: AuditEvent): Thing {
  const session = recordingThing(event);
  const server = textOf(event.server_hostname);
  return {
    kind: 'event',
    id: eventId(event),
    title: event.event,
    detail: event.code,
    ...(session !== null && { sessionId: session.id, recording: session.recording }),
    ...(event.user !== undefined && event.user !== '' && { user: event.user }),
    ...(server !== '' && { server }),
  };
}

/** What a hold on recordings asks of the recording that an event ended. */
export const holdableOf = (event: AuditEvent): Holdable => {
  const { sid, server_hostname: host, server_labels: labels }: Readonly<Record<string, unknown>> = event;
  return {
    sid: textOf(sid),
    users: participantsOf(event),
    host: textOf(host),
    labels: (labels ?? {}) as Record<string, unknown>,
  };
};

/** Since when a recording is held, and by whom. */
export const heldText = ({ since, by }: Pick<Hold, 'since' | 'by'>): string => `Held since ${dateTime(since)} by ${by}`;
