// Setting passwords and first devices: by an invite or reset link, or by the person themselves.
import { Failure } from '../../../contract/failure.ts';
import type { Challenge, Creation } from '../../../contract/mfa.ts';
import { noPasswordHere, TOKEN_LIFETIMES_MS } from '../../../contract/users.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Rights } from '../../ports/rights.ts';
import type { Actor, Who } from '../../ports/who.ts';
import type {
  Attempts,
  MfaDevice,
  MfaDevices,
  OneTimeToken,
  OneTimeTokens,
  Passwords,
  UserRecord,
  Users,
} from '../../store/store.ts';
import { digest, newSecret, uuidOf } from '../secrets.ts';
import { type Accounts, administers, allow } from './accounts.ts';
import { addDevice } from './factors/audited.ts';
import type { Factors, GivenFactor } from './factors/factors.ts';
import { isRequired } from './factors/rule.ts';
import type { CameFrom, LockOut } from './lock-out.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { checkNewPassword, decodePassword } from './passwords.ts';
import type { GivenCodes, Recovery } from './recovery.ts';
import type { SignIn } from './sign-in.ts';
import type { Sessions, SignedIn } from './web-sessions.ts';

/** The first administrator's link is for whoever reads the gateway's own terminal; it lasts a working day. */
const FIRST_ADMIN_LIFETIME_MS = 8 * 3_600_000;
const FIRST_ADMIN = 'admin';
/** Whom a link is for that makes its own user: nobody is called so. */
const NOBODY_YET = '';
const FIRST_ADMIN_ROLES = ['access', 'editor', 'auditor'] as const;
/** Tokens that are links; all others are for something else. */
const LINKS: readonly OneTimeToken['kind'][] = ['invite', 'password', 'first_admin'];
export const BAD_TOKEN = 'bad or expired token';

interface IssuedToken {
  /** The secret itself: for the link, and nowhere else. */
  readonly tokenId: string;
  readonly user: string;
  readonly expires: Date;
}

export interface CredentialParts {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly oneTimeTokens: OneTimeTokens;
  readonly hasher: PasswordHasher;
  readonly mfaDevices: MfaDevices;
  readonly factors: Factors;
  readonly lockOut: LockOut;
  readonly recovery: Pick<Recovery, 'give'>;
  readonly sessions: Pick<Sessions, 'endOf'>;
  readonly signIn: Pick<SignIn, 'checkLocal' | 'isPassword' | 'enterIfAllowed'>;
  readonly accounts: Pick<Accounts, 'keep'>;
  readonly rightsOf: (user: UserRecord) => Promise<Rights>;
  readonly audit: AuditLog;
  readonly leastCharacters: number;
  /** OS user of the gateway: a login the first administrator gets beside root. */
  readonly osUser: string;
  readonly clock: () => Date;
}

/** What somebody sets with a link: a password (base64) or none, and a device or none. */
interface NewCredentials {
  readonly token: string;
  readonly password: string | null;
  readonly code?: string | null | undefined;
  readonly deviceName?: string | null | undefined;
  readonly creation?: Creation | null | undefined;
}
/** Whom a link is for: their id is settled, also while there is no such user yet. */
interface Holder {
  readonly id: string;
  readonly user: string;
}

export interface Credentials {
  /** Replaces a user's earlier links. A reset also deletes password and devices and ends the user's sessions. Throws Failure not_found, denied. */
  createToken(user: string, kind: 'invite' | 'password', by: Actor): Promise<IssuedToken>;
  /** Whom a link is for. Throws Failure denied "bad or expired token". */
  readToken(token: string): Promise<Holder>;
  /**
   * Uses the link up: what is set replaces password and devices of before, and signs in. Without a password the device must be a passkey.
   * Throws Failure bad_request; denied, also while passwords are not accepted, and then the link stays as it is.
   * `signedIn` is null where no browser may sign in.
   */
  complete(
    given: NewCredentials,
    from: CameFrom,
  ): Promise<{ readonly signedIn: SignedIn | null; readonly codes: GivenCodes | null; readonly mayInvite: boolean }>;
  /** What is asked of somebody who changes their password (base64), which is checked first. Throws Failure bad_request, denied. */
  beginChange(who: Who, old: string, from: CameFrom): Promise<Challenge>;
  /** Whether somebody has a password: who signs in with a passkey alone has none. */
  hasPassword(userId: string): Promise<boolean>;
  /**
   * Ends the person's other sessions, and their open invite and reset links. Both passwords are base64; `old` is null for whoever has none,
   * who proves by a device who they are. Throws Failure bad_request, denied.
   */
  change(
    who: Who,
    given: GivenFactor & { readonly old: string | null; readonly next: string },
    from: CameFrom,
  ): Promise<void>;
  /**
   * While nobody who may edit users and roles can sign in: a link that creates such a person. Links given before stop working. Null
   * when somebody can.
   */
  inviteFirstAdmin(): Promise<IssuedToken | null>;
}

export function createCredentials(parts: CredentialParts): Credentials {
  const { users, passwords, attempts, oneTimeTokens, hasher, sessions, signIn, accounts, audit, clock } = parts;
  const { mfaDevices, factors, lockOut } = parts;

  async function issue(userId: string, kind: OneTimeToken['kind'], lifeMs: number): Promise<Omit<IssuedToken, 'user'>> {
    const tokenId = newSecret();
    const expires = new Date(clock().getTime() + lifeMs);
    await oneTimeTokens.deleteOf(userId);
    await oneTimeTokens.create({ id: digest(tokenId), kind, userId, expires });
    return { tokenId, expires };
  }

  /** A link for the first administrator is good for as long as it is needed. */
  const usable = async (token: OneTimeToken | null): Promise<OneTimeToken> => {
    const known = token !== null && LINKS.includes(token.kind) && token.expires > clock();
    if (!known || (token.kind === 'first_admin' && (await administered()))) throw new Failure('denied', BAD_TOKEN);
    return token;
  };

  async function invited({ userId }: OneTimeToken): Promise<UserRecord> {
    const user = await users.byId(userId);
    if (user === null) throw new Failure('denied', BAD_TOKEN);
    return user;
  }

  async function canSignIn({ id }: UserRecord): Promise<boolean> {
    const devices = await mfaDevices.list(id);
    if (factors.settings.allowPasswordless && devices.some(({ isPasswordless }) => isPasswordless)) return true;
    if ((await passwords.get(id)) === null) return false;
    return !isRequired(factors.settings) || (await factors.usable(id)).length > 0;
  }
  /** Whether somebody who may edit users and roles can sign in. */
  async function administered(): Promise<boolean> {
    for (const user of await users.list())
      if (administers(await parts.rightsOf(user)) && (await canSignIn(user))) return true;
    return false;
  }

  /** The password that was given, checked; null where a passkey takes its place. */
  function newPassword({ password, creation }: NewCredentials): string | null {
    if (password === null && creation && factors.settings.allowPasswordless) return null;
    if (password === null)
      throw new Failure('bad_request', 'password is missing', { password: 'must be base64 of the new password' });
    const text = decodePassword(password, 'password');
    checkNewPassword(text, parts.leastCharacters, 'password');
    return text;
  }
  /** The device that was given, checked; null where none was, and none has to be. */
  async function newDevice({ id, user: name }: Holder, given: NewCredentials): Promise<MfaDevice | null> {
    const { code, creation, deviceName } = given;
    if (!code && !creation) {
      if (!isRequired(factors.settings)) return null;
      throw new Failure('bad_request', 'this cluster asks for a second factor: register a device', {
        deviceName: 'a device is needed',
      });
    }
    const usage = given.password === null ? 'passwordless' : 'mfa';
    return factors.checkNew({ id, name }, given.token, { name: deviceName ?? '', usage, code, creation });
  }

  /** `admin`, or what comes next to it where somebody is called so. */
  async function firstAdminName(): Promise<string> {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? FIRST_ADMIN : `${FIRST_ADMIN}-${number}`;
      if ((await users.get(name)) === null) return name;
    }
  }

  async function holderOf(token: OneTimeToken): Promise<Holder> {
    if (token.kind === 'first_admin') return { id: uuidOf(token.id), user: await firstAdminName() };
    const { id, name } = await invited(token);
    return { id, user: name };
  }
  /** The user whom a used-up link is for; the first administrator is created here, so that until then there is no such user. */
  async function userOf(token: OneTimeToken): Promise<UserRecord> {
    if (token.kind !== 'first_admin') return invited(token);
    const first: UserRecord = {
      id: uuidOf(token.id),
      name: await firstAdminName(),
      roles: FIRST_ADMIN_ROLES,
      traits: { logins: [...new Set(['root', parts.osUser])] },
      authType: 'local',
      isBot: false,
      created: clock(),
    };
    await accounts.keep('created', first, 'system');
    return first;
  }

  return {
    async createToken(name, kind, by) {
      allow(by, 'update', name);
      const user = await users.get(name);
      if (user === null) throw new Failure('not_found', `user "${name}" not found`);
      const refused = noPasswordHere(user);
      if (refused !== undefined) throw new Failure('bad_request', refused);
      if (kind === 'password') {
        await passwords.remove(user.id);
        await mfaDevices.deleteOf(user.id);
        await sessions.endOf(user.id);
      }
      const issued = await issue(user.id, kind, TOKEN_LIFETIMES_MS[kind]);
      await audit.emit({
        code: 'T6000I',
        name,
        user: by.user,
        expires: issued.expires.toISOString(),
        ttl: `${TOKEN_LIFETIMES_MS[kind] / 3_600_000}h`,
      });
      return { ...issued, user: name };
    },

    readToken: async token => holderOf(await usable(await oneTimeTokens.get(digest(token)))),

    async complete(given, from) {
      // Everything that a person can mend is checked before the link is used up.
      const holder = await holderOf(await usable(await oneTimeTokens.get(digest(given.token))));
      await signIn.checkLocal(holder.user, from);
      const password = newPassword(given);
      const device = await newDevice(holder, given);
      const hash = password === null ? null : await hasher.hash(password);
      const user = await userOf(await usable(await oneTimeTokens.take(digest(given.token))));
      await (hash === null ? passwords.remove(user.id) : passwords.set(user.id, hash));
      await mfaDevices.deleteOf(user.id);
      if (device) await addDevice(parts, user.name, device);
      await attempts.clear(user.name);
      await sessions.endOf(user.id);
      const codes = await parts.recovery.give(user);
      const signedIn = await signIn.enterIfAllowed(user, device, from);
      return { signedIn, codes, mayInvite: administers(await parts.rightsOf(user)) };
    },

    async beginChange(who, old, from) {
      const password = decodePassword(old, 'pass');
      return lockOut.attempt(who.user, from, {
        prove: async user =>
          (await signIn.isPassword(user, password)) ? factors.challenge(who.userId, 'password') : null,
        isHalf: true,
      });
    },

    hasPassword: async userId => (await passwords.get(userId)) !== null,

    async change(who, given, from) {
      const old = given.old === null ? null : decodePassword(given.old, 'old_password');
      const next = decodePassword(given.next, 'new_password');
      checkNewPassword(next, parts.leastCharacters, 'new_password');
      await lockOut.attempt(who.user, from, {
        prove: async user => {
          if (old === null)
            return (await passwords.get(who.userId)) === null ? factors.prove(who.userId, given, 'account') : null;
          const isRight = await signIn.isPassword(user, old);
          const devices = await factors.usable(who.userId);
          if (!isRight || devices.length === 0) return isRight || null;
          return factors.prove(who.userId, given, 'password');
        },
      });
      await passwords.set(who.userId, await hasher.hash(next));
      // A link that was given before would set yet another password.
      await oneTimeTokens.deleteOf(who.userId);
      await sessions.endOf(who.userId, who.webSessionId);
      await audit.emit({ code: 'T1005I', user: who.user });
    },

    async inviteFirstAdmin() {
      if (await administered()) return null;
      const issued = await issue(NOBODY_YET, 'first_admin', FIRST_ADMIN_LIFETIME_MS);
      return { ...issued, user: await firstAdminName() };
    },
  };
}
