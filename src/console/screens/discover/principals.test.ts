import { expect, test } from 'vitest';
import { fixedOf, namedLines, roleLines, untaken } from './principals.ts';

test('what a role gives stays, what the user adds can be taken away', () =>
  expect(fixedOf(['root', 'ann'], ['ann', 'bob'])).toEqual(['root']));

test('a name of the user that no role takes is told, unless roles give all names', () => {
  expect(untaken(['root', 'ann'], ['ann', 'bob'])).toEqual(['bob']);
  expect(untaken(['*'], ['bob'])).toEqual([]);
});

test('the lines of a role say where they go', () => {
  expect(roleLines('db_users', 'db_users')).toBe("spec:\n  allow:\n    db_users: ['{{internal.db_users}}']");
  expect(namedLines('logins')).toBe('spec:\n  allow:\n    logins: [NAME]');
});
