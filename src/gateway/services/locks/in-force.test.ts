import { expect, test } from 'vitest';
import type { Resource } from '../../store/store.ts';
import { createChanges } from '../changes/changes.ts';
import { createBarring } from './in-force.ts';
import { newLock } from './stored.ts';

const MINUTE_MS = 60_000;

/** Locks in a store that can break, and a clock. */
function rig(byDefault?: 'strict') {
  let now = 1_800_000_000_000;
  let rows: readonly Resource[] = [];
  let broken = false;
  let reads = 0;
  const changes = createChanges(() => undefined);
  const barring = createBarring({
    changes,
    clock: () => new Date(now),
    ...(byDefault && { locking: byDefault }),
    resources: {
      list: async () => {
        reads += 1;
        if (broken) throw new Error('the store is away');
        return { items: rows, startKey: '', totalCount: 0 };
      },
    },
  });
  return {
    alice: (locking: 'strict' | 'best_effort' | null = null) => barring({ user: 'alice', roles: ['ops'] }, locking),
    lock(targets: Parameters<typeof newLock>[1]['targets'], told = true): void {
      const made = newLock('l', { targets, message: '', ttl: '' }, 'op', null);
      rows = [{ ...made, revision: 1, created: new Date(now), updated: new Date(now) }];
      if (told) changes.emit({ kind: 'lockChanged', lock: 'l' });
    },
    breakStore: () => {
      broken = true;
    },
    later: (ms: number) => {
      now += ms;
    },
    reads: () => reads,
  };
}

test('a lock that is told of is known at once, any other within a second, and nothing is read more often', async () => {
  const { alice, lock, later, reads } = rig();
  expect([await alice(), await alice(), reads()]).toEqual([null, null, 1]);
  lock({ role: 'ops' });
  expect(await alice()).toBe('Access with the role ops is locked.');
  lock({ user: 'bob' }, false);
  expect(await alice()).not.toBeNull();
  later(1000);
  expect(await alice()).toBeNull();
});

test('many who ask at once share one reading, and one of before a change is not believed after it', async () => {
  const { alice, lock, reads } = rig();
  const before = alice();
  lock({ user: 'alice' });
  expect(await Promise.all([alice(), alice(), alice()])).toEqual(Array(3).fill('Your access is locked.'));
  await before;
  expect(reads()).toBe(2);
});

test('while the locks cannot be read, those that are known count; strict roles hold everybody back after five minutes', async () => {
  const { alice, breakStore, later } = rig();
  await alice();
  breakStore();
  later(5 * MINUTE_MS);
  expect([await alice('strict'), await alice()]).toEqual([null, null]);
  later(1);
  expect([await alice('strict'), await alice()]).toEqual([
    'Nobody can tell whether you are locked: the locks could not be read for five minutes.',
    null,
  ]);
});

test('a cluster whose locking is strict holds back whoever no role says anything else of', async () => {
  const { alice, breakStore, later } = rig('strict');
  await alice();
  breakStore();
  later(5 * MINUTE_MS + 1);
  expect([(await alice()) === null, await alice('best_effort')]).toEqual([false, null]);
});

test('locks that were never read hold nobody back by name: the question fails', async () => {
  const { alice, breakStore } = rig();
  breakStore();
  await expect(alice()).rejects.toThrow('the store is away');
});
