// The navigation rules of the specification (section 2).
import { expect, test } from 'vitest';
import { to } from '../../features/paths.ts';
import { featureIds } from '../../features/table.ts';
import { createFollow, knownPath, queryOf } from './navigation.ts';

const ORIGIN = 'https://gate.example.com:3080';
const filled = (id: (typeof featureIds)[number]): string =>
  to(id, {
    clusterId: 'prod',
    serverId: 's1',
    login: 'root',
    sid: '42',
    tokenId: 't',
    desktopName: 'd',
    username: 'u',
    requestId: 'r',
    fqdn: 'f',
    name: 'k',
    namespace: 'n',
    pod: 'p',
    view: 'log',
    lost: 'password',
  });

function begin(isGuarded = false) {
  const went: string[] = [];
  const noted =
    (way: string) =>
    (path: string, { replace }: { readonly replace: boolean }) =>
      void went.push(`${way} ${path}${replace ? ' in place' : ''}`);
  const follow = createFollow({
    origin: () => ORIGIN,
    pass: go => isGuarded || go(),
    show: noted('show'),
    load: noted('load'),
  });
  return { follow, went };
}

test.each(featureIds)('a push to the known route %s goes there, with its query and fragment', id => {
  const { follow, went } = begin();
  follow(`${filled(id)}?a=1#b`);
  expect(went).toEqual([`show ${filled(id)}?a=1#b`]);
});

const unknown = [
  '/web/nothing',
  '/web/users/ada',
  '/web/cluster/prod/nodes/1',
  '/web/cluster//nodes',
  '/webb',
  '/',
  '',
  '/v1/webapi/sites',
  '/v1/webapi/oidc',
  '/v1/webapi/oidc/../sites',
  '/v1/webapi/oidc/%2e%2e/sites',
  '/v1/webapi/password/x',
  '//evil.com/web/users',
  '/\\evil.com/web/users',
  'https://evil.com/web/users',
  'https://evil.com/v1/webapi/oidc/callback',
  'javascript:alert(1)',
];
// Rule 2.1: a push to a path that matches no known route goes to the root route
test.each(unknown)('a push to %j, which matches no known route, goes to the root route', path => {
  const { follow, went } = begin();
  follow(path);
  expect(went).toEqual(['show /web']);
});
// Rule 2.1: a replace to such a path does too
test.each(unknown)('a replace to %j, which matches no known route, goes to the root route', path => {
  const { follow, went } = begin();
  follow(path, { replace: true });
  expect(went).toEqual(['show /web in place']);
});

// Rule 2.1: a push may refresh the page
test('a push may request a full page refresh, and so may a replace', () => {
  const { follow, went } = begin();
  follow('/web/users', { refresh: true });
  follow('/web/users', { refresh: true, replace: true });
  follow('/web/nothing', { refresh: true });
  expect(went).toEqual(['load /web/users', 'load /web/users in place', 'load /web']);
});

test.each(['oidc', 'saml', 'github'])('the single-sign-on handlers below /v1/webapi/%s pass to the gateway', kind => {
  const { follow, went } = begin();
  follow(`/v1/webapi/${kind}/login/web?connector_id=x`);
  expect(went).toEqual([`load /v1/webapi/${kind}/login/web?connector_id=x`]);
});

test('a route-change prompt can block every kind of navigation', () => {
  const { follow, went } = begin(true);
  follow('/web/users');
  follow('/web/users', { replace: true });
  follow('/web/users', { refresh: true });
  expect(went).toEqual([]);
});

// Rule 2.1: the redirect stays on our origin
test('a path keeps nothing of another origin', () => {
  expect(knownPath(`${ORIGIN}/web/users?a=1#b`, ORIGIN)).toBe('/web/users?a=1#b');
  expect(knownPath('https://gate.example.com/web/users', ORIGIN)).toBe('/web');
});

test('of a name that stands twice in a query, the last counts', () => {
  expect(queryOf('?redirect_uri=/web/users&redirect_uri=//evil.com')).toEqual({ redirect_uri: '//evil.com' });
});
