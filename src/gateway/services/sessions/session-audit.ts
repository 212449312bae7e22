// A session's events for the audit log: codes of the catalogue and their fields, in the order they happened.
import type { Mode } from '../../../contract/live-sessions.ts';
import type { AuditEntry, AuditLog, RecordingSeal, Size, Target, Who } from '../../ports.ts';

/** Somebody's wish for a session, as events name it. */
interface Wish {
  readonly who: Who;
  readonly target: Target;
  readonly login: string;
}
const wishFields = ({ who, target, login }: Wish): Record<string, unknown> => ({
  user: who.user,
  user_id: who.userId,
  login,
  ...serverFields(target),
  'addr.remote': who.remoteAddr,
  proto: 'ssh',
});
/** A session did not begin: not permitted, or the server could not be reached. */
export const refusalEvent = (wish: Wish, error: string): AuditEntry => ({
  code: 'T3007W',
  ...wishFields(wish),
  success: false,
  error,
});
/** A session did not begin: the person has `max` already. */
export const limitEvent = (wish: Wish, max: number): AuditEntry => ({
  code: 'T1006W',
  ...wishFields(wish),
  reason: 'max_sessions limit reached',
  max,
});

/** What all events of one session share. */
export interface AuditedSession {
  readonly sid: string;
  readonly who: Who;
  readonly login: string;
  readonly target: Target;
  /** 'node' = recorded here; 'off' = not recorded. */
  readonly recording: 'node' | 'off';
  /** Id of the device that the session was proven with. */
  readonly device?: string | undefined;
}
export interface SessionAudit {
  /** Resolves when the log has it; the session may only be shown after that. */
  start(size: Size, key: string | null): Promise<void>;
  join(who: Who, mode: Mode): void;
  leave(who: Who, mode: Mode): void;
  resize(by: Who, size: Size): void;
  /**
   * Writes session.data and session.end and resolves when the log has them, and all before them. Called again after it failed, it goes on
   * with what is missing.
   */
  end(facts: EndFacts): Promise<void>;
}
/** How any session ended. */
export interface SessionEndFacts {
  /** Names by id. */
  readonly participants: ReadonlyMap<string, string>;
  readonly started: Date;
  readonly stopped: Date;
  readonly seal: RecordingSeal | null;
  /** Why it ended, where it was not the program's own exit. */
  readonly message: string;
  readonly error: string;
}
interface EndFacts extends SessionEndFacts {
  readonly size: Size;
  /** Bytes of output and of input. */
  readonly tx: number;
  readonly rx: number;
}

export const sizeText = (size: Size): string => `${size.cols}:${size.rows}`;

/** Fields of the server. */
const serverFields = (target: Target): Record<string, unknown> => ({
  namespace: 'default',
  server_id: target.id,
  server_hostname: target.hostname,
  server_addr: target.addr,
  server_labels: target.labels,
  server_sub_kind: target.subKind,
});

export function createSessionAudit(
  audit: AuditLog,
  subject: AuditedSession,
  report: (problem: string, error: unknown) => void,
): SessionAudit {
  const { sid, who, login, target, recording, device } = subject;
  let written: Promise<unknown> = Promise.resolve();
  let hasData = false;
  const fields = (by: Who): Record<string, unknown> => ({
    user: by.user,
    user_id: by.userId,
    login,
    sid,
    ...serverFields(target),
    'addr.remote': by.remoteAddr,
    proto: 'ssh',
  });

  function note(entry: AuditEntry): void {
    written = written
      .then(() => audit.emit(entry))
      .catch((error: unknown) => report(`session ${sid}: event ${entry.code} is not in the audit log`, error));
  }
  return {
    start: (size, key) =>
      audit.emit({
        code: 'T2000I',
        ...fields(who),
        size: sizeText(size),
        session_recording: recording,
        ...(device !== undefined && { with_mfa: device }),
        ...(key === null ? {} : { recording_key: key }),
      }),
    join: (joined, mode) => note({ code: 'T2001I', ...fields(joined), mode }),
    leave: (left, mode) => note({ code: 'T2003I', ...fields(left), mode }),
    resize: (by, size) => note({ code: 'T2002I', ...fields(by), size: sizeText(size) }),
    async end(facts) {
      await written;
      if (!hasData) await audit.emit({ code: 'T2006I', ...fields(who), tx: facts.tx, rx: facts.rx });
      hasData = true;
      await audit.emit({
        code: 'T2004I',
        ...fields(who),
        size: sizeText(facts.size),
        interactive: true,
        enhanced_recording: false,
        session_recording: recording,
        participants: [...facts.participants.values()],
        participant_ids: [...facts.participants.keys()],
        session_start: facts.started.toISOString(),
        session_stop: facts.stopped.toISOString(),
        ...facts.seal,
        ...(facts.message === '' ? {} : { message: facts.message }),
        ...(facts.error === '' ? {} : { error: facts.error }),
      });
    },
  };
}
