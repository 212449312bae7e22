// The lock-out that guards every place where somebody proves who they are: password, code, hardware key, recovery code.
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../../../contract/failure.ts';
import { mappedUserName } from '../../../contract/user-name.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Attempts, UserRecord, Users } from '../../store/store.ts';
import { createTurns } from './turns.ts';

/** Five failures lock a name for half an hour (PCI DSS 4.0, 8.3.4). */
const LOCK_RULE = { limit: 5, windowMs: 1_800_000, lockMs: 1_800_000 } as const;
/**
 * Failures are told at whole multiples of this after they were asked for, ms: finding a name, and what is kept of it, takes some tenths of a
 * millisecond more than looking for one in vain, and a thousand tries would show it. Above what a password takes to check on a small server.
 */
const TOLD_EVERY_MS = 100;
/** One text for unknown user, wrong password and wrong second factor, so that none can be told from the other. */
const REFUSED = 'invalid credentials';
const MINUTE_MS = 60_000;
/** What a locked name hears, known or not, whatever was tried. */
function lockedFor(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  return `this name is locked after ${LOCK_RULE.limit} failed attempts; try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

/** Where a call came from, for the audit log. */
export interface CameFrom {
  /** host:port */
  readonly remoteAddr: string;
  readonly userAgent: string;
}

/** The same as fields of an audit event. */
export const fieldsOf = ({ remoteAddr, userAgent }: CameFrom) => ({ user_agent: userAgent, 'addr.remote': remoteAddr });

export interface LockOutParts {
  readonly users: Users;
  readonly attempts: Attempts;
  readonly audit: AuditLog;
  readonly clock: () => Date;
  /** In place of TOLD_EVERY_MS. */
  readonly toldEveryMs?: number | undefined;
}

interface Attempt<Proof> {
  /** Null: what was given is wrong. Is also asked for nobody, and for a locked name, so that all take the same time. */
  readonly prove: (known: UserRecord | null) => Promise<Proof | null>;
  /** Something else is asked next: earlier failures stay counted until that holds as well. */
  readonly isHalf?: boolean;
  /** Event of a failure, when it is not a sign-in's. */
  readonly code?: string;
}

export interface LockOut {
  /**
   * One at a time per name, however it is spelled: parallel guesses count one by one, and the sixth is refused as surely as one made alone. Throws Failure denied:
   * "invalid credentials", or for how long the name is locked.
   */
  attempt<Proof>(name: string, from: CameFrom, attempt: Attempt<Proof>): Promise<Proof>;
  /** Notes a failure that counts against no name. */
  note(user: string, why: string, from: CameFrom, code?: string): Promise<void>;
  /** The same, and throws Failure denied. */
  refuse(user: string, why: string, from: CameFrom, code?: string, said?: string): Promise<never>;
}

export function createLockOut(parts: LockOutParts): LockOut {
  const { users, attempts, audit, clock, toldEveryMs = TOLD_EVERY_MS } = parts;
  const turns = createTurns();
  /** The name that somebody means, however they spelled it. A user of before such rules is found by the very name. */
  const nameOf = async (typed: string): Promise<string> =>
    (await users.get(typed)) === null ? mappedUserName(typed) : typed;
  const note: LockOut['note'] = (user, why, from, code = 'T1000W') =>
    audit.emit({ code, user, method: 'local', success: false, error: why, ...fieldsOf(from) });
  const refuse: LockOut['refuse'] = async (user, why, from, code, said = REFUSED) => {
    await note(user, why, from, code);
    throw new Failure('denied', said);
  };
  return {
    note,
    refuse,
    async attempt(typed, from, { prove, isHalf = false, code }) {
      const began = performance.now();
      // Runs beside the work, so that how long that took is not seen.
      let isOver = false;
      const soonest = wait(toldEveryMs).then(() => {
        isOver = true;
      });
      const user = await nameOf(typed);
      return turns.take(user, async () => {
        const fail = async (why: string, said = REFUSED): Promise<never> => {
          await note(user, why, from, code);
          if (isOver) await wait(Math.ceil(toldEveryMs - ((performance.now() - began) % toldEveryMs)));
          else await soonest;
          throw new Failure('denied', said);
        };
        const now = clock();
        const before = await attempts.get(user);
        const lockedMs = (before?.lockedUntil?.getTime() ?? 0) - now.getTime();
        const [outcome] = await Promise.allSettled([users.get(user).then(prove)]);
        if (lockedMs > 0) return fail('the name is locked after too many failures', lockedFor(lockedMs));
        if (outcome.status === 'rejected') throw outcome.reason;
        if (outcome.value !== null) {
          if (before && !isHalf) await attempts.clear(user);
          return outcome.value;
        }
        const counted = await attempts.fail(user, now, LOCK_RULE);
        const leftMs = (counted.lockedUntil?.getTime() ?? 0) - now.getTime();
        return leftMs > 0 ? fail(`${REFUSED}; the name is locked now`, lockedFor(leftMs)) : fail(REFUSED);
      });
    },
  };
}
