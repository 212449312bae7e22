import { expect, test } from 'vitest';
import { hostileLinks } from '../../../../../e2e/rigs/hostile-links.ts';
import { loopbackUrl, ownPath } from './own-path.ts';

const ORIGIN = 'https://postern.example.com';

test.each(hostileLinks)('the link %j leads to a page of ours', link => {
  const path = ownPath(link);
  const url = new URL(path, ORIGIN);
  expect([url.origin, path.startsWith('/web')]).toEqual([ORIGIN, true]);
  expect(url.pathname).toMatch(/^\/web(\/|$)/);
  expect(url.pathname).not.toMatch(/^\/web\/(login|invite|reset|msg|app|config\.js)/);
});

test.each([
  ['/web/cluster/prod/nodes?search=db&sort=hostname:desc', '/web/cluster/prod/nodes?search=db&sort=hostname:desc'],
  ['https://other.example.com/web/users?a=1#b', '/web/users?a=1#b'],
  ['/web/cluster/a%20b/audit', '/web/cluster/a%20b/audit'],
  ['/web', '/web'],
  ['', '/web'],
])('%s leads to %s', (link, path) => expect(ownPath(link)).toBe(path));

test.each([
  ...hostileLinks,
  'http://127.0.0.1/cb',
  'https://127.0.0.1:4000/cb',
  'http://127.0.0.1:0/cb',
  'http://127.0.0.1:65536/cb',
  'http://127.0.0.1:80@evil.com/cb',
  'http://localhost:80.evil.com/cb',
  'http://localhost.evil.com:80/cb',
  'http://127.0.0.1.evil.com:80/cb',
  'http://user@127.0.0.1:80/cb',
  'http://127.1:80/cb',
  'http://2130706433:80/cb',
  'http://0.0.0.0:80/cb',
  'http://[::ffff:127.0.0.1]:80/cb',
  'http://127.0.0.1:80\\@evil.com/cb',
  'http://127.0.0.1:80/cb#part',
  'HTTP://127.0.0.1:80/cb',
  ' http://127.0.0.1:80/cb',
  'http://127.0.0.1:80/cb\n',
  '//127.0.0.1:80/cb',
])('no command line listens at %j', link => expect(loopbackUrl(link)).toBeNull());

test.each([
  ['http://127.0.0.1:4000/cb', 'http://127.0.0.1:4000/cb'],
  ['http://localhost:4000', 'http://localhost:4000/'],
  ['http://[::1]:65535/a/b?state=1&code=x', 'http://[::1]:65535/a/b?state=1&code=x'],
])('a command line listens at %s', (link, url) => expect(loopbackUrl(link)?.href).toBe(url));
