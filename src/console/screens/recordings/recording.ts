// A recording as a row: from the event that ended its session.
import type { AuditEvent, FoundRecording } from '../../../contract/audit.ts';
import type { ReplyOf } from '../../../contract/call.ts';
import type { listHolds } from '../../../contract/holds.ts';
import { recordingThing } from '../../../features/recording.ts';

/** What is held, and what this person may do about it. */
export type HeldRecordings = ReplyOf<typeof listHolds>;

export interface Recording {
  readonly sid: string;
  readonly hostname: string;
  readonly users: string;
  readonly durationMs: number;
  /** When the session began; when it ended, where the event does not say that. */
  readonly created: string;
  readonly type: 'ssh' | 'k8s' | 'db' | 'app' | 'desktop';
  /** Why it cannot be played; undefined: it can. */
  readonly refused: string | undefined;
  readonly event: AuditEvent;
  /** Where the text that was looked for stands, first ones only. */
  readonly places?: FoundRecording['places'] | undefined;
}

/** Null when the event names no session: such a row could be neither shown nor played. */
export function recordingOf(
  event: AuditEvent,
  places?: ReadonlyMap<string, FoundRecording['places']>,
): Recording | null {
  const thing = recordingThing(event);
  if (thing === null) return null;
  const { participants, session_start } = event as { participants?: unknown; session_start?: unknown };
  const users = Array.isArray(participants) ? participants.filter(name => typeof name === 'string') : [];
  return {
    sid: thing.id,
    hostname: thing.title,
    users: users.length > 0 ? users.join(', ') : (event.user ?? ''),
    durationMs: thing.recording?.durationMs ?? 0,
    created: typeof session_start === 'string' && session_start !== '' ? session_start : event.time,
    type: thing.recording?.type ?? 'ssh',
    refused: thing.refused,
    event,
    places: places?.get(thing.id),
  };
}
