import { expect, test } from 'vitest';
import type { AuditEvent } from '../../contract/audit.ts';
import { ApiError } from '../../contract/failure.ts';
import { dateTime, durationText, untilText } from '../../features/times.ts';
import { arriving } from './console/arriving.ts';
import { databaseType } from './databases/type.ts';
import { createEvents } from './events.ts';
import {
  askedOf,
  faultAt,
  narrowedTo,
  readListQuery,
  readRow,
  withLabel,
  writeListQuery,
  writeRow,
} from './list-query.ts';
import { signInRefused } from './login/refused.ts';
import { bounds, readRange, writeRange } from './range.ts';
import { recordingOf } from './recordings/recording.ts';
import { arranged, pagesOfWhole } from './whole.ts';

const first = { key: 'hostname', down: false };

test('a filtered list is a link: what was written into the URL is read back', () => {
  const states = [
    { text: '', isAdvanced: false, sort: first },
    { text: 'db', isAdvanced: false, sort: { key: 'hostname', down: true } },
    { text: 'name == "a b&c"', isAdvanced: true, sort: first },
  ];
  for (const state of states) {
    const query = Object.fromEntries(
      Object.entries(writeListQuery(state, first)).filter((entry): entry is [string, string] => Boolean(entry[1])),
    );
    expect(readListQuery(query, first)).toEqual(state);
  }
});

test('a malformed sort in the URL counts as absent', () => {
  for (const sort of ['', 'hostname', 'hostname:up', ':asc', 'a b:asc', `${'x'.repeat(40)}:asc`])
    expect(readListQuery({ sort }, first).sort).toEqual(first);
});

test('plain words search, a predicate queries', () => {
  expect(askedOf({ text: 'db', isAdvanced: false, sort: first })).toEqual({ sort: 'hostname:asc', search: 'db' });
  expect(askedOf({ text: 'x', isAdvanced: true, sort: { key: 'a', down: true } })).toEqual({
    sort: 'a:desc',
    query: 'x',
  });
});

test('a clicked label is added to the predicate once, quoted', () => {
  const label = { name: 'e"nv', value: 'pr\\od' };
  const once = withLabel('', label);
  expect(once).toBe('labels["e\\"nv"] == "pr\\\\od"');
  expect(withLabel(once, label)).toBe(once);
  expect(withLabel('name == "x"', { name: 'a', value: 'b' })).toBe('name == "x" && labels["a"] == "b"');
});

const rows = [
  { name: 'db-10', size: 3 },
  { name: 'db-2', size: 20 },
  { name: 'Web', size: 3 },
];
const searched = {
  words: (row: { name: string }) => row.name,
  sortBy: (row: { name: string; size: number }, key: string) => (key === 'size' ? row.size : row.name),
};

test('a list that came whole is found by every word and sorted as people count', () => {
  expect(arranged(rows, 'DB', { key: 'name', down: false }, searched).map(row => row.name)).toEqual(['db-2', 'db-10']);
  expect(arranged(rows, 'd 2', undefined, searched).map(row => row.name)).toEqual(['db-2']);
  expect(arranged(rows, '', { key: 'size', down: true }, searched).map(row => row.name)).toEqual([
    'db-2',
    'db-10',
    'Web',
  ]);
});

test('a list that came whole is handed out in pages, and asked for again only when it is asked anew', async () => {
  let times = 0;
  const fetchPage = pagesOfWhole(() => {
    times += 1;
    return Promise.resolve(rows);
  }, searched);
  const names = async (asked: Partial<Parameters<typeof fetchPage>[0]>, isFresh = false) => {
    const page = await fetchPage({ limit: 2, ...asked }, isFresh);
    return [page.items.map(row => row.name), page.startKey, page.totalCount];
  };
  expect(await names({ sort: 'name:asc' })).toEqual([['db-2', 'db-10'], '2', 3]);
  expect(await names({ sort: 'name:asc', startKey: '2' })).toEqual([['Web'], '', 3]);
  expect(await names({ sort: 'name:asc', offset: 1 })).toEqual([['db-10', 'Web'], '', 3]);
  expect(await names({ search: 'web' })).toEqual([['Web'], '', 1]);
  expect(times).toBe(1);
  await names({}, true);
  expect(times).toBe(2);
});

test('fetching more keeps the range and adds to what is there; another range starts anew', async () => {
  const asked: unknown[] = [];
  const event = (uid: string): AuditEvent => ({ uid, event: 'user.login', code: 'T1000I', time: '' });
  const { state, load, more } = createEvents(async query => {
    asked.push(query);
    return { events: [event(query.startKey ?? query.from)], startKey: query.startKey === undefined ? 'k' : '' };
  });
  await load({ from: 'a', to: 'b' });
  await more();
  await more();
  expect(state.events.map(one => one.uid)).toEqual(['a', 'k']);
  expect(asked).toEqual([
    { from: 'a', to: 'b' },
    { from: 'a', to: 'b', startKey: 'k' },
  ]);
  await load({ from: 'c', to: 'd' });
  expect(state.events.map(one => one.uid)).toEqual(['c']);
});

test('an answer for an older range is dropped', async () => {
  const waits: (() => void)[] = [];
  const { state, load } = createEvents(
    ({ from }) =>
      new Promise(resolve =>
        waits.push(() => resolve({ events: [{ uid: from, event: 'e', code: 'c', time: '' }], startKey: '' })),
      ),
  );
  const both = [load({ from: 'old', to: '' }), load({ from: 'new', to: '' })];
  waits[1]?.();
  waits[0]?.();
  await Promise.all(both);
  expect(state.events.map(one => one.uid)).toEqual(['new']);
});

test('a range is read from the URL, and nonsense is seven days', () => {
  expect(readRange({ range: 'today' })).toEqual({ kind: 'today' });
  expect(readRange({ from: '2026-01-02', to: '2026-01-03' })).toEqual({
    kind: 'custom',
    from: '2026-01-02',
    to: '2026-01-03',
  });
  for (const query of [
    {},
    { range: 'x' },
    { from: '2026-01-03', to: '2026-01-02' },
    { from: '2026-99-99', to: '2026-99-99' },
    { from: '2026-01-01' },
  ])
    expect(readRange(query)).toEqual({ kind: 'week' });
  expect(writeRange({ kind: 'week' })).toEqual({ range: undefined, from: undefined, to: undefined });
});

test('today is from midnight, seven days are whole, a custom range ends with its last day', () => {
  const now = new Date(2026, 4, 20, 15, 30);
  const day = (time: string): number[] => [
    new Date(time).getDate(),
    new Date(time).getHours(),
    new Date(time).getMinutes(),
  ];
  expect(day(bounds({ kind: 'today' }, now).from)).toEqual([20, 0, 0]);
  expect(Date.parse(bounds({ kind: 'week' }, now).to) - Date.parse(bounds({ kind: 'week' }, now).from)).toBe(
    7 * 86_400_000,
  );
  const custom = bounds({ kind: 'custom', from: '2026-05-01', to: '2026-05-02' }, now);
  expect([day(custom.from), day(custom.to)]).toEqual([
    [1, 0, 0],
    [2, 23, 59],
  ]);
});

test('times are UTC, lengths have two units', () => {
  expect([dateTime('2026-05-20T01:02:03.999+02:00'), dateTime('nonsense')]).toEqual([
    '2026-05-19 23:02:03',
    'nonsense',
  ]);
  expect([0, 59_400, 60_000, 61_000, 3_600_000, 3_900_000, 90_000_000, 86_400_000].map(durationText)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '1 min 1 s',
    '1 h',
    '1 h 5 min',
    '1 d 1 h',
    '1 d',
  ]);
});

// Rule 4: what can be played, and what is said of what cannot
test('a recording says who, where, how long, and why it cannot be played', () => {
  const end = {
    event: 'session.end',
    code: 'T2004I',
    time: '2026-01-01T00:01:00Z',
    uid: '1',
    user: 'a',
    sid: 's',
    server_hostname: 'db-3',
    interactive: true,
    participants: ['a', 'b', 5],
    session_start: '2026-01-01T00:00:00Z',
    session_stop: '2026-01-01T00:01:00Z',
  };
  expect(recordingOf(end)).toMatchObject({
    sid: 's',
    hostname: 'db-3',
    users: 'a, b',
    durationMs: 60_000,
    created: '2026-01-01T00:00:00Z',
    type: 'ssh',
    refused: undefined,
  });
  expect(recordingOf({ ...end, session_start: undefined })?.created).toBe(end.time);
  expect(recordingOf({ ...end, interactive: false })?.refused).toBe('This session was not interactive');
  expect(recordingOf({ ...end, session_recording: 'off' })?.refused).toBe('This session was not recorded');
  expect(recordingOf({ ...end, sid: 7 })).toBeNull();
});

test('a console address means a new session, a session to join, or the terminals there are', () => {
  expect(arriving('consoleConnect', { serverId: 'n', login: 'root' }, {})).toEqual({ serverId: 'n', login: 'root' });
  expect(arriving('consoleSession', { sid: 's' }, { mode: 'observer' })).toEqual({ sid: 's', mode: 'observer' });
  expect(arriving('consoleSession', { sid: 's' }, { mode: 'root' })).toEqual({ sid: 's' });
  expect(arriving('console', {}, {})).toBeNull();
});

// Rule 3.4: a database has a readable title for its type
test.each([
  ['rds', 'postgres', 'Amazon RDS PostgreSQL'],
  ['self-hosted', 'mysql', 'Self-hosted MySQL/MariaDB'],
  ['redshift', 'postgres', 'Amazon Redshift'],
  ['self-hosted', 'snowflake', 'Snowflake'],
  ['gcp', 'sqlserver', 'Cloud SQL SQL Server'],
  ['azure', 'redis', 'Azure Redis'],
  ['odd', 'other', 'odd other'],
])('a %s database with %s is called %s', (type, protocol, name) => expect(databaseType(type, protocol)).toBe(name));

test('the sign-in form says what the gateway said', () => {
  expect(signInRefused(new ApiError('denied', 'invalid credentials'))).toBe('invalid credentials');
  expect(signInRefused(new ApiError('network'))).toContain('Network request failed');
});

test('a row in the middle of a list is a link; the first one needs none, and another question begins at it', () => {
  expect(readRow({ row: '31' })).toBe(30);
  for (const query of [{}, { row: '0' }, { row: 'x' }, { row: '-3' }]) expect(readRow(query)).toBe(0);
  expect(writeRow(30)).toEqual({ row: '31' });
  expect(writeRow(0)).toEqual({ row: undefined });
  expect(writeListQuery({ text: 'a', isAdvanced: false, sort: first }, first)).toHaveProperty('row', undefined);
});

test('a list narrowed to names keeps its own predicate whole, and never asks more than the gateway reads', () => {
  expect(narrowedTo({ query: 'a || b', sort: 'x:asc' }, ['n"1', 'n2'])).toEqual({
    query: '(a || b) && (resource.metadata.name == "n\\"1" || resource.metadata.name == "n2")',
    sort: 'x:asc',
  });
  const many = Array.from({ length: 500 }, (_, at) => `server-${at}`);
  expect(narrowedTo({}, many).query?.length).toBeLessThanOrEqual(4096);
});

test('the place of a fault is read from the answer', () => {
  expect(faultAt('failed to parse predicate expression: unexpected "=" (character 8)')).toBe(7);
  expect(faultAt('failed to parse predicate expression')).toBeUndefined();
});

test('a lifetime is said in the largest unit that is still exact enough', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const until = (ms: number) => untilText(new Date(now.getTime() + ms).toISOString(), now);
  expect([
    until(3_600_000),
    until(8 * 3_600_000),
    until(72 * 3_600_000),
    until(60_000),
    until(-5),
    untilText('x', now),
  ]).toEqual(['60 minutes', '8 hours', '3 days', '1 minute', 'less than a minute', 'less than a minute']);
});

test('a live log puts what is new above the rest, once', async () => {
  const event = (uid: string): AuditEvent => ({
    uid,
    event: 'user.login',
    code: 'T1000I',
    time: `2026-01-0${uid}T00:00:00Z`,
  });
  const asked: unknown[] = [];
  const { state, load, tail } = createEvents(async query => {
    asked.push(query);
    return { events: asked.length === 1 ? [event('2'), event('1')] : [event('3'), event('2')], startKey: '' };
  });
  await load({ from: 'a', to: 'b' });
  await tail(new Date('2026-01-09T00:00:00Z'));
  await tail(new Date('2026-01-09T00:00:00Z'));
  expect(state.events.map(one => one.uid)).toEqual(['3', '2', '1']);
  expect(asked[1]).toEqual({ from: '2026-01-02T00:00:00Z', to: '2026-01-09T00:00:00.000Z' });
});

test('what has happened while a list was being asked for is put above it as soon as that is answered', async () => {
  const event = (uid: string): AuditEvent => ({
    uid,
    event: 'session.end',
    code: 'T2004I',
    time: `2026-01-0${uid}T00:00:00Z`,
  });
  const first = Promise.withResolvers<void>();
  let asked = 0;
  const { state, load, tail } = createEvents(async () => {
    asked += 1;
    if (asked > 1) return { events: [event('2')], startKey: '' };
    await first.promise;
    return { events: [event('1')], startKey: '' };
  });
  const loaded = load({ from: 'a', to: 'b' });
  await tail(new Date('2026-01-09T00:00:00Z'));
  first.resolve();
  await loaded;
  expect(state.events.map(one => one.uid)).toEqual(['2', '1']);
});
