import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { aclKeys } from '../../contract/acl.ts';
import { acl, type UserContext } from '../../contract/session.ts';
import { readConfig } from './config.ts';
import { fakeStorage } from './fakes.testing.ts';
import { categoryOf, pathOfCategory, rememberPath } from './last-paths.ts';
import { keys } from './storage.ts';

const all = { list: true, read: true, edit: true, create: true, remove: true, use: true };
const who = (names: readonly string[]): UserContext =>
  ({
    userAcl: z.parse(acl, Object.fromEntries(names.map(name => [name, all]))),
    accessCapabilities: { requestableRoles: [], suggestedReviewers: [] },
    allowedSearchAsRoles: [],
    agents: 'off',
  }) as unknown as UserContext;
const config = readConfig({});
const everything = { who: who(aclKeys), config };

test('a path belongs to the category of its page, others to none', () => {
  expect([
    categoryOf('/web/cluster/c/nodes'),
    categoryOf('/web/users'),
    categoryOf('/web/account'),
    categoryOf('/web/nothing'),
  ]).toEqual(['resources', 'management', undefined, undefined]);
});

// Rule 2.1: the category switch remembers the last path
test('the Management/Resources switch remembers the last path visited in each category and returns to it', () => {
  const storage = fakeStorage();
  rememberPath(storage, '/web/cluster/c/audit?range=today');
  rememberPath(storage, '/web/cluster/c/nodes');
  rememberPath(storage, '/web/account');
  expect(pathOfCategory(storage, 'management', everything, 'c')).toBe('/web/cluster/c/audit?range=today');
  expect(pathOfCategory(storage, 'resources', everything, 'c')).toBe('/web/cluster/c/nodes');
});

// Rule 2.1: the switch goes to the first feature otherwise
test('without a last path the switch goes to the first feature of the category', () => {
  expect(pathOfCategory(fakeStorage(), 'management', everything, 'c')).toBe('/web/users');
  expect(pathOfCategory(fakeStorage(), 'resources', everything, 'c')).toBe('/web/cluster/c/nodes');
});

test('a category of which a person reaches nothing leads nowhere', () => {
  expect(pathOfCategory(fakeStorage(), 'management', { who: who([]), config }, 'c')).toBeUndefined();
});

test('a last path that can no longer be reached is not gone to', () => {
  const storage = fakeStorage();
  rememberPath(storage, '/web/users');
  expect(pathOfCategory(storage, 'management', { who: who(['events']), config }, 'c')).toBe('/web/cluster/c/audit');
});

test('a last page that has been locked since is gone to: its locked page stands there', () => {
  const storage = fakeStorage();
  rememberPath(storage, '/web/cluster/c/sessions');
  const billed = { who: who(aclKeys), config: { ...config, isUsageBasedBilling: true } };
  expect(pathOfCategory(storage, 'resources', billed, 'c')).toBe('/web/cluster/c/sessions');
});

test('what someone wrote into the storage leads nowhere else', () => {
  for (const kept of [
    '5',
    '"x"',
    '{"management":"//evil.com"}',
    '{"management":"/web/cluster/c/nodes"}',
    '{"management":7}',
  ]) {
    expect(pathOfCategory(fakeStorage({ [keys.lastPaths]: kept }), 'management', everything, 'c')).toBe('/web/users');
  }
});
