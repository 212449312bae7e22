import { expect, test } from 'vitest';
import { begun, completed, written } from './complete.ts';
import { commandById, commands } from './index.ts';
import { readWhole } from './read.ts';
import { factsWith } from './tools.testing.ts';

const row = (id: string) => {
  const found = commandById(id);
  if (found === undefined) throw new Error(`There is no command ${id}`);
  return found;
};

test.each([
  ['shell.open', { server: 'db-3' }, 'ssh db', 'ssh db-3'],
  ['shell.open', { server: 'db-3', login: 'root' }, 'ssh root@d', 'ssh root@db-3'],
  ['shell.open', { server: 'db-3' }, 'shell open d', 'shell open db-3'],
  ['users.reset', { user: 'bob' }, 'users reset b', 'users reset bob'],
  ['servers.remove', { server: 'a b"c' }, 'servers.remove a', 'servers remove "a b\\"c"'],
])('%s with %j, begun as %j, is written %j', (id, answers, typed, line) => {
  expect(written(row(id), answers, typed)).toBe(line);
});

test('a line that was written is read as the same answers', () => {
  for (const answers of [{ server: 'db-3' }, { server: 'db-3', login: 'root' }])
    expect(readWhole(commands, written(row('shell.open'), answers, 'ssh '), factsWith())?.answers).toEqual(answers);
});

test.each([
  ['ss', 'ssh '],
  ['users inv', 'users invite '],
  ['users re', undefined],
  ['users r', 'users re'],
  ['nothing like it', undefined],
  ['', undefined],
])('%j begins %j', (typed, line) => {
  expect(begun(commands, typed, factsWith())).toBe(line);
});

test('a hidden command is not completed', () => {
  expect(begun(commands, 'users inv', factsWith({ who: null }))).toBeUndefined();
});

test.each([
  ['ro', ['ada', 'root'], 'root'],
  ['db', ['db-1', 'db-3', 'web'], 'db-'],
  ['db-', ['db-1', 'db-3'], undefined],
  ['DB', ['Db-prod-1', 'db-PROD-2'], 'Db-prod-'],
  ['db-1', ['db-1'], undefined],
  ['', ['web-1', 'web-2'], 'web-'],
  ['x', ['root'], undefined],
])('of %j that fits %j Tab makes %j: never one of several', (typed, titles, line) => {
  expect(completed(typed, titles)).toBe(line);
});
