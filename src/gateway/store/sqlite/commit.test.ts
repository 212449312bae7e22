// Group commit: one batch's failure is its own, unless the disk has ended the whole transaction.
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createCommit } from './commit.ts';
import type { Outcome } from './protocol.ts';

const put = (key: string, value = '') => ({
  sql: 'INSERT INTO kept (key, value) VALUES (?, ?)',
  parameters: [key, value],
});

function open() {
  const database = new SQLite(':memory:');
  database.exec('CREATE TABLE kept (key text PRIMARY KEY, value text)');
  return {
    database,
    commit: createCommit(database),
    keys: () => database.prepare('SELECT key FROM kept ORDER BY key').pluck().all(),
  };
}
const kinds = (outcomes: readonly Outcome[]) => outcomes.map(({ kind }) => kind);

test('a batch that fails undoes itself alone, wherever it stands in the group', () => {
  for (const bad of [0, 1, 2]) {
    const { commit, keys } = open();
    const group = [0, 1, 2].map(index => [put(`${index}-a`), put(index === bad ? `${index}-a` : `${index}-b`)]);
    expect(kinds(commit(group))).toEqual([0, 1, 2].map(index => (index === bad ? 'failed' : 'done')));
    expect(keys()).toEqual([0, 1, 2].flatMap(index => (index === bad ? [] : [`${index}-a`, `${index}-b`])));
  }
});

test('a lone batch is all or nothing, and the next group is not harmed', () => {
  const { commit, keys } = open();
  expect(commit([[put('a'), put('a')]])).toEqual([
    { kind: 'failed', code: 'SQLITE_CONSTRAINT_PRIMARYKEY', message: 'UNIQUE constraint failed: kept.key' },
  ]);
  expect(commit([[{ sql: 'NOT SQL', parameters: [] }]])).toMatchObject([{ kind: 'failed', code: 'SQLITE_ERROR' }]);
  expect(kinds(commit([[put('a')]]))).toEqual(['done']);
  expect(keys()).toEqual(['a']);
});

test('when the disk is full nobody is told that something was kept which was not', () => {
  const { database, commit, keys } = open();
  database.pragma('max_page_count = 20');
  const group = Array.from({ length: 10 }, (_, index) => [
    put(`${index}`, index === 5 ? 'x'.repeat(200_000) : 'small'),
  ]);
  const outcomes = commit(group);
  expect(outcomes[5]).toMatchObject({ kind: 'failed', code: 'SQLITE_FULL' });
  expect(keys()).toEqual(outcomes.flatMap(({ kind }, index) => (kind === 'done' ? [`${index}`] : [])));
  expect(kinds(commit([[put('after')]]))).toEqual(['done']);
});

test('rows and numbers of changes come back per statement', () => {
  const { commit } = open();
  const outcomes = commit([
    [
      put('a', '1'),
      { sql: 'UPDATE kept SET value = ? WHERE key = ? RETURNING key, value', parameters: ['2', 'a'] },
      { sql: 'DELETE FROM kept', parameters: [] },
    ],
  ]);
  expect(outcomes).toEqual([
    {
      kind: 'done',
      answers: [
        { rows: [], changes: 1 },
        { rows: [{ key: 'a', value: '2' }], changes: 1 },
        { rows: [], changes: 1 },
      ],
    },
  ]);
});
