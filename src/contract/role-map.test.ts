import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { mappedRoles, roleMap } from './role-map.ts';

const by = (remote: string, local: string, ...roles: readonly string[]): readonly string[] =>
  mappedRoles([{ remote, local: [local] }], roles).map(({ name, captured }) =>
    captured ? `${name} (captured)` : name,
  );

test.each([
  ['access', 'access', ['access'], ['access']],
  ['access', 'access', ['accessory', 'Access', 'xaccess'], []],
  ['*', 'guest', ['anything'], ['guest']],
  ['dev-*', 'dev', ['dev-eu', 'ops'], ['dev']],
  ['dev-*', 'team-$1', ['dev-eu', 'dev-us'], ['team-eu (captured)', 'team-us (captured)']],
  ['^dev-(eu|us)$', '$1-dev', ['dev-eu', 'dev-asia'], ['eu-dev (captured)']],
  ['^(?P<team>[a-z]+)-lead$', 'lead-$team', ['db-lead'], ['lead-db (captured)']],
  ['*', '$2', ['anything'], []],
  ['*', '$1', ['', 'x'], ['x (captured)']],
  ['a.c', 'x', ['abc'], []],
  ['a.*', 'x', ['abc', 'a.c'], ['x']],
  ['access', '$1', ['access'], ['$1']],
] as const)('%s gives %s to those with %j', (remote, local, roles, given) => {
  expect(by(remote, local, ...roles)).toEqual(given);
});

test('an alternative holds the whole name, as the rest of an expression does', () => {
  expect(by('^dev|admin$', 'admin', 'devious', 'superadmin')).toEqual([]);
  expect(by('^dev|admin$', 'x', 'dev')).toEqual(['x']);
});

test('a role that one rule names and another makes of a capture counts as named', () => {
  const map = [
    { remote: '*', local: ['$1'] },
    { remote: 'ops', local: ['editor'] },
  ];
  expect(mappedRoles(map, ['editor'])).toEqual([{ name: 'editor', captured: true }]);
  expect(mappedRoles(map, ['editor', 'ops'])).toContainEqual({ name: 'editor', captured: false });
});

test('an expression that cannot be run is refused when it is written, and gives nothing', () => {
  for (const remote of ['^(a$', '^(?=a)b$', `^${'(a'.repeat(60)}${')'.repeat(60)}$`]) {
    expect(z.safeParse(roleMap, [{ remote, local: ['x'] }]).success).toBe(false);
    expect(by(remote, 'x', 'a', 'b')).toEqual([]);
  }
});

test('a map that takes too much work ends, and gives no more', () => {
  const map = Array.from({ length: 100 }, () => ({
    remote: `^(${'a?'.repeat(100)}${'a'.repeat(100)})$`,
    local: ['$1'],
  }));
  const began = Array.from({ length: 100 }, (_one, index) => 'a'.repeat(100 + index));
  expect(mappedRoles(map, began).length).toBeLessThan(100);
});
