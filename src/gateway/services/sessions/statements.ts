// What a running session in a database hears of its statements: each is in the audit log, and counts as activity.
import type { DatabaseAccess, Guard, Rights, Statements, Told, Verdict } from '../../ports.ts';
import type { DatabaseAudit } from './database-audit.ts';
import type { EndKind } from './participant.ts';
import { verdictOf } from './policy/guards.ts';
import { databaseRefusal } from './policy/rules.ts';

/** Most of a packet that the audit log gets, bytes. */
const PAYLOAD_MOST_BYTES = 64;
/** Statements whose answers are awaited; what is answered behind more of them is recorded without its time. */
const OPEN_MOST = 1000;
/** Of the last statement, what lists of running sessions show, characters. */
const LAST_MOST_CHARACTERS = 200;

export interface StatementParts extends DatabaseAccess {
  readonly sid: string;
  readonly databaseAudit: DatabaseAudit;
  /** The life of the session. */
  readonly life: { readonly over: boolean; active(): void; end(kind: EndKind, text: string): Promise<void> };
  /** What the person's roles say now. */
  readonly rights: () => Rights;
  /** Writes to the session's recording, where statements are what is recorded; null: they are not. */
  readonly record: ((told: Told) => void) | null;
  readonly report: (problem: string, error: unknown) => void;
  readonly gone: Statements['gone'];
}
export interface SessionStatements extends Statements {
  /** The last one, as lists show it. */
  readonly last: string;
  /** The database that is used now. */
  readonly access: DatabaseAccess;
  /** The person's roles have changed: a session that was relayed unread cannot go on where guards count now. */
  follow(): void;
}

const guardFields = ({ guard, role, effect }: Verdict): Readonly<Record<string, string>> => ({
  guard,
  guard_role: role,
  guard_effect: effect,
});

/** Ends the session when a statement is not in the audit log. */
export function createStatements(parts: StatementParts): SessionStatements {
  const { sid, databaseAudit, database, dbUser, life, report, gone } = parts;
  let { dbName } = parts;
  let last = '';
  let count = 0;
  const open: { readonly text: string; readonly number: number; readonly began: number }[] = [];

  function begin(text: string): void {
    parts.record?.({ kind: 'statement', text });
    if (open.length >= OPEN_MOST) open.shift();
    open.push({ text, number: count, began: performance.now() });
    count += 1;
  }
  function over(text: string, rows: number | null, error: string): void {
    if (!parts.record) return;
    const at = open.findIndex(one => one.text === text);
    if (at < 0) return;
    const [{ number, began } = { number: count, began: performance.now() }] = open.splice(at, 1);
    const took = Math.round((performance.now() - began) * 1000);
    parts.record({ kind: 'answer', statement: number, took, rows, error });
  }
  /** The client has sent it. */
  function came(text: string): void {
    life.active();
    last = text.slice(0, LAST_MOST_CHARACTERS);
    if (parts.record) begin(text);
  }
  let guardsOf: Rights | null = null;
  let held: readonly Guard[] = [];
  function guards(): readonly Guard[] {
    const rights = parts.rights();
    if (rights !== guardsOf) held = rights.guards(database.labels);
    guardsOf = rights;
    return held;
  }
  const wasGuarded = guards().length > 0;
  databaseAudit.onLost(error => {
    report(`session ${sid}: a statement is not in the audit log`, error);
    void life.end('forbidden', 'The session was ended: what is done in it cannot be written to the audit log.');
  });
  return {
    sid,
    get last() {
      return last;
    },
    get access() {
      return { database, dbUser, dbName };
    },
    follow() {
      if (!wasGuarded && guards().length > 0)
        void life.end(
          'forbidden',
          `The session was ended: guards of your roles are about ${database.name} now. Connect again.`,
        );
    },
    mayUse: name => databaseRefusal(parts.rights(), { database, dbUser, dbName: name }),
    uses(name) {
      dbName = name;
      databaseAudit.uses(name);
    },
    get isGuarded() {
      return guards().length > 0;
    },
    judge: facts => verdictOf(guards(), facts),
    blocked(text, verdict) {
      came(text);
      databaseAudit.note('TDB02W', { db_query: text, success: false, error: verdict.text, ...guardFields(verdict) });
      over(text, null, verdict.text);
    },
    begun(text, warned = null) {
      came(text);
      databaseAudit.note('TDB02I', { db_query: text, success: true, ...(warned && guardFields(warned)) });
    },
    answered: (text, rows) => over(text, rows, ''),
    failed(text, error) {
      databaseAudit.note('TDB02W', { db_query: text, success: false, error });
      over(text, null, error);
    },
    note: databaseAudit.note,
    get hasRoom() {
      return databaseAudit.hasRoom;
    },
    onRoom: databaseAudit.onRoom,
    malformed(payload) {
      if (life.over) return;
      databaseAudit.note('TDB06I', {
        payload: Buffer.from(payload.subarray(0, PAYLOAD_MOST_BYTES)).toString('base64'),
      });
      void life.end('forbidden', `The session was ended: what was sent is not as ${database.protocol} writes it.`);
    },
    gone,
  };
}
