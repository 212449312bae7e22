// Passwords as argon2id strings. The work is the same whether the user exists or not.
import { hash, verify } from '@node-rs/argon2';
import { Failure } from '../../../contract/failure.ts';

/** 46 MiB and two passes: about 30 ms on a small server; above OWASP's first recommendation (46 MiB, one pass). */
const COST = { memoryCost: 47_104, timeCost: 2, parallelism: 1 };
/** Hashes at once: each holds COST.memoryCost of memory and one thread. */
const AT_ONCE_MOST = 2;
/** Sign-ins that may wait for their turn; more are refused rather than kept for seconds. */
const WAITING_MOST = 100;

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Against null (no such user, no password): false, after the same work. */
  verify(stored: string | null, password: string): Promise<boolean>;
}

/** Throws Failure unavailable from both when too many wait. */
export function createPasswordHasher(cost = COST): PasswordHasher {
  let running = 0;
  const waiting: Array<() => void> = [];
  /** What unknown users are checked against; nobody knows its password. */
  let nobody: Promise<string> | undefined;

  async function gated<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= AT_ONCE_MOST) {
      if (waiting.length >= WAITING_MOST) throw new Failure('unavailable');
      await new Promise<void>(resolve => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: password => gated(() => hash(password, cost)),
    async verify(stored, password) {
      nobody ??= hash(crypto.randomUUID(), cost);
      const other = await nobody;
      const against = stored ?? other;
      const right = await gated(() => verify(against, password));
      return right && stored !== null;
    },
  };
}
