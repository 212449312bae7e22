// Things of the gateway as rows that can be picked.
import type { AuditEvent } from '../src/contract/audit.ts';
import type { ListedSession } from '../src/contract/live-sessions.ts';
import type { Node } from '../src/contract/nodes.ts';
import type { Thing } from './command.ts';

/** Root first, then as the gateway ordered them. */
export function loginsInOrder(logins: readonly string[]): string[] {
  return [...logins.filter(login => login === 'root'), ...logins.filter(login => login !== 'root')];
}

/** What is wrong with an OS login, or undefined. The gateway decides whether a role allows it. */
export function wrongLogin(typed: string): string | undefined {
  if (typed === '') return 'A login has at least one character';
  if (typed.length > 255) return 'A login has at most 255 characters';
  return /[\s@\p{Cc}]/u.test(typed) ? 'A login has no spaces and no @' : undefined;
}

/** A server as a thing. */
export function serverThing(node: Node): Thing {
  const labels = node.tags.map(tag => `${tag.name}: ${tag.value}`);
  return {
    kind: 'server',
    id: node.id,
    title: node.hostname,
    detail: [node.tunnel ? 'tunnel' : node.addr, ...labels].filter(part => part !== '').join('  '),
    logins: loginsInOrder(node.sshLogins),
  };
}

/** A running session as a thing. Nobody may join one that offers no mode. */
export function sessionThing(session: ListedSession): Thing {
  const name = session.server_hostname || session.kubernetes_cluster_name || session.desktop_name || session.id;
  const users = [...new Set(session.parties.map(party => party.user))].join(', ');
  return {
    kind: 'session',
    id: session.id,
    title: session.login === '' ? name : `${session.login}@${name}`,
    detail: [users, session.id].filter(part => part !== '').join('  '),
    modes: session.participantModes,
  };
}

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
