// What of a person's traits a login rule changes.
import { expect, test } from 'vitest';
import { changedTraits } from './traits.ts';

test('values that came and went are told by trait, also of traits that are new or gone, and nothing else is', () => {
  const before = { same: ['a'], less: ['a', 'b'], gone: ['x'] };
  const after = { same: ['a'], less: ['b', 'c'], fresh: ['y'] };
  expect(changedTraits(before, after)).toEqual([
    { name: 'fresh', gained: ['y'], lost: [] },
    { name: 'gone', gained: [], lost: ['x'] },
    { name: 'less', gained: ['c'], lost: ['a'] },
  ]);
  expect(changedTraits(before, before)).toEqual([]);
});
