import { expect, test } from 'vitest';
import { groupsOf, hasFailed, outputsText, type RunServer } from './run-groups.ts';

const server = (hostname: string, text: string, code: number | null = 0, error = ''): RunServer => ({
  id: hostname,
  hostname,
  login: 'root',
  sid: '',
  end: { code, signal: null, error },
  text,
});

test('servers that printed the same and ended alike are one group, the largest first', () => {
  const waiting = { id: 'x', hostname: 'x', login: 'root', sid: '', text: 'Linux\n' };
  const groups = groupsOf([
    server('a', 'BSD\n'),
    server('b', 'Linux\n'),
    server('c', 'Linux\n', 1),
    waiting,
    server('d', 'Linux\n'),
    server('e', '', null, 'Cannot reach e.'),
  ]);
  expect(groups.map(({ servers, how }) => [servers.map(({ hostname }) => hostname).join(' '), how])).toEqual([
    ['b d', ''],
    ['a', ''],
    ['c', 'exit 1'],
    ['e', 'Cannot reach e.'],
  ]);
  expect([hasFailed(waiting), hasFailed(server('a', '')), hasFailed(server('a', '', 2))]).toEqual([false, false, true]);
});

test('all outputs as one text name each server, its login and how it ended', () => {
  expect(outputsText([server('a', 'Linux\n'), server('b', 'oops', 3)])).toBe(
    'a (root, exit 0)\nLinux\n\nb (root, exit 3)\noops\n',
  );
});
