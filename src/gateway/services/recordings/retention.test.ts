import { isDeepStrictEqual } from 'node:util';
import { expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../ports/audit.ts';
import type { StoredEvent } from '../../store/store.ts';
import { createRetention, type RetentionParts } from './retention.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-06-01T00:00:00Z');

interface Session {
  readonly daysAgo: number;
  readonly bytes?: number;
  readonly user?: string;
  readonly host?: string;
  readonly env?: string;
  /** The audit log knows nothing of it. */
  readonly lost?: true;
}

/** Recordings by name, in a store that is a map. */
function rig(sessions: Readonly<Record<string, Session>>, rules: Partial<RetentionParts['rules']>, isShared = false) {
  const here = new Map(Object.entries(sessions));
  const noted: AuditEntry[] = [];
  const kept = new Map<string, unknown>();
  const stopped = (sid: string) => new Date(NOW.getTime() - (here.get(sid)?.daysAgo ?? 0) * DAY_MS).toISOString();
  const parts: RetentionParts = {
    recordings: {
      isShared,
      stored: async () => [...here].map(([sid, { bytes = 10 }]) => ({ sid, bytes, changed: NOW })),
      remove: async sid => void here.delete(sid),
      summary: async sid =>
        ({ ended: stopped(sid), participants: [here.get(sid)?.user ?? 'ann'], hostname: '' }) as never,
    },
    events: {
      async endOf(sid) {
        const one = here.get(sid);
        const raw = {
          session_stop: stopped(sid),
          participants: [one?.user ?? 'ann'],
          server_hostname: one?.host ?? 'db-3',
          server_labels: { env: one?.env ?? 'dev' },
        };
        return one?.lost ? null : ({ raw } as unknown as StoredEvent);
      },
    },
    audit: { emit: async entry => void noted.push(entry) },
    settings: {
      get: async key => kept.get(key) ?? null,
      async replace(key, before, value) {
        if (!isDeepStrictEqual(kept.get(key) ?? null, before)) return false;
        kept.set(key, value);
        return true;
      },
    },
    rules: { keepMs: 0, labels: [], mostBytes: 0, ...rules },
    clock: () => NOW,
    report: problem => expect.unreachable(problem),
  };
  /** The same in another gateway. */
  const another = () => createRetention(parts);
  return { retention: createRetention(parts), another, left: () => [...here.keys()], noted };
}

test('what is past its time goes, with its event first; the rest stays', async () => {
  const { retention, left, noted } = rig(
    { old: { daysAgo: 31 }, young: { daysAgo: 29 }, lost: { daysAgo: 400, lost: true } },
    { keepMs: 30 * DAY_MS },
  );
  expect(await retention.expire(true)).toMatchObject({
    removed: [
      { sid: 'lost', why: 'age' },
      { sid: 'old', why: 'age' },
    ],
    held: 0,
  });
  expect([left(), noted]).toEqual([['old', 'young', 'lost'], []]);
  await retention.expire(false);
  expect(left()).toEqual(['young']);
  expect(noted.map(({ code, sid, reason }) => [code, sid, reason])).toEqual([
    ['TPR01I', 'lost', 'age'],
    ['TPR01I', 'old', 'age'],
  ]);
});

test('without rules nothing ever goes', async () => {
  const { retention, left } = rig({ old: { daysAgo: 4000 } }, {});
  expect(await retention.expire(false)).toEqual({ removed: [], held: 0 });
  expect(left()).toEqual(['old']);
});

test("a server's label says how long instead, and the longest counts", async () => {
  const { retention, left } = rig(
    { dev: { daysAgo: 10 }, prod: { daysAgo: 400, env: 'prod' }, ever: { daysAgo: 3000, env: 'audit' } },
    {
      keepMs: 30 * DAY_MS,
      labels: [
        { name: 'env', value: 'dev', keepMs: 5 * DAY_MS },
        { name: 'env', value: 'prod', keepMs: DAY_MS },
        { name: 'env', value: 'prod', keepMs: 500 * DAY_MS },
        { name: 'env', value: 'audit', keepMs: 0 },
      ],
    },
  );
  await retention.expire(false);
  expect(left()).toEqual(['prod', 'ever']);
});

test('of two gateways that share the recordings one removes, and notes each once', async () => {
  const { retention, another, left, noted } = rig({ old: { daysAgo: 31 } }, { keepMs: 30 * DAY_MS }, true);
  const looking = [retention.start(), another().start()];
  await vi.waitFor(() => expect(left()).toEqual([]));
  expect(noted.map(({ code, sid }) => [code, sid])).toEqual([['TPR01I', 'old']]);
  for (const one of looking) one.dispose();
});

test('above the size the oldest go until the rest fits', async () => {
  const { retention, left } = rig(
    { a: { daysAgo: 1, bytes: 40 }, b: { daysAgo: 3, bytes: 40 }, c: { daysAgo: 2, bytes: 40 } },
    { mostBytes: 100 },
  );
  expect(await retention.expire(false)).toMatchObject({ removed: [{ sid: 'b', why: 'size' }] });
  expect(left()).toEqual(['a', 'c']);
});

test.each([
  ['its session', { sid: 'one' }, ['one']],
  ['its user', { user: 'bob' }, ['two']],
  ['its server', { host: 'web-1' }, ['three']],
  ['its label', { label: 'env=prod' }, ['four']],
  ['both of two', { user: 'bob', host: 'web-1' }, []],
] as const)('what is held by %s stays until it is released', async (_what, on, stays) => {
  const { retention, left, noted } = rig(
    {
      one: { daysAgo: 99 },
      two: { daysAgo: 99, user: 'bob' },
      three: { daysAgo: 99, host: 'web-1' },
      four: { daysAgo: 99, env: 'prod' },
    },
    { keepMs: DAY_MS },
  );
  const { id } = await retention.hold(on, 'case 7', 'system:root');
  expect((await retention.expire(false)).held).toBe(stays.length);
  expect(left()).toEqual(stays);
  expect(await retention.holds()).toMatchObject([{ on, why: 'case 7', by: 'system:root' }]);
  for (const sid of ['one', 'two', 'three', 'four'])
    expect(await retention.on(sid), sid).toHaveLength(stays.includes(sid as never) ? 1 : 0);
  await retention.release(id, 'closed', 'system:ann');
  await retention.expire(false);
  expect(left()).toEqual([]);
  expect(noted.filter(({ code }) => code !== 'TPR01I')).toMatchObject([
    { code: 'TPR02I', user: 'system:root', reason: 'case 7' },
    { code: 'TPR03I', user: 'system:ann', reason: 'closed' },
  ]);
});

test.each([{ host: 'db-3' }, { label: 'env=prod' }])(
  'a hold that could be on a recording nobody knows is on it',
  async on => {
    const { retention, left } = rig({ lost: { daysAgo: 99, lost: true } }, { keepMs: DAY_MS });
    await retention.hold(on, 'case 8', 'system:root');
    await retention.expire(false);
    expect(left()).toEqual(['lost']);
  },
);

test('a hold on nothing, and the end of one that is not there, are refused', async () => {
  const { retention } = rig({}, {});
  await expect(retention.hold({}, 'why', 'me')).rejects.toMatchObject({ code: 'bad_request' });
  await expect(retention.release('x', 'why', 'me')).rejects.toMatchObject({ code: 'not_found' });
});
