// A running session in a database: it relays for a client that speaks the database's own protocol. Its life is `lifecycle.ts`'s.
import type { DatabaseAccess, ReachedDatabase, Statements } from '../../ports.ts';
import type { DatabaseAudit } from './database-audit.ts';
import { describe } from './describe.ts';
import { type LifecycleParts, openLifecycle } from './lifecycle.ts';
import { databaseRefusal } from './policy/rules.ts';
import type { Running } from './shell-session.ts';

/** Most of a packet that the audit log gets, bytes. */
const PAYLOAD_MOST_BYTES = 64;

/** Of the last statement, what lists of running sessions show, characters. */
const LAST_MOST_CHARACTERS = 200;

interface DatabaseSessionParts extends Omit<LifecycleParts, 'body'>, DatabaseAccess {
  readonly mfaDevices: readonly string[];
  readonly reached: ReachedDatabase;
  readonly databaseAudit: DatabaseAudit;
  readonly clusterName: string;
}
export interface DatabaseSession extends Running, Statements {}

export function openDatabaseSession(parts: DatabaseSessionParts): DatabaseSession {
  const { sid, who: owner, reached, databaseAudit, database, dbUser } = parts;
  let { dbName } = parts;
  let { roles: ownerRoles, rights } = owner;
  let lastStatement = '';
  const life = openLifecycle({
    ...parts,
    body: {
      hangUp: () => reached.close(),
      flush: () => undefined,
      tell: end => reached.farewell(end.text),
      noteEnd: databaseAudit.end,
    },
  });
  // Its client waits for it: it is ended when that goes, not kept.
  life.attended(true);
  databaseAudit.onLost(error => {
    parts.report(`session ${sid}: a statement is not in the audit log`, error);
    void life.end('forbidden', 'The session was ended: what is done in it cannot be written to the audit log.');
  });
  return {
    sid,
    get session() {
      return {
        ...describe({
          sid,
          owner: owner.user,
          login: dbUser,
          target: { id: '', hostname: '', addr: '', labels: database.labels },
          size: { cols: 0, rows: 0 },
          started: parts.started,
          lastInput: life.lastActive,
          clusterName: parts.clusterName,
          moderated: false,
          state: 'running',
          lastCommand: lastStatement,
          seats: [{ participant: { id: sid }, who: owner, mode: 'peer', lastActive: life.lastActive }],
        }),
        kind: 'db' as const,
        database_name: database.name,
      };
    },
    ownerId: owner.userId,
    mfaDevices: parts.mfaDevices,
    get access() {
      return { database, dbUser, dbName };
    },
    get ownerRoles() {
      return ownerRoles;
    },
    follow(now) {
      ({ roles: ownerRoles, rights } = now);
      life.follow(rights.options);
    },
    mayUse: name => databaseRefusal(rights, { database, dbUser, dbName: name }),
    uses(name) {
      dbName = name;
      databaseAudit.uses(name);
    },
    begun(text) {
      life.active();
      lastStatement = text.slice(0, LAST_MOST_CHARACTERS);
      databaseAudit.note('TDB02I', { db_query: text, success: true });
    },
    failed: (text, error) => databaseAudit.note('TDB02W', { db_query: text, success: false, error }),
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
    gone: error => life.gone({ kind: error === '' ? 'exited' : 'lost', text: error }),
    end: life.end,
    done: life.done,
  };
}
