import { expect, test } from 'vitest';
import { everyRight, person } from '../src/features/person.testing.ts';
import type { Thing } from './command.ts';
import { commandById } from './index.ts';
import { SHELLS_MOST, sharedLogins } from './marked.ts';
import { named } from './marked-acts.ts';
import { factsWith } from './tools.testing.ts';

const server = (id: string, ...logins: string[]): Thing => ({ kind: 'server', id, title: id, logins });
const selection = (count: number): Thing[] => Array.from({ length: count }, (_, at) => server(`s${at}`, 'root'));
const row = (id: string) => {
  const found = commandById(id);
  if (found === undefined) throw new Error(`There is no command ${id}`);
  return found;
};

test('bulk commands are offered when several servers are marked', () => {
  const who = person(everyRight);
  for (const id of ['shell.openMarked', 'servers.removeMarked']) {
    expect(row(id).when?.(factsWith({ who, selection: selection(1) }))).toBe(false);
    expect(row(id).when?.(factsWith({ who, selection: selection(2) }))).toBe(true);
    expect(
      row(id).when?.(factsWith({ who, selection: [{ kind: 'user', id: 'a', title: 'a' }, ...selection(1)] })),
    ).toBe(false);
  }
});

test('more shells than can be watched are refused with the number', () => {
  expect(row('shell.openMarked').blocked?.(factsWith({ selection: selection(SHELLS_MOST) }))).toBeUndefined();
  expect(row('shell.openMarked').blocked?.(factsWith({ selection: selection(SHELLS_MOST + 1) }))).toContain(
    'At most 20',
  );
});

test('only logins that every marked server offers are suggested', () => {
  expect(sharedLogins([server('a', 'root', 'ops', 'dev'), server('b', 'dev', 'root')])).toEqual(['root', 'dev']);
  expect(sharedLogins([])).toEqual([]);
});

test('a question names what it is about, and counts what is too long to read', () => {
  expect(named(selection(2))).toBe('s0\ns1');
  expect(named(selection(17)).split('\n').at(-1)).toBe('and 2 more');
});
