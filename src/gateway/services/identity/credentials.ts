// Setting passwords: by an invite or reset link, or by the person themselves.
import { randomUUID } from 'node:crypto';
import { Failure } from '../../../contract/failure.ts';
import { TOKEN_LIFETIMES_MS } from '../../../contract/users.ts';
import type { Actor, AuditLog, Rights, Who } from '../../ports.ts';
import type { Attempts, OneTimeToken, OneTimeTokens, Passwords, UserRecord, Users } from '../../store/store.ts';
import { type Accounts, administers, allow } from './accounts.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { checkNewPassword, decodePassword } from './passwords.ts';
import { digest, newSecret } from './secrets.ts';
import type { CameFrom, SignIn } from './sign-in.ts';
import type { Sessions, SignedIn } from './web-sessions.ts';

/** The first administrator's link is for whoever reads the gateway's own terminal; it lasts a working day. */
const FIRST_ADMIN_LIFETIME_MS = 8 * 3_600_000;
const FIRST_ADMIN = 'admin';
/** Whom a link is for that makes its own user: nobody is called so. */
const NOBODY_YET = '';
const FIRST_ADMIN_ROLES = ['access', 'editor', 'auditor'] as const;
const BAD_TOKEN = 'bad or expired token';

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
  readonly sessions: Pick<Sessions, 'open' | 'endOf'>;
  readonly signIn: Pick<SignIn, 'check'>;
  readonly accounts: Pick<Accounts, 'keep'>;
  readonly rightsOf: (user: UserRecord) => Promise<Rights>;
  readonly audit: AuditLog;
  readonly leastCharacters: number;
  /** OS user of the gateway: a login the first administrator gets beside root. */
  readonly osUser: string;
  readonly clock: () => Date;
}

export interface Credentials {
  /** Replaces a user's earlier links. A reset also deletes the password and ends the user's sessions. Throws Failure not_found, denied. */
  createToken(user: string, kind: 'invite' | 'password', by: Actor): Promise<IssuedToken>;
  /** Whom a link is for. Throws Failure denied "bad or expired token". */
  readToken(token: string): Promise<{ readonly user: string }>;
  /** Uses the link up: sets the password and signs in. `password` is base64. Throws Failure bad_request, denied. */
  complete(given: { readonly token: string; readonly password: string | null }, from: CameFrom): Promise<SignedIn>;
  /** Ends the person's other sessions, and their open invite and reset links. Both passwords are base64. Throws Failure bad_request, denied. */
  change(who: Who, given: { readonly old: string; readonly next: string }, from: CameFrom): Promise<void>;
  /**
   * While nobody who may edit users and roles can sign in: a link that creates such a person. Links given before stop working. Null
   * when somebody can.
   */
  inviteFirstAdmin(): Promise<IssuedToken | null>;
}

export function createCredentials(parts: CredentialParts): Credentials {
  const { users, passwords, attempts, oneTimeTokens, hasher, sessions, signIn, accounts, audit, clock } = parts;

  async function issue(userId: string, kind: OneTimeToken['kind'], lifeMs: number): Promise<Omit<IssuedToken, 'user'>> {
    const tokenId = newSecret();
    const expires = new Date(clock().getTime() + lifeMs);
    await oneTimeTokens.deleteOf(userId);
    await oneTimeTokens.create({ id: digest(tokenId), kind, userId, expires });
    return { tokenId, expires };
  }

  /** A link for the first administrator is good for as long as it is needed. */
  const usable = async (token: OneTimeToken | null): Promise<OneTimeToken> => {
    const known = token !== null && token.kind !== 'privilege' && token.expires > clock();
    if (!known || (token.kind === 'first_admin' && (await administered()))) throw new Failure('denied', BAD_TOKEN);
    return token;
  };

  async function invited({ userId }: OneTimeToken): Promise<UserRecord> {
    const user = await users.byId(userId);
    if (user === null) throw new Failure('denied', BAD_TOKEN);
    return user;
  }

  /** Whether somebody who may edit users and roles can sign in. */
  async function administered(): Promise<boolean> {
    for (const user of await users.list())
      if (administers(await parts.rightsOf(user)) && (await passwords.get(user.id)) !== null) return true;
    return false;
  }

  /** `admin`, or what comes next to it where somebody is called so. */
  async function firstAdminName(): Promise<string> {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? FIRST_ADMIN : `${FIRST_ADMIN}-${number}`;
      if ((await users.get(name)) === null) return name;
    }
  }

  /** The user whom a used-up link is for; the first administrator is created here, so that until then there is no such user. */
  async function holderOf(token: OneTimeToken): Promise<UserRecord> {
    if (token.kind !== 'first_admin') return invited(token);
    const first: UserRecord = {
      id: randomUUID(),
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
      if (user.authType !== 'local') {
        throw new Failure('bad_request', `user "${name}" signs in through ${user.authType} and has no password here`);
      }
      if (kind === 'password') {
        await passwords.remove(user.id);
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

    async readToken(token) {
      const found = await usable(await oneTimeTokens.get(digest(token)));
      return { user: found.kind === 'first_admin' ? await firstAdminName() : (await invited(found)).name };
    },

    async complete(given, from) {
      // Everything that a person can mend is checked before the link is used up.
      await usable(await oneTimeTokens.get(digest(given.token)));
      if (given.password === null) {
        throw new Failure('bad_request', 'password is missing', { password: 'must be base64 of the new password' });
      }
      const password = decodePassword(given.password, 'password');
      checkNewPassword(password, parts.leastCharacters, 'password');
      const hash = await hasher.hash(password);
      const user = await holderOf(await usable(await oneTimeTokens.take(digest(given.token))));
      await passwords.set(user.id, hash);
      await attempts.clear(user.name);
      await sessions.endOf(user.id);
      const signedIn = await sessions.open(user);
      await audit.emit({
        code: 'T1000I',
        user: user.name,
        method: 'local',
        success: true,
        user_agent: from.userAgent,
        'addr.remote': from.remoteAddr,
      });
      return signedIn;
    },

    async change(who, given, from) {
      const old = decodePassword(given.old, 'old_password');
      const next = decodePassword(given.next, 'new_password');
      checkNewPassword(next, parts.leastCharacters, 'new_password');
      await signIn.check(who.user, old, from);
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
