import { expect, test } from 'vitest';
import { hostileLinks } from '../../../../../e2e/rigs/hostile-links.ts';
import { ownPath } from './own-path.ts';

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
