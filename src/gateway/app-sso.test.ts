// Single sign-on on a gateway without connectors: every handler leads to the page that says what failed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRig, type Rig } from './app-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.dispose());

test.each([
  ['GET', '/v1/webapi/oidc/login/web?connector_id=nobody&redirect_url=https://evil.example/', '/web/msg/error/login'],
  ['GET', '/v1/webapi/saml/sso?connector_id=nobody&redirect_url=/web', '/web/msg/error/login'],
  ['GET', '/v1/webapi/saml/login/web?connector_id=x&redirect_url=/web', '/web/msg/error/login'],
  ['GET', '/v1/webapi/github/login/web', '/web/msg/error/login'],
  ['GET', '/webapi/github/login/web', '/web/msg/error/login'],
  ['GET', '/v1/webapi/oidc/callback?code=1&state=2', '/web/msg/error/login/callback'],
  ['GET', '/v1/webapi/github/callback?error=access_denied', '/web/msg/error/login/callback'],
  ['POST', '/v1/webapi/saml/acs', '/web/msg/error/login/callback'],
] as const)('%s %s leads to %s and nowhere else', async (method, url, page) => {
  const { statusCode, headers } = await rig.app.inject({
    method,
    url,
    ...(method === 'POST' && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `SAMLResponse=${'x'.repeat(4096)}`,
    }),
  });
  expect([statusCode, headers.location, headers['set-cookie']]).toEqual([302, page, undefined]);
});
