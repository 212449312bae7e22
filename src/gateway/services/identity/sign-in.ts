// Signing in with a password, and the lock-out that guards every place where a password is checked.
import { Failure } from '../../../contract/failure.ts';
import type { AuditLog } from '../../ports.ts';
import type { Attempts, Passwords, Users } from '../../store/store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { createTurns } from './turns.ts';
import type { Sessions, SignedIn } from './web-sessions.ts';

/** Five failures lock a name for half an hour (PCI DSS 4.0, 8.3.4). */
const LOCK_RULE = { limit: 5, windowMs: 1_800_000, lockMs: 1_800_000 } as const;
/** One text for unknown user, wrong password and locked name, so that none can be told from another. */
const REFUSED = 'invalid credentials';

/** Where a call came from, for the audit log. */
export interface CameFrom {
  /** host:port */
  readonly remoteAddr: string;
  readonly userAgent: string;
}

export interface SignInParts {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly hasher: PasswordHasher;
  readonly sessions: Pick<Sessions, 'open'>;
  readonly audit: AuditLog;
  readonly clock: () => Date;
}

export interface SignIn {
  /** Throws Failure denied "invalid credentials", whatever was wrong. */
  signIn(given: { readonly user: string; readonly password: string }, from: CameFrom): Promise<SignedIn>;
  /** Checks a password under the lock-out, without signing in. Throws Failure denied. */
  check(user: string, password: string, from: CameFrom): Promise<void>;
}

export function createSignIn(parts: SignInParts): SignIn {
  const { users, passwords, attempts, hasher, sessions, audit, clock } = parts;
  const turns = createTurns();

  const refuse = async (user: string, why: string, from: CameFrom): Promise<never> => {
    await audit.emit({
      code: 'T1000W',
      user,
      method: 'local',
      success: false,
      error: why,
      user_agent: from.userAgent,
      'addr.remote': from.remoteAddr,
    });
    throw new Failure('denied', REFUSED);
  };

  /** One at a time per name: parallel guesses count one by one, and the sixth is refused as surely as one made alone. */
  const check = (user: string, password: string, from: CameFrom): Promise<void> =>
    turns.take(user, async () => {
      const now = clock();
      const attempt = await attempts.get(user);
      const locked = attempt?.lockedUntil != null && attempt.lockedUntil > now;
      const [known, kept] = await Promise.all([users.get(user), passwords.get(user)]);
      const right = await hasher.verify(known?.authType === 'local' && !known.isBot ? kept : null, password);
      if (locked) return refuse(user, 'the name is locked after too many failures', from);
      if (right) {
        if (attempt) await attempts.clear(user);
        return;
      }
      const counted = await attempts.fail(user, now, LOCK_RULE);
      const nowLocked = counted.lockedUntil !== null && counted.lockedUntil > now;
      await refuse(user, nowLocked ? `${REFUSED}; the name is locked now` : REFUSED, from);
    });

  return {
    check,
    async signIn(given, from) {
      await check(given.user, given.password, from);
      const user = await users.get(given.user);
      if (user === null) throw new Failure('denied', REFUSED);
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
  };
}
