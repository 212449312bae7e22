import { describe, expect, test } from 'vitest';
import { createAccess, home, isLocked, placed, reachable, reaches } from './access.ts';
import { anyone, billedByUse, can, type Feature } from './feature.ts';
import { match, to, toLocked } from './paths.ts';
import { deployment, everyRight, person } from './person.testing.ts';
import { featureIds, features } from './table.ts';

const billed = deployment({ isUsageBasedBilling: true });

// Rule 6: what usage-based billing locks
test('under usage-based billing access requests, active sessions, auth connectors and trusted devices are locked, and elsewhere nothing is', () => {
  const who = person(everyRight);
  const locked = (config: typeof billed) => featureIds.filter(id => isLocked(id, { who, config }));
  expect(locked(billed)).toEqual(['accessRequests', 'activeSessions', 'authConnectors', 'trustedDevices']);
  expect(locked(deployment())).toEqual([]);
});

// Rule 2.1: a locked feature shows its locked route
test('a locked feature keeps its place in the sidebar, and its page is not reached', () => {
  const viewer = { who: person(everyRight), config: billed };
  expect(placed('resources', viewer)).toContain('activeSessions');
  expect(reaches('activeSessions', viewer)).toBe(false);
  expect(reachable(viewer)).not.toContain('activeSessions');
});

test('a locked feature is for nobody who has no right to it, and for nobody before the context has loaded', () => {
  expect(isLocked('activeSessions', { who: person(['nodes.list']), config: billed })).toBe(false);
  expect(isLocked('activeSessions', { who: null, config: billed })).toBe(false);
  expect(placed('resources', { who: person(['nodes.list']), config: billed })).toEqual(['nodes', 'accessRequests']);
});

test('the root does not lead to a locked feature', () => {
  expect(home({ who: person(['activeSessions.list']), config: billed })).toBe('support');
  expect(home({ who: person(['activeSessions.list']), config: deployment() })).toBe('activeSessions');
});

describe.each(featureIds.filter(id => features[id].locked !== undefined))('%s', id => {
  const params = features[id].path.includes(':clusterId') ? { clusterId: 'a b' } : {};
  test('has a locked path of its own, which is found again', () => {
    expect(match(toLocked(id, params))).toEqual({ id, params, locked: true });
    expect(match(to(id, params))).toEqual({ id, params });
    expect(toLocked(id, params)).not.toBe(to(id, params));
  });
});

test('a page that is never locked has no locked path', () => {
  expect(() => toLocked('nodes', { clusterId: 'main' })).toThrow('The page nodes is never locked');
});

// Rule 2.1: a feature locked without a locked route is an error
test('a feature marked locked without a locked route does not compile', () => {
  const row = { title: 'x', path: '/web/x', needs: anyone };
  // @ts-expect-error: the page is missing.
  const withoutPage: Feature = { ...row, locked: { when: billedByUse } };
  // @ts-expect-error: a bare mark is no lock.
  const bare: Feature = { ...row, locked: true };
  const whole: Feature = { ...row, locked: { when: billedByUse, path: '/web/x/locked', title: 'x' } };
  expect([withoutPage, bare, whole]).toHaveLength(3);
});

describe('a child of a locked parent', () => {
  const lock = { when: billedByUse, path: '/web/parent/locked', title: 'parent' };
  const rows = {
    parent: { title: 'parent', path: '/web/parent', needs: can('users', 'list'), locked: lock },
    child: { title: 'child', path: '/web/child', needs: anyone, parent: 'parent' },
    grandchild: { title: 'grandchild', path: '/web/grandchild', needs: anyone, parent: 'child' },
    lockedChild: { title: 'x', path: '/web/x', needs: anyone, parent: 'parent', locked: { ...lock, path: '/web/y' } },
    other: { title: 'other', path: '/web/other', needs: anyone },
  } as const satisfies Record<string, Feature>;
  const access = createAccess<keyof typeof rows>(rows);
  const ids = Object.keys(rows) as (keyof typeof rows)[];
  const seen = (config: typeof billed, who = person(everyRight)) => ({
    reached: ids.filter(id => access.reaches(id, { who, config })),
    locked: ids.filter(id => access.isLocked(id, { who, config })),
  });
  // Rule 2.1: a child of a locked parent is skipped
  test('is skipped, and so is its child, and it is not shown as locked itself', () => {
    expect(seen(billed)).toEqual({ reached: ['other'], locked: ['parent'] });
  });
  test('is there while the parent is not locked', () => {
    expect(seen(deployment())).toEqual({ reached: ids, locked: [] });
  });
  test('is there where the parent is not locked for want of a right to it', () => {
    expect(seen(billed, person()).reached).toEqual(['child', 'grandchild', 'other']);
  });
});
