// Nothing that a request gives outlives its end: random histories of asking, reviewing, using, dropping, locking and waiting, with a clock that is moved.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '../../../contract/failure.ts';
import type { Grant, Rights, RightsUser } from '../../ports/rights.ts';
import type { Who } from '../../ports/who.ts';
import type { NewResource, Resource, Resources, UserRecord } from '../../store/store.ts';
import { createRights } from '../rights/rights.ts';
import { parseRole } from '../rights/role.ts';
import { createAssumed } from './assumed.ts';
import { createAccessRequests } from './requests.ts';

const MINUTE_MS = 60_000;
const roles = [
  ['dba', '{allow: {logins: [root], node_labels: {env: prod}}}'],
  ['asker', '{allow: {request: {roles: [dba], thresholds: [{approve: 2, deny: 1}], max_duration: 3h}}}'],
  ['reviewer', '{allow: {review_requests: {roles: [dba]}}}'],
].map(([name, spec]) => parseRole(`kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: ${spec}`));
const called = (names: readonly string[]) => roles.filter(({ name }) => names.includes(name));
const worked = new Map<string, Rights>();
const rightsOf = async (user: RightsUser, grants: readonly Grant[] = []): Promise<Rights> => {
  const names = [...new Set([...user.roles, ...grants.flatMap(grant => grant.roles)])];
  const key = `${user.name} ${names}`;
  const rights = worked.get(key) ?? createRights(called(names), { ...user, roles: names }, called(user.roles));
  worked.set(key, rights);
  return rights;
};
const people = ['ann', 'rae', 'ray'].map(
  name => ({ id: name, name, roles: [name === 'ann' ? 'asker' : 'reviewer'], traits: {} }) as unknown as UserRecord,
);

/** One history's gateway: a store in memory, locks, and a clock. */
function rig() {
  let now = 1_800_000_000_000;
  const rows = new Map<string, Resource>();
  const locked = new Set<string>();
  const clock = () => new Date(now);
  const alive = (row: Resource | undefined) => (row && (row.expires === null || row.expires > clock()) ? row : null);
  const keep = (row: NewResource, revision: number): Resource => {
    const kept = { ...row, revision, created: rows.get(row.name)?.created ?? clock(), updated: clock() };
    rows.set(row.name, kept);
    return kept;
  };
  const resources: Pick<Resources, 'get' | 'list' | 'named' | 'create' | 'put' | 'delete'> = {
    get: async (_kind, name) => alive(rows.get(name)),
    named: async (_kind, names) => names.flatMap(name => alive(rows.get(name)) ?? []),
    list: async () => ({ items: [...rows.values()].flatMap(row => alive(row) ?? []), startKey: '', totalCount: 0 }),
    create: async row => keep(row, 1),
    put: async (row, revision) => {
      if (rows.get(row.name)?.revision !== revision) throw new Failure('changed');
      return keep(row, (revision ?? 0) + 1);
    },
    delete: async (_kind, name) => rows.delete(name),
  };
  const barring = async ({ accessRequests = [] }: { readonly accessRequests?: readonly string[] }) =>
    accessRequests.some(id => locked.has(id)) ? 'locked' : null;
  const rights = { rightsOf, roles: async (names: readonly string[]) => called(names) };
  const assumed = createAssumed({ resources, rights, listed: async user => user, barring, clock });
  const requests = createAccessRequests({
    ...{ resources, rights, barring, clock, clusterName: 'here' },
    users: { byId: async id => people.find(one => one.id === id) ?? null },
    audit: { emit: async () => undefined },
    changes: { emit: () => undefined },
  });
  const who = async (name: string, used: readonly string[] = []): Promise<Who> => {
    const user = people.find(one => one.name === name) as UserRecord;
    return { user: name, userId: name, ...(await assumed(user, used)) } as unknown as Who;
  };
  return {
    requests,
    who,
    locked,
    now: () => now,
    later: (ms: number) => {
      now += ms;
    },
  };
}

const step = fc.oneof(
  fc.record({ do: fc.constant('ask' as const), minutes: fc.integer({ min: 1, max: 200 }) }),
  fc.record({
    do: fc.constant('review' as const),
    by: fc.constantFrom('rae', 'ray'),
    which: fc.nat(9),
    deny: fc.nat(4),
  }),
  fc.record({ do: fc.constantFrom('assume' as const, 'remove' as const, 'lock' as const), which: fc.nat(9) }),
  fc.record({ do: fc.constant('drop' as const) }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 0, max: 120 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

test('over 10,000 random histories nobody has what they asked for before two have approved it, nor a moment after its end', async () => {
  let given = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async steps => {
      const { requests, who, locked, now, later } = rig();
      /** What was asked for: how long, who approved, and when it ends; null: it gives nothing. */
      const known: { id: string; forMs: number; approvals: Set<string>; ends: number | null }[] = [];
      let used: readonly string[] = [];
      const act = async (one: Step): Promise<void> => {
        const at = 'which' in one ? known[one.which % Math.max(1, known.length)] : undefined;
        if (one.do === 'wait') later(one.minutes * MINUTE_MS);
        else if (one.do === 'drop') used = [];
        else if (one.do === 'ask') {
          const { id } = await requests.create(await who('ann', used), {
            ...{ roles: ['dba'], resourceIds: [], reason: '', suggestedReviewers: [], dryRun: false },
            maxDuration: `${one.minutes}m`,
          });
          known.push({ id, forMs: one.minutes * MINUTE_MS, approvals: new Set(), ends: null });
        } else if (at === undefined) return;
        else if (one.do === 'review') {
          const state = one.deny === 0 ? 'DENIED' : 'APPROVED';
          await requests.review(await who(one.by), at.id, { state, reason: '' });
          if (state === 'APPROVED') at.approvals.add(one.by);
          if (at.approvals.size === 2) at.ends = now() + at.forMs;
        } else if (one.do === 'assume') used = (await requests.assume(await who('ann', used), at.id))(used);
        else {
          at.ends = null;
          if (one.do === 'lock') locked.add(at.id);
          else await requests.remove(await who('ann'), at.id);
        }
      };
      for (const one of steps) {
        await act(one).catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error;
        });
        // What runs is judged by the requests that it was begun with, all of them here.
        const { rights } = await who('ann', known.map(({ id }) => id).slice(-10));
        const may = known.slice(-10).some(({ id, ends }) => ends !== null && ends > now() && !locked.has(id));
        expect(rights.logins({ env: 'prod' })).toEqual(may ? ['root'] : []);
        if (may) given += 1;
        const armed = await who('ann', used);
        expect(armed.grants.every(({ ends }) => ends.getTime() > now())).toBe(true);
      }
    }),
    { numRuns: 10_000 },
  );
  // Otherwise nothing was tried.
  expect(given).toBeGreaterThan(500);
}, 120_000);
