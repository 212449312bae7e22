// A running session in a database: it relays for a client that speaks the database's own protocol. Its life is `lifecycle.ts`'s.
import type { DatabaseAccess, Statements } from '../../ports/databases.ts';
import type { ReachedClient } from '../../ports/sessions.ts';
import type { DatabaseAudit } from './database-audit.ts';
import { describe } from './describe.ts';
import { type LifecycleParts, openLifecycle } from './lifecycle.ts';
import { reachedDatabase } from './policy/rules.ts';
import type { StatementReviews } from './reviews.ts';
import type { Running } from './shell-session.ts';
import { createStatements } from './statements.ts';

interface DatabaseSessionParts extends Omit<LifecycleParts, 'body'>, DatabaseAccess {
  readonly mfaDevices: readonly string[];
  readonly reached: ReachedClient;
  readonly databaseAudit: DatabaseAudit;
  readonly reviews: Pick<StatementReviews, 'ask'>;
  readonly clusterName: string;
}
export interface DatabaseSession extends Running {
  /** What the relay tells of. */
  readonly statements: Statements;
}

export function openDatabaseSession(parts: DatabaseSessionParts): DatabaseSession {
  const { sid, who: owner, reached, databaseAudit, database, dbUser } = parts;
  let { roles: ownerRoles, rights } = owner;
  const life = openLifecycle({
    ...parts,
    body: {
      hangUp: () => reached.close(),
      flush: () => undefined,
      tell(end) {
        reached.farewell(end.text);
        statements.ended();
      },
      noteEnd: databaseAudit.end,
    },
  });
  // Its client waits for it: it is ended when that goes, not kept.
  life.attended(true);
  const statements = createStatements({
    ...parts,
    life,
    rights: () => rights,
    record: told => void life.record(to => to.told(told)),
    gone: error => life.gone({ kind: error === '' ? 'exited' : 'lost', text: error }),
  });
  return {
    statements,
    get session() {
      return describe({
        databaseName: database.name,
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
        lastCommand: statements.last,
        agent: owner.agent,
        seats: [{ participant: { id: sid }, who: owner, mode: 'peer', lastActive: life.lastActive }],
      });
    },
    ownerId: owner.userId,
    agent: owner.agent?.id,
    trustedDevice: owner.trustedDevice?.id ?? '',
    accessRequests: owner.grants.map(({ request }) => request),
    impersonatedIn: owner.impersonator === undefined ? undefined : owner.webSessionId,
    mfaDevices: parts.mfaDevices,
    get reached() {
      return reachedDatabase(statements.access);
    },
    get ownerRoles() {
      return ownerRoles;
    },
    follow(now) {
      ({ roles: ownerRoles, rights } = now);
      life.follow(rights.options);
      statements.follow();
    },
    end: life.end,
    done: life.done,
  };
}
