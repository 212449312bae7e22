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
  // Fullwidth slashes and colons, one-dot leaders, ideographic stops: some parsers take them for their ASCII likes.
  '／／evil.com',
  '/／evil.com',
  '＼＼evil.com',
  '／web／users',
  'https：//evil.com',
  'https:／／evil.com',
  '//evil\u2024com',
  '/web/．．/．．//evil.com',
  '/web/\u2025/evil',
  '//evil.com\u2044web',
  // User parts and ports that read like our own.
  'https://postern.example.com:3080@evil.com/web',
  'https://postern.example.com%3a3080@evil.com/',
  'https://postern.example.com:3080\\@evil.com/web',
  'https://postern.example.com:443.evil.com/',
  'https://evil.com#@postern.example.com:3080/web',
  'https://evil.com?@postern.example.com:3080/web',
  // Schemes, whole, cut and spoilt.
  'ht\ntps://evil.com',
  '\u0001javascript:alert(1)',
  'jav&#x09;ascript:alert(1)',
  'about:blank',
  'filesystem:https://evil.com/temporary/x',
  'ws://evil.com/web',
  'mailto:a@evil.com',
  'intent://evil.com#Intent;scheme=https;end',
  'view-source:https://evil.com',
  ':evil.com',
  '//evil.com:99999999',
  // Encoded once and twice.
  '%2F%2Fevil.com',
  '%252f%252fevil.com',
  '/%255cevil.com',
  '/web%2f..%2f..%2f%2fevil.com',
  '/web%5c..%5cevil.com',
  '//%65vil.com',
  '%68ttps://evil.com',
  '/web/users%00',
  '/web/users%0d%0aLocation:%20https://evil.com',
  // Dots.
  '/.//evil.com',
  '/./\\evil.com',
  '..//evil.com',
  '.\\evil.com',
  '/web/.//evil.com',
  // What would go round in a circle, or end a session.
  '/web/login/',
  '/web/reset/abc/continue',
  '/web/msg/error/login',
  '/v1/webapi/sessions/web',
  '/web/config.js',
  '/web/app/assets/x.js',
];

test('at least sixty forms are tried, each once', () => {
  expect(hostile.length).toBeGreaterThanOrEqual(60);
  expect(new Set(hostile).size).toBe(hostile.length);
});

test.each(hostile)("the redirect target %j is forced onto the product's own origin", uri => {
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

test('going to login may carry a redirect_uri holding the current page and its query; the root needs none', () => {
  expect(loginLink('/web/users?x=1')).toBe('/web/login?redirect_uri=%2Fweb%2Fusers%3Fx%3D1');
  expect([loginLink('/web'), loginLink('/'), loginLink('')]).toEqual(['/web/login', '/web/login', '/web/login']);
});
