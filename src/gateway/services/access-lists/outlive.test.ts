// Nothing that a list gives outlives its end: random histories of coming, going, nesting, deleting, losing what is asked and waiting, with a
// clock that is moved.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccessListPlace, Resource } from '../../store/store.ts';
import { nextReview, reviewAfter } from './dates.ts';
import { createListed } from './listed.ts';
import { nestingProblem } from './memberships.ts';

const MINUTE_MS = 60_000;
const names = ['a', 'b', 'c', 'd'] as const;
type Name = (typeof names)[number];

/** What the test itself knows to be there: when it ends; null: it lasts. */
interface Known {
  readonly ends: number | null;
}
function rig() {
  let now = 1_800_000_000_000;
  const clock = () => new Date(now);
  const rows = new Map<string, Resource>();
  let places: AccessListPlace[] = [];
  const person = { name: 'kim', created: clock(), roles: ['held'], traits: {} };
  /** By list: whether kim is in it by herself, and which lists are in it. */
  const own = new Map<Name, Known>();
  const inner = new Map<Name, Map<Name, Known>>();
  const isOn = (known: Known | undefined): boolean => known !== undefined && (known.ends === null || known.ends > now);
  const isIn = (list: Name): boolean => {
    if (!rows.has(list)) return false;
    // `d` asks for what kim may lose.
    if (list === 'd' && !person.roles.includes('held')) return false;
    if (isOn(own.get(list))) return true;
    return [...(inner.get(list) ?? [])].some(([name, known]) => isOn(known) && isIn(name));
  };
  const make = (list: Name): void => {
    const none = { roles: [], traits: {} };
    const membershipRequires = list === 'd' ? { roles: ['held'], traits: {} } : none;
    const spec = {
      ...{ owners: [], nextReview: '', frequency: '1 month', day: '1', notice: '0' },
      ...{ membershipRequires, ownershipRequires: none, grants: { roles: [`of ${list}`], traits: {} } },
    };
    rows.set(list, { name: list, title: list, description: '', labels: {}, created: clock(), spec } as never);
  };
  const take = (list: Name, kind: 'user' | 'list', name: string): void => {
    places = places.filter(one => one.list !== list || one.kind !== kind || one.name !== name);
  };
  for (const name of names) make(name);
  const listed = createListed({
    resources: {
      named: async (_kind, wanted) => wanted.flatMap(name => rows.get(name) ?? []),
      list: async () => ({ items: [...rows.values()], startKey: '', totalCount: rows.size }),
    },
    lists: { above: async () => places, places: async () => places },
    clock,
  });
  return {
    listed,
    person,
    isIn,
    later: (ms: number) => {
      now += ms;
    },
    add(list: Name, minutes: number | null, nested?: Name): void {
      const kind = nested === undefined ? 'user' : 'list';
      const name = nested ?? person.name;
      if (!rows.has(list) || (nested !== undefined && !rows.has(nested))) return;
      if (
        nested !== undefined &&
        nestingProblem(
          places.filter(one => one.kind === 'list'),
          { list, name },
        ) !== null
      )
        return;
      const ends = minutes === null ? null : now + minutes * MINUTE_MS;
      take(list, kind, name);
      const expires = ends === null ? null : new Date(ends);
      places.push({ list, relation: 'member', kind, name, added: clock(), expires, reason: '', addedBy: '' });
      if (nested === undefined) own.set(list, { ends });
      else inner.set(list, new Map([...(inner.get(list) ?? []), [nested, { ends }]]));
    },
    remove(list: Name, nested?: Name): void {
      take(list, nested === undefined ? 'user' : 'list', nested ?? person.name);
      if (nested === undefined) own.delete(list);
      else inner.get(list)?.delete(nested);
    },
    /** What stood in it stays behind, as if the gateway had been cut short. */
    recreate(list: Name): void {
      now += 1;
      make(list);
      own.delete(list);
      inner.delete(list);
      for (const nestings of inner.values()) nestings.delete(list);
    },
    destroy(list: Name): void {
      rows.delete(list);
    },
    toggleHeld(): void {
      person.roles = person.roles.length > 0 ? [] : ['held'];
    },
    /** Somebody else gets the name. */
    replacePerson(): void {
      now += 1;
      person.created = clock();
      own.clear();
    },
  };
}

const list = fc.constantFrom(...names);
const minutes = fc.option(fc.integer({ min: 1, max: 90 }));
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), list, minutes }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('nest' as const), list, inner: list, minutes }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), by: fc.integer({ min: 0, max: 60 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('remove' as const, 'destroy' as const, 'recreate' as const), list }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unnest' as const), list, inner: list }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('toggle' as const, 'replace' as const) }) },
);

test('over 10,000 random histories nobody has what a list gives before they are in it, nor a moment after its end', async () => {
  let given = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async steps => {
      const world = rig();
      for (const one of steps) {
        if (one.do === 'add') world.add(one.list, one.minutes);
        else if (one.do === 'nest') world.add(one.list, one.minutes, one.inner);
        else if (one.do === 'wait') world.later(one.by * MINUTE_MS);
        else if (one.do === 'remove') world.remove(one.list);
        else if (one.do === 'unnest') world.remove(one.list, one.inner);
        else if (one.do === 'destroy') world.destroy(one.list);
        else if (one.do === 'recreate') world.recreate(one.list);
        else if (one.do === 'toggle') world.toggleHeld();
        else world.replacePerson();
        const expected = names.filter(world.isIn).map(name => `of ${name}`);
        const has = (await world.listed.person(world.person)).roles.filter(role => role !== 'held');
        expect([...has].sort()).toEqual(expected);
        given += expected.length;
      }
    }),
    { numRuns: 10_000 },
  );
  // Otherwise nothing was tried.
  expect(given).toBeGreaterThan(5000);
}, 120_000);

test.each([
  ['2026-01-31', '1 month', '1', '2026-02-01'],
  ['2026-01-31', '1 month', 'last', '2026-02-28'],
  ['2024-01-10', '1 month', 'last', '2024-02-29'],
  ['2026-11-23', '3 months', '15', '2027-02-15'],
  ['2026-08-31', '6 months', 'last', '2027-02-28'],
  ['2026-11-23', '1 year', '1', '2027-11-01'],
] as const)('from %s on, %s and day %s is %s', (from, frequency, day, next) => {
  expect(reviewAfter(new Date(from), { frequency, day }).toISOString()).toBe(`${next}T00:00:00.000Z`);
});

test('a review that is early counts from the day it was due, one that is late from today', () => {
  const recurrence = { frequency: '6 months', day: '1' } as const;
  const due = new Date('2027-01-01T00:00:00Z');
  expect(nextReview(due, new Date('2026-12-20T10:00:00Z'), recurrence).toISOString()).toBe('2027-07-01T00:00:00.000Z');
  expect(nextReview(due, new Date('2027-02-10T10:00:00Z'), recurrence).toISOString()).toBe('2027-08-01T00:00:00.000Z');
});
