import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { type Audit, createAuditLog, FIELD_MOST_CHARACTERS } from './audit.ts';

const now = new Date('2026-03-04T05:06:07.089Z');
let folder: string;
let store: Store;
let audit: Audit;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-audit-'));
  store = await openStore({ kind: 'sqlite', folder });
  audit = createAuditLog({ events: store.events, users: store.users, clusterName: 'here', clock: () => now });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const kept = async () =>
  (await audit.search({ from: new Date(0), to: new Date('2100-01-01'), limit: 1000, types: [], descending: false }))
    .events;

test('an event carries its type, uid, time and cluster beside its own fields', async () => {
  await audit.emit({
    code: 'T1000W',
    user: 'ann',
    success: false,
    error: 'invalid credentials',
    'addr.remote': '10.0.0.1:5',
  });
  expect(await kept()).toEqual([
    {
      code: 'T1000W',
      event: 'user.login',
      time: '2026-03-04T05:06:07.089Z',
      // Version 7: it goes up with time.
      uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}$/),
      ei: 0,
      cluster_name: 'here',
      user: 'ann',
      success: false,
      error: 'invalid credentials',
      'addr.remote': '10.0.0.1:5',
    },
  ]);
});

test('what every event carries cannot be overwritten by a field', async () => {
  await audit.emit({ code: 'T1005I', event: 'fake', uid: 'fake', time: 'fake', cluster_name: 'fake', ei: 7 });
  expect((await kept())[0]).toMatchObject({
    event: 'user.password_change',
    time: now.toISOString(),
    cluster_name: 'here',
    ei: 0,
  });
});

test('events of a session are numbered, each session for itself', async () => {
  for (const [code, sid] of [
    ['T2000I', 'a'],
    ['T2001I', 'a'],
    ['T2000I', 'b'],
    ['T2004I', 'a'],
    ['T1005I', ''],
  ] as const)
    await audit.emit({ code, sid });
  expect((await kept()).map(({ sid, ei }) => [sid, ei])).toEqual([
    ['a', 0],
    ['a', 1],
    ['b', 0],
    ['a', 2],
    [undefined, 0],
  ]);
});

test('an event that tells the end of an earlier process may say its number itself', async () => {
  const sid = randomUUID();
  await audit.emit({ code: 'T2000I', sid, user: 'ann' });
  await audit.emit({ code: 'T2004I', sid, user: 'ann', ei: 9 });
  expect((await kept()).map(event => event.ei).sort()).toEqual([0, 9]);
});

test('a code that is not in the catalogue is a mistake', async () => {
  await expect(audit.emit({ code: 'T9999I' })).rejects.toThrow('audit code T9999I is not in the catalogue');
  expect(await kept()).toEqual([]);
});

test('empty fields are left out; zero and false are not empty', async () => {
  await audit.emit({
    code: 'T1005I',
    a: '',
    b: null,
    c: undefined,
    d: [],
    e: {},
    f: { g: '' },
    zero: 0,
    no: false,
    list: ['', 'x'],
  });
  const [event] = await kept();
  expect(Object.keys(event ?? {}).sort()).toEqual([
    'cluster_name',
    'code',
    'ei',
    'event',
    'list',
    'no',
    'time',
    'uid',
    'zero',
  ]);
  expect(event?.list).toEqual(['x']);
});

test('a name that means something to objects is a name like any other, also beside what is left out', async () => {
  const labels = JSON.parse('{ "__proto__": "a", "constructor": "b" }') as Record<string, string>;
  await audit.emit({ code: 'T1005I', whole: labels, part: { ...labels, none: '' } });
  const [event] = await kept();
  expect([event?.whole, event?.part].map(one => Object.entries(one ?? {}))).toEqual(
    Array(2).fill([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]),
  );
});

test('texts, lists and depth are bounded, and so is the whole event', async () => {
  let deep: unknown = 'bottom';
  for (let level = 0; level < 50; level++) deep = { deep };
  await audit.emit({
    code: 'T1005I',
    long: 'x'.repeat(100_000),
    many: Array.from({ length: 5000 }, (_, at) => at),
    deep,
  });
  const [event] = await kept();
  expect(String(event?.long).length).toBe(FIELD_MOST_CHARACTERS + 1);
  expect(event?.many).toHaveLength(1000);
  expect(JSON.stringify(event?.deep ?? '')).not.toContain('bottom');
  await audit.emit({
    code: 'T1005I',
    ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field${at}`, 'x'.repeat(60_000)])),
  });
  expect(JSON.stringify((await kept())[1]).length).toBeLessThan(20_000);
  expect((await kept())[1]?.truncated).toBe(true);
});

test('any field can be kept', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(
        fc.string({ maxLength: 8 }),
        fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withMap: true }),
      ),
      async fields => {
        await audit.emit({ ...fields, code: 'T1005I' });
      },
    ),
    { numRuns: 100 },
  );
  expect(await store.events.verify()).toBeNull();
});
