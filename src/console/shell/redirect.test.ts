import { expect, test } from 'vitest';
import { match } from '../../features/paths.ts';
import { features } from '../../features/table.ts';
import { loginLink, safeRedirect } from './redirect.ts';

const ORIGIN = 'https://postern.example.com:3080';

/** What links from outside try. */
const hostile = [
  '//evil.com',
  '///evil.com',
  '////evil.com',
  '\\\\evil.com',
  '/\\evil.com',
  '\\/evil.com',
  '/\\/evil.com',
  '\\evil.com',
  'https://evil.com',
  'http://evil.com/web/users',
  'HTTPS://EVIL.COM/web',
  'https:evil.com',
  'https:/evil.com',
  'https:///evil.com',
  'https:\\\\evil.com',
  '//evil.com/web/users',
  '//evil.com:3080/web/users',
  '//postern.example.com@evil.com/web',
  'https://postern.example.com@evil.com/',
  'https://user:pw@evil.com/web',
  'https://postern.example.com.evil.com/web',
  'https://evilpostern.example.com/web',
  '%2f%2fevil.com',
  '/%2f/evil.com',
  '/%5cevil.com',
  '%5c%5cevil.com',
  '/%09/evil.com',
  '/\t/evil.com',
  '/\n/evil.com',
  '\t//evil.com',
  '\r\n//evil.com',
  ' //evil.com',
  '/ /evil.com',
  '\u0000//evil.com',
  '\u00a0//evil.com',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript://%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://evil.com/1',
  'ftp://evil.com/web',
  '//evil。com',
  '//evil．com',
  '//ⓔvil.com',
  '//xn--evl-tma.com',
  '//[::1]/web',
  '//127.0.0.1/web',
  '//0x7f.1/web',
  '/web/../../evil',
  '/web/..//evil.com',
  '/web/%2e%2e/%2e%2e//evil.com',
  '/web/cluster/../../..//evil.com',
  '/web//evil.com',
  '?next=//evil.com',
  '#//evil.com',
  '/web/login',
  '/web/login?redirect_uri=//evil.com',
  '/web/invite/abc',
  '/web/cluster/%ff/nodes',
  '/web/nothing/here',
  'https://',
  'https://[',
  '//',
  '/',
  'x'.repeat(5000),
  `/web/users?${'a'.repeat(5000)}`,
];

test.each(hostile)('%j ends on a page of ours', uri => {
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

test('the login link comes back to the page, and needs no return to the root', () => {
  expect(loginLink('/web/users?x=1')).toBe('/web/login?redirect_uri=%2Fweb%2Fusers%3Fx%3D1');
  expect([loginLink('/web'), loginLink('/'), loginLink('')]).toEqual(['/web/login', '/web/login', '/web/login']);
});
