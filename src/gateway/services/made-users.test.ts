// What is said where roles ask for a database user that is not made.
import { expect, test } from 'vitest';
import { unpreparedDatabase } from './made-users.ts';

const at = (protocol: string, made = false) => ({
  ...{ name: 'tiles', labels: {}, protocol },
  made: made ? { name: 'ann', roles: [], admin: { dbUser: 'gatekeeper', dbName: '' } } : null,
});
const asking = { ownDatabaseUser: () => true };

test.each([
  ['postgres', 'tiles has no admin_user who would make users, so create_db_user does nothing there.'],
  ['mysql', 'tiles has no admin_user who would make users, so create_db_user does nothing there.'],
  ['redis', 'No users are made in databases that speak redis, so create_db_user does nothing in tiles.'],
])('a database of %s that makes no users says so to whose roles ask for one', (protocol, said) =>
  expect(unpreparedDatabase(asking, at(protocol))).toBe(said),
);

test('nothing is said where one is made, nor to whose roles ask for none', () => {
  expect(unpreparedDatabase(asking, at('mysql', true))).toBeNull();
  expect(unpreparedDatabase({ ownDatabaseUser: () => false }, at('mysql'))).toBeNull();
});
