// What is done in a session, for the audit log: written in the order it happened, and no more at once than the log keeps up with.
import type { AuditEntry, AuditLog } from '../../ports/audit.ts';
import type { SessionEndFacts } from './session-audit.ts';

/** Entries that may wait for the log before whoever does them is read no further. */
const WAITING_MOST = 256;

export interface AuditNotes {
  note(entry: AuditEntry): void;
  readonly hasRoom: boolean;
  onRoom(listener: () => void): void;
  /** `listener` hears of each entry that the log did not take. */
  onLost(listener: (error: unknown) => void): void;
  /** Resolves when the log has all that was noted. */
  settled(): Promise<void>;
}

export function createAuditNotes(audit: AuditLog): AuditNotes {
  let waiting = 0;
  let room: (() => void)[] = [];
  let lost: (error: unknown) => void = () => undefined;
  let settled = Promise.resolve();
  let noted: AuditEntry[] = [];

  function taken(): void {
    waiting -= 1;
    if (waiting > WAITING_MOST / 2) return;
    const told = room;
    room = [];
    for (const tell of told) tell();
  }
  function tell(): void {
    const entries = noted;
    noted = [];
    // The log keeps the order of the calls: the last one is in it after all others.
    for (const entry of entries)
      settled = audit.emit(entry, true).then(taken, (error: unknown) => {
        taken();
        lost(error);
      });
  }
  return {
    note(entry) {
      waiting += 1;
      // What is told of goes on first: whoever waits for its answer is not to wait for the log.
      if (noted.length === 0) setImmediate(tell);
      noted.push(entry);
    },
    get hasRoom() {
      return waiting < WAITING_MOST;
    },
    onRoom: listener => void room.push(listener),
    onLost(listener) {
      lost = listener;
    },
    settled() {
      tell();
      return settled;
    },
  };
}

/** What the end of a session without a shell says, whatever its protocol. */
export const endFields = ({ started, stopped, message, error, seal, participants }: SessionEndFacts) => ({
  participants: [...participants.values()],
  participant_ids: [...participants.keys()],
  session_recording: seal ? 'node' : 'off',
  ...seal,
  session_start: started.toISOString(),
  session_stop: stopped.toISOString(),
  ...(message !== '' && { message }),
  ...(error !== '' && { error }),
});
