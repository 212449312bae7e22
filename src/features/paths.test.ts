import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasCluster, inCluster, isCurrent, isLeaf, match, paramsOf, queryText, to } from './paths.ts';
import { featureIds, features } from './table.ts';

/** Names as they come: with slashes, percent signs, spaces, other scripts. */
const value = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter(text => text !== '.' && text !== '..' && text.isWellFormed());

describe.each(featureIds)('%s', id => {
  test('is found again by its own link, whatever its parameters hold', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: paramsOf(id).length, maxLength: paramsOf(id).length }), values => {
        const params = Object.fromEntries(paramsOf(id).map((name, index) => [name, values[index] ?? '']));
        expect(match(to(id, params))).toEqual({ id, params });
      }),
      { numRuns: 40 },
    );
  });
});

test('no path belongs to two pages', () => {
  const shapes = featureIds.map(id => features[id].path.replace(/:\w+/g, ':'));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test('a slash at the end makes no difference', () => {
  expect(match('/web/')?.id).toBe('root');
  expect(match('/web/cluster/main/nodes/')).toEqual({ id: 'nodes', params: { clusterId: 'main' } });
});

test.each([
  '',
  '/',
  '/webb',
  'web',
  '/web//users',
  '/web/cluster//nodes',
  '/web/nope',
  '/web/users/ada',
  '/web/cluster/%/nodes',
  '/web/cluster/%ff/nodes',
])('"%s" is no page', path => expect(match(path)).toBeNull());

test('a link without a parameter it needs is a mistake that names it', () => {
  expect(() => to('nodes')).toThrow('The page nodes needs clusterId');
  expect(() => to('consoleConnect', { clusterId: 'main', serverId: 's1', login: '' })).toThrow('login');
});

test('a parameter cannot climb out of its place', () => {
  expect(() => to('invite', { tokenId: '..' })).toThrow('".."');
  expect(to('invite', { tokenId: '../../users' })).toBe('/web/invite/..%2F..%2Fusers');
});

test('a query is encoded, and empty values are left out', () => {
  expect(to('nodes', { clusterId: 'a b' }, { search: 'env=prod & more', query: '' })).toBe(
    '/web/cluster/a%20b/nodes?search=env%3Dprod%20%26%20more',
  );
  expect(queryText({ a: undefined })).toBe('');
});

// Rule 2.1: switching clusters rewrites the path
test('switching the cluster replaces its segment and keeps the rest', () => {
  expect(inCluster('/web/cluster/main/nodes?search=db#x', 'leaf/1')).toBe('/web/cluster/leaf%2F1/nodes?search=db#x');
  expect(inCluster('/web/cluster/main', 'leaf')).toBe('/web/cluster/leaf');
});

test('a page without a cluster stays where it is', () => {
  expect(inCluster('/web/users?search=/web/cluster/main', 'leaf')).toBe('/web/users?search=/web/cluster/main');
  expect(hasCluster('users')).toBe(false);
  expect(hasCluster('nodes')).toBe(true);
});

// Rule 2.1: what a leaf cluster is
test('a route is a leaf cluster when its clusterId differs from the proxy cluster', () => {
  const leaf = (path: string) => isLeaf(match(path)?.params.clusterId, { proxyCluster: 'main' });
  expect(['/web/cluster/main/nodes', '/web/users', '/web/nope'].map(leaf)).toEqual([false, false, false]);
  expect(['/web/cluster/other/nodes', '/web/cluster/MAIN/nodes', '/web/cluster/main%20/nodes'].map(leaf)).toEqual([
    true,
    true,
    true,
  ]);
});

test('a dollar sign in a cluster name is taken as it is', () => {
  expect(inCluster('/web/cluster/main/nodes', '$1$&')).toBe('/web/cluster/%241%24%26/nodes');
});

// Rule 2.2: Auth Connectors is current on every path below it
test('an entry with a prefix is current below its path, others only on it', () => {
  expect(isCurrent('account', '/web/account/password')).toBe(true);
  expect(isCurrent('account', '/web/accounts')).toBe(false);
  expect(isCurrent('nodes', '/web/cluster/any/nodes')).toBe(true);
  expect(isCurrent('console', '/web/cluster/main/console/nodes')).toBe(false);
});
