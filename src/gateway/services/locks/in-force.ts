// The locks that are in force, kept in memory and read again as soon as one changes, here or on another gateway.
import { holds, isInForce, type Lock, lockedText } from '../../../contract/locks.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Rights } from '../../ports/rights.ts';
import type { Barring } from '../../ports/who.ts';
import type { Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { readLock } from './stored.ts';

/** How soon is noticed what nobody told of, ms. */
const FRESH_MS = 1000;
/** Under strict locking, locks that were read longer ago hold everybody back, ms. */
const STRICT_MOST_MS = 5 * 60_000;
const UNKNOWN = 'Nobody can tell whether you are locked: the locks could not be read for five minutes.';

export interface LocksInForceParts {
  readonly resources: Pick<Resources, 'list'>;
  readonly changes: Pick<Changes, 'subscribe'>;
  /** Where a person's roles say none. */
  readonly locking?: NonNullable<Rights['options']['locking']>;
  readonly clock?: () => Date;
}

/** The rule that session policy, web sessions and sockets ask. It throws only when the locks have never been read. */
export function createBarring({
  resources,
  changes,
  locking: byDefault = 'best_effort',
  clock = () => new Date(),
}: LocksInForceParts): Barring {
  /** Counts the changes that were told; what is kept is of one of them. */
  let told = 0;
  let kept: { readonly locks: readonly Lock[]; readonly told: number; readonly at: number } | null = null;
  let reading: { readonly told: number; readonly done: Promise<void> } | null = null;
  changes.subscribe(({ kind }) => {
    if (kind === 'lockChanged') told += 1;
  });

  async function read(of: number): Promise<void> {
    const locks = (await allOf(resources, 'lock')).flatMap(row => readLock(row) ?? []);
    if (kept === null || kept.told <= of) kept = { locks, told: of, at: clock().getTime() };
  }
  async function refresh(): Promise<void> {
    if (kept?.told === told && clock().getTime() - kept.at < FRESH_MS) return;
    if (reading?.told !== told) {
      const mine = { told, done: read(told) };
      reading = mine;
      const over = () => {
        if (reading === mine) reading = null;
      };
      mine.done.then(over, over);
    }
    await reading.done;
  }

  return async (subject, locking) => {
    try {
      await refresh();
    } catch (error) {
      if (kept === null) throw error;
      if ((locking ?? byDefault) === 'strict' && clock().getTime() - kept.at > STRICT_MOST_MS) return UNKNOWN;
    }
    const now = clock();
    const found = kept?.locks.find(lock => isInForce(lock, now) && holds(lock, subject));
    return found ? lockedText(found) : null;
  };
}
