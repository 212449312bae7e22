// Tries a database as a person: their roles, the way there, its certificate, the log-in. It is a session like any, so policy and the audit
// log have it too; whatever fails is said with what to do.
import { randomUUID } from 'node:crypto';
import type { Trace } from '../../../../contract/diagnostics.ts';
import { Failure } from '../../../../contract/failure.ts';
import type { DatabaseTarget } from '../../../ports/databases.ts';
import { ConnectError } from '../../../ports/reach.ts';
import type { Who } from '../../../ports/who.ts';
import { type EntranceParts, openDoor } from './entrance.ts';
import { StatementError } from './prompt/engine.ts';
import { promptEngines } from './prompt/engines.ts';
import { openPipe } from './prompt/pipe.ts';
import { targetOf, usersOf } from './targets.ts';

interface TrialWish {
  readonly database: string;
  /** '' = the first that roles name. */
  readonly dbUser: string;
  readonly dbName: string;
}
/** What a trial has found. */
export interface Diagnosis {
  readonly id: string;
  readonly success: boolean;
  readonly message: string;
  readonly traces: readonly Trace[];
}
export interface Diagnostics {
  /** Never throws for what is wrong with the database. */
  database(who: Who, wish: TrialWish): Promise<Diagnosis>;
  /** Remembers what a trial of something else has found. */
  keep(who: Who, name: string, traces: readonly Trace[]): Diagnosis;
  /** What a trial of the same person has found, as long as this gateway remembers it. Throws Failure not_found. */
  found(who: Who, id: string): Diagnosis;
}

/** Trials that are remembered, the last ones. */
const KEPT_MOST = 500;

export function createDiagnostics(parts: EntranceParts): Diagnostics {
  const kept = new Map<string, { readonly userId: string; readonly diagnosis: Diagnosis }>();
  const keep: Diagnostics['keep'] = ({ userId }, name, traces) => {
    const failed = traces.find(({ status }) => status === 'FAILED');
    const message = failed?.error ?? `${name} can be used`;
    const diagnosis = { id: randomUUID(), success: !failed, message, traces };
    kept.set(diagnosis.id, { userId, diagnosis });
    const [oldest = ''] = kept.keys();
    if (kept.size > KEPT_MOST) kept.delete(oldest);
    return diagnosis;
  };
  return {
    found({ userId }, id) {
      const found = kept.get(id);
      if (found?.userId !== userId) throw new Failure('not_found', `there is no trial "${id}" of yours (any more)`);
      return found.diagnosis;
    },
    async database(who, wish) {
      const traces: Trace[] = [];
      const note = (traceType: Trace['traceType'], details: string, error?: unknown): void =>
        void traces.push(
          error === undefined
            ? { traceType, status: 'SUCCESS', details }
            : { traceType, status: 'FAILED', details, error: error instanceof Error ? error.message : String(error) },
        );
      await trial(parts, who, wish, note);
      return keep(who, wish.database, traces);
    },
    keep,
  };
}

async function trial(
  parts: EntranceParts,
  who: Who,
  wish: TrialWish,
  note: (type: Trace['traceType'], details: string, error?: unknown) => void,
): Promise<void> {
  let database: DatabaseTarget;
  try {
    database = await targetOf(parts.resources, who, wish.database);
  } catch (error) {
    const isUnknown = error instanceof Failure && error.code === 'not_found';
    return note(
      isUnknown ? 'RBAC_DATABASE' : 'UNKNOWN_ERROR',
      isUnknown ? 'Give one of your roles db_labels that match its labels.' : 'Change what is written of it.',
      error,
    );
  }
  note('RBAC_DATABASE', 'Your roles select it.');
  const dbUser = wish.dbUser || first(usersOf(who.rights, database));
  const { step, isNumbered = false, isNeeded = false } = logIns[database.protocol] ?? { step: '' };
  const named = wish.dbName || first(who.rights.principals('db_names', database.labels));
  const dbName = isNumbered ? '' : named || (isNeeded ? dbUser : '');
  const inDatabase = dbName === '' ? '' : `, database "${dbName}"`;
  const reached = (): void =>
    note('CONNECTIVITY', `${database.host}:${database.port} answers over TLS with a certificate that is believed.`);
  if (dbUser === '')
    return note('RBAC_DATABASE_LOGIN', 'Name one in db_users of a role.', 'no role names a database user for it');
  const load = promptEngines[database.protocol];
  if (!load) return note('UNKNOWN_ERROR', 'Use postern db connect.', `${database.protocol} cannot be tried yet`);

  const engine = await load();
  const door = openDoor(parts, who, database, '');
  /** How far it has come. */
  let refused: unknown;
  let isPermitted = false;
  const pipe = openPipe(engine.relay(), {
    ...door,
    begin: wanted =>
      door
        .begin({
          ...wanted,
          reach(how) {
            isPermitted = true;
            note('RBAC_DATABASE_LOGIN', `You may use it as "${dbUser}"${inDatabase}.`);
            return wanted.reach(how);
          },
        })
        .then(
          statements => {
            reached();
            return statements;
          },
          (error: unknown) => {
            refused = error;
            throw error;
          },
        ),
  });
  try {
    const nothing = (): void => undefined;
    const connection = await engine.connect(pipe.open, {
      dbUser,
      dbName,
      timeoutMs: 0,
      onNotice: nothing,
      onEnd: nothing,
    });
    note('DATABASE_DB_USER', `The database has let "${dbUser}" in.`);
    if (dbName !== '') note('DATABASE_DB_NAME', `The database "${dbName}" is there.`);
    connection.close();
  } catch (error) {
    const why = refused ?? error;
    if (refused instanceof ConnectError && refused.reason !== 'principal_refused')
      return note(
        'CONNECTIVITY',
        database.rds
          ? 'Look at the address, at the security groups of its network, and at the integration with AWS.'
          : 'Look at the address, at firewalls, and at the certificate (postern db setup).',
        why,
      );
    if (refused !== undefined && !isPermitted)
      return note(
        'RBAC_DATABASE_LOGIN',
        'Your roles say as whom and where (db_users, db_names), locks and limits whether.',
        why,
      );
    if (refused instanceof ConnectError) reached();
    const isMissing =
      (error instanceof StatementError && error.code === NO_SUCH_DATABASE) ||
      (refused instanceof ConnectError && NOT_IN_DATABASE.test(refused.message));
    if (isMissing) {
      note('DATABASE_DB_USER', `The database knows "${dbUser}".`);
      note('DATABASE_DB_NAME', 'Create the database, let the user into it, or name another in db_names.', why);
    } else {
      const by = database.rds
        ? `a password of AWS: ${rdsSteps[database.protocol]}`
        : `the certificate of the gateway: ${step}`;
      note('DATABASE_DB_USER', `Create the user, and let it in by ${by}.`, why);
    }
  } finally {
    pipe.close();
  }
}

/** What lets a user in by the gateway's certificate, and what databases of a server are to those who log in. */
const logIns: Readonly<
  Record<string, { readonly step: string; readonly isNeeded?: true; readonly isNumbered?: true }>
> = {
  postgres: { step: 'hostssl all all 0.0.0.0/0 cert in pg_hba.conf', isNeeded: true },
  mysql: { step: "create user 'NAME'@'%' require subject '/CN=NAME', and grants" },
  redis: { step: 'its line in the users.acl of postern db setup', isNumbered: true },
};
/** The same in RDS, beside `rds-db:connect` in the policy of the role (RDS user guide, "Creating a database account using IAM authentication"). */
const rdsSteps: Readonly<Record<string, string>> = {
  postgres: 'grant rds_iam to NAME, and rds-db:connect in the policy of the role',
  mysql:
    "create user NAME identified with AWSAuthenticationPlugin as 'RDS', and rds-db:connect in the policy of the role",
};
/** SQLSTATE of PostgreSQL; and that of MySQL for a database that is not there, or not for the user. */
const NO_SUCH_DATABASE = '3D000';
const NOT_IN_DATABASE = /\(42000\)$/;
const first = (names: readonly string[]): string => names.find(name => name !== '*') ?? '';
