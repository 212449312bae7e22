// Who people are: signing in and out, web sessions, passwords, invitations, users. The room's door.
import type { AuditLog, Changes, Rights } from '../../ports.ts';
import type { Store, UserRecord } from '../../store/store.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { createPasswordHasher } from './password-hasher.ts';
import type { SecretBox } from './secret-box.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createSessions, type Sessions } from './web-sessions.ts';

export interface IdentityParts {
  readonly store: Pick<
    Store,
    'users' | 'passwords' | 'attempts' | 'webSessions' | 'oneTimeTokens' | 'settings' | 'resources'
  >;
  /** Seals what is kept of people's factors and of connectors. */
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  /** What a user's roles give right now. */
  readonly rightsOf: (user: UserRecord) => Promise<Rights>;
  /** Longest life of a web session, ms; roles may shorten it. */
  readonly sessionTtlMs: number;
  /** Told to the console: signed out after this long without activity, ms; 0 = never. */
  readonly inactiveTimeoutMs: number;
  readonly passwordLeastCharacters: number;
  /** OS user that the gateway runs as. */
  readonly osUser: string;
  readonly clock?: () => Date;
}

export interface Identity extends SignIn {
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly credentials: Credentials;
  readonly inviteFirstAdmin: Credentials['inviteFirstAdmin'];
}

export function createIdentity(parts: IdentityParts): Identity {
  const clock = parts.clock ?? (() => new Date());
  const { users, passwords, attempts, webSessions, oneTimeTokens, settings, resources } = parts.store;
  const repositories = { users, passwords, attempts, webSessions, oneTimeTokens, settings, resources };
  const shared = {
    ...repositories,
    audit: parts.audit,
    changes: parts.changes,
    rightsOf: parts.rightsOf,
    clock,
    hasher: createPasswordHasher(),
  };
  const sessions = createSessions({
    ...shared,
    sessionTtlMs: parts.sessionTtlMs,
    inactiveTimeoutMs: parts.inactiveTimeoutMs,
  });
  const signIn = createSignIn({ ...shared, sessions });
  const accounts = createAccounts({ ...shared, sessions });
  const credentials = createCredentials({
    ...shared,
    sessions,
    signIn,
    accounts,
    leastCharacters: parts.passwordLeastCharacters,
    osUser: parts.osUser,
  });
  return {
    ...signIn,
    accounts,
    sessions,
    credentials,
    inviteFirstAdmin: credentials.inviteFirstAdmin,
  };
}
