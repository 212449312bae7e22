import { expect, test } from 'vitest';
import { hostileLinks } from '../../../e2e/rigs/hostile-links.ts';
import { match } from '../../features/paths.ts';
import { features } from '../../features/table.ts';
import { loginLink, safeRedirect } from './redirect.ts';

const ORIGIN = 'https://postern.example.com:3080';

test('at least sixty forms are tried, each once', () => {
  expect(hostileLinks.length).toBeGreaterThanOrEqual(60);
  expect(new Set(hostileLinks).size).toBe(hostileLinks.length);
});

// Rule 2.1: the redirect stays on our origin
test.each(hostileLinks)("the redirect target %j is forced onto the product's own origin", uri => {
  const path = safeRedirect(uri, ORIGIN);
  const url = new URL(path, ORIGIN);
  const found = match(url.pathname);
  expect([url.origin, path.startsWith('/web'), path.startsWith('//')]).toEqual([ORIGIN, true, false]);
  expect(found).not.toBeNull();
  expect(found && features[found.id].public).not.toBe(true);
});

test.each([
  ['/web/cluster/prod/nodes?search=db&sort=hostname:desc', '/web/cluster/prod/nodes?search=db&sort=hostname:desc'],
  ['/web/users', '/web/users'],
  ['https://other.example.com/web/users?a=1', '/web/users?a=1'],
  ['/web/cluster/a%20b/audit', '/web/cluster/a%20b/audit'],
  ['/web/cluster/c/session/1?recordingType=ssh&t=5', '/web/cluster/c/session/1?recordingType=ssh&t=5'],
  ['', '/web'],
  [null, '/web'],
])('%s leads to %s', (uri, path) => expect(safeRedirect(uri, ORIGIN)).toBe(path));

// Rule 2.1: redirect_uri holds the current page and its query
test('going to login may carry a redirect_uri holding the current page and its query; the root needs none', () => {
  expect(loginLink('/web/users?x=1')).toBe('/web/login?redirect_uri=%2Fweb%2Fusers%3Fx%3D1');
  expect([loginLink('/web'), loginLink('/'), loginLink('')]).toEqual(['/web/login', '/web/login', '/web/login']);
});
