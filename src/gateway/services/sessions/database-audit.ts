// Events of a session in a database, for the audit log: codes of the catalogue and their fields, in the order they happened.
import type { AuditEntry, AuditLog, DatabaseAccess, Who } from '../../ports.ts';
import type { SessionEndFacts } from './session-audit.ts';

/** Somebody's wish for a session in a database. */
export interface DatabaseWish extends DatabaseAccess {
  readonly who: Who;
  readonly device?: string;
}
const wishFields = ({ who, database, dbUser, dbName, device }: DatabaseWish): Record<string, unknown> => ({
  user: who.user,
  user_id: who.userId,
  'addr.remote': who.remoteAddr,
  ...(device !== undefined && { with_mfa: device }),
  db_service: database.name,
  db_protocol: database.protocol,
  db_uri: database.uri,
  db_labels: database.labels,
  db_type: database.type,
  db_user: dbUser,
  db_name: dbName,
});
/** A session did not begin: not permitted, or the database could not be reached. */
export const databaseRefusalEvent = (wish: DatabaseWish, error: string): AuditEntry => ({
  code: 'TDB00W',
  ...wishFields(wish),
  success: false,
  error,
});

/** Statements that may wait for the log before the client is read no further. */
const WAITING_MOST = 256;

export interface DatabaseAudit {
  /** Resolves when the log has it; nothing may be relayed before that. */
  start(recording?: { readonly session_recording: 'node' | 'off'; readonly recording_key?: string }): Promise<void>;
  /** `lost` hears once of an event that the log did not take. */
  note(code: string, fields: Readonly<Record<string, unknown>>): void;
  /** What is noted from now on was done in this database. */
  uses(dbName: string): void;
  readonly hasRoom: boolean;
  onRoom(listener: () => void): void;
  onLost(listener: (error: unknown) => void): void;
  /** Resolves when the log has it, and all before it. */
  end(facts: SessionEndFacts): Promise<void>;
}

export function createDatabaseAudit(audit: AuditLog, wish: DatabaseWish & { readonly sid: string }): DatabaseAudit {
  let fields: Record<string, unknown> = { sid: wish.sid, ...wishFields(wish) };
  let waiting = 0;
  let room: (() => void)[] = [];
  let lost: (error: unknown) => void = () => undefined;
  let settled = Promise.resolve();

  function taken(): void {
    waiting -= 1;
    if (waiting > WAITING_MOST / 2) return;
    const told = room;
    room = [];
    for (const tell of told) tell();
  }
  return {
    start: recording => audit.emit({ code: 'TDB00I', ...fields, ...recording, success: true }),
    note(code, more) {
      waiting += 1;
      const kept = audit.emit({ code, ...fields, ...more }).then(taken, (error: unknown) => {
        taken();
        lost(error);
      });
      // The log keeps the order of the calls: the last one is in it after all others.
      settled = kept;
    },
    uses(dbName) {
      fields = { ...fields, db_name: dbName };
    },
    get hasRoom() {
      return waiting < WAITING_MOST;
    },
    onRoom: listener => void room.push(listener),
    onLost(listener) {
      lost = listener;
    },
    async end({ started, stopped, message, error, seal, participants }) {
      await settled;
      await audit.emit({
        code: 'TDB01I',
        ...fields,
        participants: [...participants.values()],
        participant_ids: [...participants.keys()],
        session_recording: seal ? 'node' : 'off',
        ...seal,
        session_start: started.toISOString(),
        session_stop: stopped.toISOString(),
        ...(message !== '' && { message }),
        ...(error !== '' && { error }),
      });
    },
  };
}
