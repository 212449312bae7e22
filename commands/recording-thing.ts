// A recording as a row that can be picked. Apart from the other things, which the servers list is drawn with.
import type { AuditEvent } from '../src/contract/audit.ts';
import type { Thing } from './command.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isListed = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A recording as a thing, from the event that ended its session (contract/api.md 6, "Recordings mapping"). Null when it names no session. */
export function recordingThing(event: AuditEvent): Thing | null {
  const fields: Readonly<Record<string, unknown>> = event;
  const sid = textOf(fields.sid);
  if (sid === '') return null;
  const desktop = event.event === 'windows.desktop.session.end';
  const kube = !desktop && fields.proto === 'kube';
  const host = desktop
    ? textOf(fields.desktop_name) || textOf(fields.desktop_addr)
    : kube
      ? textOf(fields.kubernetes_cluster)
      : textOf(fields.server_hostname);
  const users = desktop
    ? [event.user ?? '']
    : isListed(fields.participants)
      ? fields.participants.map(textOf)
      : [event.user ?? ''];
  const started = Date.parse(textOf(fields.session_start));
  const stopped = Date.parse(textOf(fields.session_stop));
  const durationMs = Number.isFinite(stopped - started) ? Math.max(0, stopped - started) : 0;
  const off = desktop ? fields.recorded === false : textOf(fields.session_recording) === 'off';
  const refused = off
    ? 'This session was not recorded'
    : !desktop && fields.interactive === false
      ? 'This session was not interactive'
      : undefined;
  return {
    kind: 'recording',
    id: sid,
    title: host || sid,
    detail: [users.filter(user => user !== '').join(', '), event.time.slice(0, 19).replace('T', ' '), sid].join('  '),
    recording: { type: desktop ? 'desktop' : kube ? 'k8s' : 'ssh', durationMs },
    ...(refused === undefined ? {} : { refused }),
  };
}
