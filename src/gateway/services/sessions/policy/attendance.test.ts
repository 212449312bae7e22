import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Mode, modes } from '../../../../contract/live-sessions.ts';
import { parsePredicate } from '../../../../contract/predicate.ts';
import type { JoinDemand } from '../../../ports/rights.ts';
import { type Attendee, lackOf } from './attendance.ts';

const moderators = (count: number, onLeave: 'pause' | 'terminate' = 'pause') => ({
  name: 'leads on call',
  filter: parsePredicate('contains(user.spec.roles, "lead")', 'person'),
  modes: ['moderator' as const],
  count,
  onLeave,
});
const there = (user: string, mode: Mode, roles: readonly string[] = ['lead']): Attendee => ({
  userId: `id of ${user}`,
  user,
  mode,
  roles,
});

test('who is awaited is said in words', () => {
  const demands: JoinDemand[] = [
    { role: 'prod', policies: [moderators(2), { ...moderators(1), name: 'anybody', filter: null, modes: ['peer'] }] },
    { role: 'bank', policies: [moderators(1, 'terminate')] },
  ];
  expect(lackOf(demands, 'id of ann', [there('ann', 'moderator')])).toEqual({
    awaited: '2 moderators (leads on call), or 1 peer (anybody); and 1 moderator (leads on call)',
    onLeave: 'terminate',
  });
  expect(lackOf(demands, 'id of ann', [there('bob', 'moderator')])).toEqual({
    awaited: '1 moderator (leads on call), or 1 peer (anybody)',
    onLeave: 'pause',
  });
  expect(lackOf(demands, 'id of ann', [there('bob', 'moderator'), there('eve', 'peer', [])])).toBeNull();
});

test('one person counts once, and the owner never does', () => {
  const demands: JoinDemand[] = [{ role: 'prod', policies: [moderators(2)] }];
  const twice = [there('bob', 'moderator'), there('bob', 'moderator')];
  expect(lackOf(demands, 'id of ann', twice)?.awaited).toBe('1 moderator (leads on call)');
  expect(lackOf(demands, 'id of ann', [...twice, there('ann', 'moderator')])?.awaited).toBe(
    '1 moderator (leads on call)',
  );
});

/** A policy as a role writes it, and what its filter says of somebody. */
const policies = fc.record({
  about: fc.constantFrom(
    { text: null, says: () => true },
    ...['lead', 'dev'].map(role => ({
      text: `contains(user.spec.roles, "${role}")`,
      says: (one: Attendee) => one.roles.includes(role),
    })),
    ...['bob', 'eve'].map(name => ({ text: `user.name != "${name}"`, says: (one: Attendee) => one.user !== name })),
  ),
  modes: fc.subarray([...modes]),
  count: fc.integer({ min: 1, max: 3 }),
  onLeave: fc.constantFrom('pause' as const, 'terminate' as const),
});
const people = fc.array(
  fc.record({
    user: fc.constantFrom('ann', 'bob', 'eve', 'dan'),
    mode: fc.constantFrom(...modes),
    roles: fc.subarray(['lead', 'dev']),
  }),
  { maxLength: 6 },
);

test('it is as a plain count over every choice of people says', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(policies, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
      people,
      (roles, given) => {
        const rolesOf = new Map(given.map(({ user, roles: held }) => [user, held]));
        const present = given.map(({ user, mode }) => there(user, mode, rolesOf.get(user)));
        const isMet = ({ about, modes: allowed, count }: (typeof roles)[number][number]): boolean =>
          ['bob', 'eve', 'dan'].filter(name =>
            present.some(one => one.user === name && allowed.includes(one.mode) && about.says(one)),
          ).length >= count;
        const unmet = roles.filter(one => !one.some(isMet));
        const demands = roles.map((one, index) => ({
          role: `r${index}`,
          policies: one.map(({ about, ...policy }) => ({
            ...policy,
            name: 'n',
            filter: about.text === null ? null : parsePredicate(about.text, 'person'),
          })),
        }));
        expect(lackOf(demands, 'id of ann', present)?.onLeave ?? null).toBe(
          unmet.length === 0
            ? null
            : unmet.flat().some(({ onLeave }) => onLeave === 'terminate')
              ? 'terminate'
              : 'pause',
        );
      },
    ),
  );
});
