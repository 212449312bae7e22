// Signing in with a password, and the lock-out that guards every place where a password is checked.
import { Failure } from '../../../contract/failure.ts';
import { mappedUserName } from '../../../contract/user-name.ts';
import type { AuditLog } from '../../ports.ts';
import type { Attempts, Passwords, Settings, Users } from '../../store/store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { readSignInSettings } from './sign-in-settings.ts';
import { createTurns } from './turns.ts';
import type { Sessions, SignedIn } from './web-sessions.ts';

/** Five failures lock a name for half an hour (PCI DSS 4.0, 8.3.4). */
const LOCK_RULE = { limit: 5, windowMs: 1_800_000, lockMs: 1_800_000 } as const;
/** One text for unknown user and wrong password, so that neither can be told from the other. */
const REFUSED = 'invalid credentials';
const MINUTE_MS = 60_000;
/** What a locked name hears, known or not, whatever the password was. */
function lockedFor(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  return `this name is locked after ${LOCK_RULE.limit} wrong passwords; try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

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
  readonly settings: Settings;
  readonly hasher: PasswordHasher;
  readonly sessions: Pick<Sessions, 'open'>;
  readonly audit: AuditLog;
  readonly clock: () => Date;
}

export interface SignIn {
  /** Throws Failure denied: "invalid credentials", whatever was wrong, or for how long the name is locked. */
  signIn(given: { readonly user: string; readonly password: string }, from: CameFrom): Promise<SignedIn>;
  /** Checks a password under the lock-out, without signing in. Throws Failure denied. */
  check(user: string, password: string, from: CameFrom): Promise<void>;
}

export function createSignIn(parts: SignInParts): SignIn {
  const { users, passwords, attempts, hasher, sessions, audit, clock } = parts;
  const turns = createTurns();

  const refuse = async (user: string, why: string, from: CameFrom, said = REFUSED): Promise<never> => {
    await audit.emit({
      code: 'T1000W',
      user,
      method: 'local',
      success: false,
      error: why,
      user_agent: from.userAgent,
      'addr.remote': from.remoteAddr,
    });
    throw new Failure('denied', said);
  };

  /** The name that somebody means, however they spelled it. A user of before such rules is found by the very name. */
  const nameOf = async (typed: string): Promise<string> =>
    (await users.get(typed)) === null ? mappedUserName(typed) : typed;

  /** One at a time per name: parallel guesses count one by one, and the sixth is refused as surely as one made alone. */
  const check = (user: string, password: string, from: CameFrom): Promise<void> =>
    turns.take(user, async () => {
      const now = clock();
      const attempt = await attempts.get(user);
      const lockedMs = (attempt?.lockedUntil?.getTime() ?? 0) - now.getTime();
      const known = await users.get(user);
      // Read also for nobody, so that both take the same time.
      const kept = await passwords.get(known?.id ?? '');
      const right = await hasher.verify(known?.authType === 'local' && !known.isBot ? kept : null, password);
      if (lockedMs > 0) return refuse(user, 'the name is locked after too many failures', from, lockedFor(lockedMs));
      if (right) {
        if (attempt) await attempts.clear(user);
        return;
      }
      const counted = await attempts.fail(user, now, LOCK_RULE);
      const leftMs = (counted.lockedUntil?.getTime() ?? 0) - now.getTime();
      if (leftMs > 0) await refuse(user, `${REFUSED}; the name is locked now`, from, lockedFor(leftMs));
      await refuse(user, REFUSED, from);
    });

  return {
    check,
    async signIn(given, from) {
      const name = await nameOf(given.user);
      if (!(await readSignInSettings(parts.settings)).local)
        await refuse(
          name,
          'passwords are not accepted',
          from,
          'passwords are not accepted here: sign in with one of the other buttons',
        );
      await check(name, given.password, from);
      const user = await users.get(name);
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
