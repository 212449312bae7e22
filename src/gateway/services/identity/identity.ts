// Who people are: signing in and out, web sessions, passwords, invitations, users. The room's door.
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { KeyPolicy, Rights } from '../../ports/rights.ts';
import type { Assumed, Barring, FactorSettings, FindDevice } from '../../ports/who.ts';
import type { Store, UserRecord } from '../../store/store.ts';
import { type AccountRecovery, createAccountRecovery } from './account-recovery.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { createDevices, type Devices } from './devices.ts';
import { createDownloadLinks, type DownloadLinks } from './download-links.ts';
import { createFactors, type Factors } from './factors/factors.ts';
import { createHeadless, type Headless } from './headless.ts';
import { createImpersonation, type Impersonation } from './impersonation.ts';
import { createLockOut } from './lock-out.ts';
import { createLoginRules, type LoginRules } from './login-rules.ts';
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts';
import { createRecovery, type Recovery } from './recovery.ts';
import type { SecretBox } from './secret-box.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createSessions, type Sessions } from './web-sessions.ts';

export interface IdentityParts {
  readonly store: Pick<
    Store,
    | 'alone'
    | 'users'
    | 'passwords'
    | 'attempts'
    | 'webSessions'
    | 'oneTimeTokens'
    | 'mfaDevices'
    | 'recoveryCodes'
    | 'challenges'
    | 'settings'
    | 'resources'
  >;
  /** Seals what is kept of people's factors and of connectors. */
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly changes: Changes;
  /** What a user's own roles give right now: those that access lists give count for nobody who must always be able to administer the cluster. */
  readonly rightsOf: (user: UserRecord) => Promise<Rights>;
  /** What they are with access lists, and with access requests that they use. */
  readonly assumed: Assumed;
  readonly barring: Barring;
  readonly findDevice: FindDevice;
  /** Longest life of a web session, ms; roles may shorten it. */
  readonly sessionTtlMs: number;
  /** Told to the console: signed out after this long without activity, ms; 0 = never. */
  readonly inactiveTimeoutMs: number;
  /** Where private keys must be kept; anything but `none` keeps browsers out. */
  readonly keyPolicy: KeyPolicy;
  readonly passwordLeastCharacters: number;
  readonly factorSettings: FactorSettings;
  readonly clusterName: string;
  /** OS user that the gateway runs as. */
  readonly osUser: string;
  readonly clock?: () => Date;
  readonly hasher?: PasswordHasher;
  /** Failures are told at whole multiples of this, ms. */
  readonly toldEveryMs?: number;
}

export interface Identity extends SignIn {
  readonly sessions: Sessions;
  readonly loginRules: LoginRules;
  readonly impersonation: Impersonation;
  readonly accounts: Accounts;
  readonly credentials: Credentials;
  readonly factors: Pick<Factors, 'takes' | 'passwordlessChallenge' | 'challenge' | 'sessionChallenge' | 'prove'>;
  readonly devices: Devices;
  readonly recovery: Pick<Recovery, 'left'>;
  readonly headless: Headless;
  readonly downloadLinks: DownloadLinks;
  readonly accountRecovery: AccountRecovery;
  readonly inviteFirstAdmin: Credentials['inviteFirstAdmin'];
}

export function createIdentity(parts: IdentityParts): Identity {
  const clock = parts.clock ?? (() => new Date());
  const hasher = parts.hasher ?? createPasswordHasher();
  const shared = { ...parts, ...parts.store, clock, hasher };
  const loginRules = createLoginRules(parts.store);
  const sessions = createSessions({ ...shared, loginRules });
  const factors = createFactors(shared);
  const lockOut = createLockOut(shared);
  const recovery = createRecovery({ ...shared, factors });
  const signIn = createSignIn({ ...shared, sessions, factors, lockOut });
  const accounts = createAccounts({ ...shared, sessions, loginRules });
  const credentials = createCredentials({
    ...shared,
    sessions,
    signIn,
    accounts,
    factors,
    lockOut,
    recovery,
    leastCharacters: parts.passwordLeastCharacters,
  });
  const accountRecovery = createAccountRecovery({
    ...shared,
    sessions,
    signIn,
    factors,
    lockOut,
    recovery,
    leastCharacters: parts.passwordLeastCharacters,
  });
  const devices = createDevices({ ...shared, factors, lockOut, recovery, credentials, accountRecovery });
  return {
    ...signIn,
    accounts,
    sessions,
    loginRules,
    impersonation: createImpersonation({ ...shared, sessions }),
    credentials,
    factors,
    devices,
    recovery,
    accountRecovery,
    downloadLinks: createDownloadLinks({ ...shared, sessions }),
    headless: createHeadless({ ...shared, factors, lockOut, signIn }),
    inviteFirstAdmin: credentials.inviteFirstAdmin,
  };
}
