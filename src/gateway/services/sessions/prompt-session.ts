// What a database's prompt is to the session whose shell it is: it may use the database once the session has begun, and another one of the
// server where the roles lead there.
import { Failure } from '../../../contract/failure.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { DatabaseAccess, DatabasePrompt, PromptRequest } from '../../ports/databases.ts';
import type { Rights } from '../../ports/rights.ts';
import type { Shell } from '../../ports/shell.ts';
import type { Who } from '../../ports/who.ts';
import { createDatabaseAudit, type DatabaseAudit, databaseRefusalEvent } from './database-audit.ts';
import type { Leave } from './policy/policy.ts';
import { createStatements, type SessionStatements, type StatementParts } from './statements.ts';

export interface PromptSession {
  readonly databaseAudit: DatabaseAudit;
  /** The database that is used now. */
  readonly access: DatabaseAccess;
  /** The last statement; '' before the first. */
  readonly last: string;
  /** Throws ConnectError. */
  open(size: PromptRequest['size'], leave: Pick<Leave, 'ttlMs'>): Promise<Shell>;
  /** The session has begun. */
  begun(life: StatementParts['life'], hand: PromptRequest['hand']): void;
  /** What the person's roles say now. */
  follow(rights: Rights): void;
}
interface PromptSessionParts extends Pick<StatementParts, 'sid' | 'report' | 'reviews'> {
  readonly who: Who;
  readonly device?: string;
  readonly prompt: DatabasePrompt;
  readonly audit: AuditLog;
}

export function createPromptSession(parts: PromptSessionParts): PromptSession {
  const { sid, who, device, prompt, audit, report, reviews } = parts;
  const { database, dbUser, dbName } = prompt;
  const wish = { who, database, dbUser, dbName, ...(device !== undefined && { device }) };
  const databaseAudit = createDatabaseAudit(audit, { ...wish, sid });
  const started = Promise.withResolvers<SessionStatements>();
  let { rights } = who;
  let statements: SessionStatements | null = null;
  let hand: PromptRequest['hand'] | null = null;
  return {
    databaseAudit,
    get access() {
      return statements?.access ?? { database, dbUser, dbName };
    },
    get last() {
      return statements?.last ?? '';
    },
    open: (size, leave) =>
      prompt.open({
        size,
        ttlMs: leave.ttlMs,
        noteMade: databaseAudit.noteMade,
        async hand(file, signal) {
          if (!hand) throw new Failure('unavailable', 'The session has not begun');
          return hand(file, signal);
        },
        async begin(wanted) {
          const heard = await started.promise;
          if (wanted === heard.access.dbName) return heard;
          const refusal = heard.mayUse(wanted);
          if (refusal !== null) {
            await audit.emit(databaseRefusalEvent({ ...wish, dbName: wanted }, refusal));
            throw new Failure('denied', refusal);
          }
          heard.uses(wanted);
          await databaseAudit.start();
          return heard;
        },
      }),
    begun(life, handing) {
      hand = handing;
      // Its recording shows what the prompt shows. The prompt itself says that the database is gone.
      const gone = (): void => undefined;
      statements = createStatements({
        ...wish,
        sid,
        databaseAudit,
        life,
        rights: () => rights,
        record: null,
        report,
        gone,
        reviews,
      });
      void life.done.then(statements.ended);
      started.resolve(statements);
    },
    follow(present) {
      rights = present;
      statements?.follow();
    },
  };
}
