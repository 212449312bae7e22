import { expect, test } from 'vitest';
import { parsePredicate } from '../../../contract/predicate.ts';
import { sharedLogins } from './logins.ts';
import { queryOfProposal } from './proposal.ts';

test.each([
  [{ nodes: ['db-1', 'db-2'] }, 'name == "db-1" || name == "db-2"'],
  [{ labels: [{ key: 'env', value: 'prod' }] }, 'labels["env"] == "prod"'],
  [
    {
      nodes: ['a'],
      labels: [
        { key: 'env', value: 'prod' },
        { key: 'tier', value: 'db' },
      ],
    },
    'name == "a" || (labels["env"] == "prod" && labels["tier"] == "db")',
  ],
  [{}, ''],
])('%j is asked for as %s', (given, query) => expect(queryOfProposal({ command: 'id', ...given })).toBe(query));

test('a name that would end its quotes names nothing but itself', () => {
  const query = queryOfProposal({ command: 'id', nodes: ['a" || name != "'] });
  expect(query).toBe('name == "a\\" || name != \\""');
  expect(() => parsePredicate(query, 'query')).not.toThrow();
});

test('logins are those of every server, preferred ones first and those like root last', () => {
  const node = (...sshLogins: string[]) => ({ sshLogins });
  expect(sharedLogins([node('root', 'app', 'bob', 'web'), node('app', 'root', 'bob')], ['bob'])).toEqual([
    'bob',
    'app',
    'root',
  ]);
  expect(sharedLogins([node('root'), node('app')], [])).toEqual([]);
  expect(sharedLogins([], ['bob'])).toEqual([]);
});
