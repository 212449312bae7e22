// What a session in a database records and notes of its statements, without a database.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DatabaseTarget } from '../../ports/databases.ts';
import type { Told } from '../../ports/recordings.ts';
import { person } from './sessions.testing.ts';
import { createStatements } from './statements.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function rig() {
  const told: Told[] = [];
  const noted: Readonly<Record<string, unknown>>[] = [];
  const who = person('ann');
  const statements = createStatements({
    sid: 's',
    who,
    databaseAudit: {
      noteMade: async () => undefined,
      start: async () => undefined,
      note: (code, fields) => void noted.push({ code, ...fields }),
      uses: () => undefined,
      hasRoom: true,
      onRoom: () => undefined,
      onLost: () => undefined,
      end: async () => undefined,
    },
    reviews: { ask: () => Promise.reject(new Error('nothing is asked')) as never },
    life: { over: false, active: () => undefined, end: async () => undefined, done: new Promise(() => undefined) },
    rights: () => who.rights,
    record: one => void told.push(one),
    report: () => undefined,
    gone: () => undefined,
    database: { name: 'orders', protocol: 'postgres', labels: {} } as unknown as DatabaseTarget,
    dbUser: 'app',
    dbName: 'orders',
  });
  return { told, noted, statements };
}

test('the audit log lists the parameters of an execution without their values, of very many their number, and the recording counts them', () => {
  const { told, noted, statements } = rig();
  statements.begun('select $1, $2', null, null, 2);
  statements.failed('select $1, $2', 'no', 2);
  statements.begun('insert', null, null, 65_535);
  statements.begun('select 1');
  expect(noted.map(({ db_query_parameters }) => db_query_parameters)).toEqual([
    ['?', '?'],
    ['?', '?'],
    [...Array.from({ length: 100 }, () => '?'), '… 65535 in all'],
    undefined,
  ]);
  expect(told.filter(({ kind }) => kind === 'statement')).toEqual([
    { kind: 'statement', text: 'select $1, $2', parameters: 2 },
    { kind: 'statement', text: 'insert', parameters: 65_535 },
    { kind: 'statement', text: 'select 1' },
  ]);
});

test('a statement that takes its time is told to go on with its rows so far, ever less often, in the recording and in lists', () => {
  const { told, statements } = rig();
  let rows = 0;
  statements.counted(() => rows);
  statements.begun('select 1');
  statements.answered('select 1', 1);
  vi.advanceTimersByTime(5000);
  statements.begun('copy t to stdout');
  expect(statements.last).toBe('copy t to stdout');
  for (; rows < 100; rows += 1) vi.advanceTimersByTime(1000);
  const progress = told.filter(one => one.kind === 'progress');
  expect(progress.map(one => one.statement)).toEqual(progress.map(() => 1));
  const counts = progress.map(one => one.rows ?? 0);
  expect(counts.length).toBeGreaterThan(1);
  expect(counts.length).toBeLessThan(5);
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  expect(statements.last).toBe('copy t to stdout (goes on for 100 s, 100 rows so far)');
  statements.answered('copy t to stdout', 100);
  const before = told.length;
  vi.advanceTimersByTime(1_000_000);
  expect(told).toHaveLength(before);
  expect(statements.last).toBe('copy t to stdout');
});
