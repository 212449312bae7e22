// Events of a session in a database, for the audit log: codes of the catalogue and their fields, in the order they happened.

import type { AuditEntry, AuditLog } from '../../ports/audit.ts';
import type { DatabaseAccess } from '../../ports/databases.ts';
import type { Who } from '../../ports/who.ts';
import { deviceField } from '../device-facts.ts';
import { unpreparedDatabase } from '../made-users.ts';
import { agentFields } from './agent-facts.ts';
import { type AuditNotes, createAuditNotes, endFields } from './audit-notes.ts';
import type { SessionEndFacts } from './session-audit.ts';

/** Somebody's wish for a session in a database. */
export interface DatabaseWish extends DatabaseAccess {
  readonly who: Who;
  readonly device?: string;
}
const wishFields = ({ who, database, dbUser, dbName, device }: DatabaseWish): Record<string, unknown> => ({
  user: who.user,
  ...deviceField(who),
  user_id: who.userId,
  ...agentFields(who),
  'addr.remote': who.remoteAddr,
  ...(device !== undefined && { with_mfa: device }),
  db_service: database.name,
  db_protocol: database.protocol,
  db_uri: database.uri,
  db_labels: database.labels,
  db_type: database.type,
  db_user: dbUser,
  ...(database.made?.name === dbUser && { db_roles: database.made.roles }),
  db_name: dbName,
});
/** A session did not begin: not permitted, or the database could not be reached. */
export const databaseRefusalEvent = (wish: DatabaseWish, error: string): AuditEntry => ({
  code: 'TDB00W',
  ...wishFields(wish),
  success: false,
  error,
});

export interface DatabaseAudit extends Omit<AuditNotes, 'settled' | 'note'> {
  /** The user of the session is made ready. Resolves when the log has it; it may not log in before that. */
  noteMade(): Promise<void>;
  /** Resolves when the log has it; nothing may be relayed before that. */
  start(recording?: { readonly session_recording: 'node' | 'off'; readonly recording_key?: string }): Promise<void>;
  note(code: string, fields: Readonly<Record<string, unknown>>): void;
  /** What is noted from now on was done in this database. */
  uses(dbName: string): void;
  /** Resolves when the log has it, and all before it. */
  end(facts: SessionEndFacts): Promise<void>;
}

export function createDatabaseAudit(audit: AuditLog, wish: DatabaseWish & { readonly sid: string }): DatabaseAudit {
  let fields: Record<string, unknown> = { sid: wish.sid, ...wishFields(wish) };
  const notes = createAuditNotes(audit);
  const unprepared = unpreparedDatabase(wish.who.rights, wish.database);
  return {
    noteMade: () =>
      audit.emit({
        code: 'TDB08I',
        ...fields,
        username: wish.dbUser,
        roles: wish.database.made?.roles ?? [],
        success: true,
      }),
    start: recording =>
      audit.emit({
        code: 'TDB00I',
        ...fields,
        ...recording,
        ...(unprepared !== null && { unprepared: [unprepared] }),
        success: true,
      }),
    note: (code, more) => notes.note({ code, ...fields, ...more }),
    uses(dbName) {
      fields = { ...fields, db_name: dbName };
    },
    get hasRoom() {
      return notes.hasRoom;
    },
    onRoom: notes.onRoom,
    onLost: notes.onLost,
    async end(facts) {
      await notes.settled();
      await audit.emit({ code: 'TDB01I', ...fields, ...endFields(facts) });
    },
  };
}
