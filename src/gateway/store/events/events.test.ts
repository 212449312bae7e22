// The audit log on both engines: appended in order, found again, and any change noticed.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StorePlace } from '../open.ts';
import { onBothEngines, runSql } from '../store.testing.ts';
import type { EventQuery, Events, StoredEvent } from '../store.ts';

const begin = Date.UTC(2026, 0, 1);
const event = (second: number, more: Partial<StoredEvent> = {}): StoredEvent => {
  const uid = more.uid ?? randomUUID();
  const base = {
    uid,
    time: new Date(begin + second * 1000),
    type: 'user.login',
    code: 'T1000I',
    user: 'alice',
    sid: '',
    ...more,
  };
  return {
    ...base,
    raw: { uid, time: base.time.toISOString(), event: base.type, code: base.code, user: base.user, ...more.raw },
  };
};
const range: EventQuery = {
  from: new Date(begin),
  to: new Date(begin + 86_400_000),
  limit: 100,
  types: [],
  descending: false,
};
const uids = (found: { readonly events: readonly StoredEvent[] }) => found.events.map(({ uid }) => uid);

async function walk(events: Events, query: EventQuery, limits: readonly number[]): Promise<string[]> {
  const all: string[] = [];
  let startKey = '';
  for (let page = 0; ; page++) {
    const answer = await events.search({ ...query, startKey, limit: limits[page % limits.length] ?? 3 });
    all.push(...uids(answer));
    if (answer.startKey === '') return all;
    startKey = answer.startKey;
  }
}

/** Changes the database past the store, as someone with access to its files could. */
async function tamper(place: StorePlace, statement: string): Promise<void> {
  if (place.kind === 'postgres')
    return runSql(
      place.url,
      'ALTER TABLE events DISABLE TRIGGER USER',
      statement.replaceAll('instr(', 'strpos('),
      'ALTER TABLE events ENABLE TRIGGER USER',
    );
  const database = new SQLite(join(place.folder, 'postern.db'));
  database.exec('DROP TRIGGER events_not_changed; DROP TRIGGER events_not_deleted;');
  database.exec(statement);
  database.close();
}

onBothEngines(({ open, place }) => {
  test('events are counted by slices of time, in each at most so many as are looked at', async () => {
    const { events } = await open();
    for (const [second, type, user] of [
      [0, 'user.login', 'alice'],
      [9, 'session.start', 'bob'],
      [10, 'user.login', 'bob'],
      [10, 'user.login', 'alice'],
      [29, 'session.end', 'alice'],
    ] as const)
      await events.append(event(second, { type, user, raw: { note: `by ${user}` } }));
    const times = { from: new Date(begin), to: new Date(begin + 29_999), types: [] };
    const counts = async (more: object = {}) =>
      (await events.count({ ...times, ...more }, 3)).map(({ count }) => count);
    expect(await counts()).toEqual([2, 2, 1]);
    expect(await counts({ types: ['user.login', 'session.end'] })).toEqual([1, 2, 1]);
    expect(await counts({ except: ['user.login'] })).toEqual([1, 0, 1]);
    expect(await counts({ participant: 'bob' })).toEqual([1, 1, 0]);
    expect(await counts({ participant: 'bob', types: ['user.login'], search: 'by bob' })).toEqual([0, 1, 0]);
    expect(await counts({ search: 'alice' })).toEqual([1, 1, 1]);
    await Promise.all(Array.from({ length: 201 }, () => events.append(event(15, { raw: { note: 'many' } }))));
    expect((await events.count({ ...times, search: 'many' }, 3))[1]).toEqual({ count: 198, isPart: true });
    expect((await events.count(times, 3))[1]).toEqual({ count: 203, isPart: false });
  });

  test('an event comes back as it was, keys sorted, whatever text it holds', async () => {
    const { events } = await open();
    const odd = event(1, {
      user: 'nul \0 in name',
      raw: { z: 'ü "quoted" \\ \0 \ud800', a: { y: [3, { d: 1, c: null }], x: true } },
    });
    await events.append(odd);
    const [found] = (await events.search(range)).events;
    expect(found?.raw).toEqual(odd.raw);
    expect(Object.keys(found?.raw ?? {})).toEqual(Object.keys(odd.raw).sort());
    expect(found).toMatchObject({
      uid: odd.uid,
      time: odd.time,
      type: odd.type,
      code: odd.code,
      user: 'nul \ufffd in name',
    });
    expect(await events.verify()).toBeNull();
  });

  test('paging in any steps, both ways, yields every event of the range once, also those of the same moment', async () => {
    const { events } = await open();
    const kept = Array.from({ length: 60 }, (_, index) =>
      event((index * 7) % 13, {
        type: index % 3 ? 'user.login' : 'session.start',
        user: index % 2 ? 'alice' : 'bob',
        raw: index % 5 ? {} : { participants: ['carol', 'alice', 7] },
      }),
    );
    for (const item of kept) await events.append(item);
    const model = (query: EventQuery) => {
      const takesPart = ({ user, raw }: StoredEvent) =>
        user === query.participant || (raw.participants as string[] | undefined)?.includes(query.participant ?? '');
      const found = kept
        .map((item, index) => ({ item, index }))
        .filter(
          ({ item }) =>
            item.time >= query.from &&
            item.time <= query.to &&
            (query.types.length === 0 || query.types.includes(item.type)) &&
            query.except?.includes(item.type) !== true &&
            (query.participant === undefined || takesPart(item)),
        )
        .sort((a, b) => a.item.time.getTime() - b.item.time.getTime() || a.index - b.index)
        .map(({ item }) => item.uid);
      return query.descending ? found.reverse() : found;
    };
    const query = fc.record({
      from: fc.integer({ min: 0, max: 14 }).map(second => new Date(begin + second * 1000)),
      to: fc.integer({ min: 0, max: 14 }).map(second => new Date(begin + second * 1000)),
      limit: fc.constant(1),
      descending: fc.boolean(),
      types: fc.subarray(['user.login', 'session.start', 'none']),
      except: fc.subarray(['user.login', 'session.end', 'none']),
      participant: fc.constantFrom(undefined, 'alice', 'bob', 'carol', 'nobody'),
    });
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 }),
        async ({ participant, ...rest }, limits) => {
          const wanted: EventQuery = { ...rest, ...(participant === undefined ? {} : { participant }) };
          expect(await walk(events, wanted, limits)).toEqual(model(wanted));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('words must all stand in the event, in any case', async () => {
    const { events } = await open();
    const one = event(1, { raw: { server: 'HOST-3.example.com', path: 'C:\\temp', note: 'Ärger 100%' } });
    const two = event(2, { raw: { server: 'host-4.example.com', note: 'say "hi" now' } });
    for (const item of [one, two]) await events.append(item);
    const found = async (search: string) => uids(await events.search({ ...range, search }));
    // An id has digits, hyphens and the letters up to f: no word may be one that an id could hold.
    expect(await found('host-3')).toEqual([one.uid]);
    expect(await found('EXAMPLE host')).toEqual([one.uid, two.uid]);
    expect(await found('ärger')).toEqual([one.uid]);
    expect(await found('c:\\TEMP')).toEqual([one.uid]);
    expect(await found('100%')).toEqual([one.uid]);
    expect(await found('t_3')).toEqual([]);
    expect(await found('host-3 host-4')).toEqual([]);
    expect(await found('"say \\"')).toEqual([]);
  });

  test('start keys that nobody made and limits out of range are refused', async () => {
    const { events } = await open();
    for (const startKey of [
      'x',
      '%',
      'MQ',
      `${Buffer.from('1.2').toString('base64url')}.`,
      Buffer.from('1.2; DROP').toString('base64url'),
      'A'.repeat(500),
    ])
      await expect(events.search({ ...range, startKey })).rejects.toMatchObject({
        code: 'bad_request',
        fields: { startKey: expect.any(String) },
      });
    for (const limit of [0, 10_001, 1.5])
      await expect(events.search({ ...range, limit })).rejects.toMatchObject({ code: 'bad_request' });
  });

  test('the end of a session is found, and no other event of it', async () => {
    const { events } = await open();
    const sid = randomUUID();
    await events.append(event(1, { type: 'session.start', sid }));
    expect(await events.endOf(sid)).toBeNull();
    const end = event(2, { type: 'session.end', code: 'T2004I', sid });
    await events.append(end);
    expect(await events.endOf(sid)).toEqual(end);
    expect(await events.endOf('')).toBeNull();
    expect(await events.uploadOf(sid)).toBeNull();
    const upload = event(3, { type: 'session.upload', code: 'T2005I', sid });
    await events.append(upload);
    expect([await events.uploadOf(sid), await events.endOf(sid)]).toEqual([upload, end]);
    expect([await events.lastIndexOf(sid), await events.lastIndexOf(''), await events.lastIndexOf('none')]).toEqual([
      -1, -1, -1,
    ]);
    await events.append(event(4, { type: 'session.join', sid, raw: { ei: 7 } }));
    await events.append(event(5, { type: 'session.leave', sid, raw: { ei: 6 } }));
    expect(await events.lastIndexOf(sid)).toBe(7);
  });

  test('many writers at once keep one unbroken chain, and an event that is refused harms no other', async () => {
    const { events } = await open();
    const twice = event(0, { uid: 'twice' });
    await events.append(twice);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, index) => events.append(index % 50 === 7 ? twice : event(index))),
    );
    expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([
      7, 57, 107, 157, 207, 257,
    ]);
    expect(uids(await events.search({ ...range, limit: 1000 }))).toHaveLength(295);
    expect(await events.verify()).toBeNull();
  });

  test('the chain goes on after closing and opening again', async () => {
    const where = await place();
    for (let start = 0; start < 3; start++) {
      const store = await open({}, where);
      await Promise.all([store.events.append(event(start)), store.events.append(event(start))]);
      expect(await store.events.verify()).toBeNull();
      await store.close();
    }
    const { events } = await open({}, where);
    expect(uids(await events.search(range))).toHaveLength(6);
  });

  test('what was asked to be kept before closing is kept', async () => {
    const where = await place();
    const first = await open({}, where);
    const appends = Array.from({ length: 20 }, (_, index) => first.events.append(event(index)));
    await first.close();
    await Promise.all(appends);
    const { events } = await open({}, where);
    expect(uids(await events.search(range))).toHaveLength(20);
  });

  test.each([
    [
      'a flipped byte',
      'UPDATE events SET raw = replace(raw, \'"alice"\', \'"alicf"\') WHERE position = 5',
      5,
      'does not match',
    ],
    ['a column that says otherwise', "UPDATE events SET user_name = 'bob' WHERE position = 5", 5, 'does not match'],
    ['a moved time', 'UPDATE events SET time = time + 1 WHERE position = 1', 1, 'does not match'],
    [
      'a deleted event',
      'DELETE FROM event_participants WHERE seq = 5; DELETE FROM events WHERE position = 5',
      6,
      'missing',
    ],
    [
      'a deleted end',
      'DELETE FROM event_participants WHERE seq > 7; DELETE FROM events WHERE position > 7',
      7,
      '3 events after it are missing',
    ],
    ['a changed hash', 'UPDATE events SET hash = upper(hash) WHERE position = 10', 10, 'does not match'],
    ['a changed head', "UPDATE event_chains SET hash = 'x'", 10, 'not the event that the chain ended with'],
    ['a forgotten chain', 'DELETE FROM event_chains', 1, 'not known'],
  ])('%s is found', async (_what, statement, seq, problem) => {
    const where = await place();
    const store = await open({}, where);
    for (let index = 0; index < 10; index++) await store.events.append(event(index));
    expect(await store.events.verify()).toBeNull();
    await tamper(where, statement);
    expect(await store.events.verify()).toEqual({ seq, problem: expect.stringContaining(problem) });
  });

  test('the database itself refuses to change or delete events', async () => {
    const where = await place();
    const store = await open({}, where);
    await store.events.append(event(1));
    for (const statement of [
      "UPDATE events SET user_name = 'bob'",
      'DELETE FROM event_participants; DELETE FROM events',
    ]) {
      const attempt = async () => {
        if (where.kind === 'postgres') return runSql(where.url, statement);
        const database = new SQLite(join(where.folder, 'postern.db'));
        try {
          database.exec(statement);
        } finally {
          database.close();
        }
      };
      await expect(attempt()).rejects.toThrow('only appended to');
    }
  });
});
