import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { webConfig } from '../../contract/config.ts';
import { call, openRig, type Rig } from '../app.testing.ts';

type Settings = z.input<typeof webConfig>;

let rig: Rig | undefined;
afterEach(() => rig?.dispose());

/** The sign-in page of a gateway with these settings, whose build drew one. */
async function signInPage(settings: Settings, prepare?: (rig: Rig) => Promise<unknown>): Promise<string> {
  rig = await openRig({ config: { webConfig: z.parse(webConfig, settings) } });
  const built = {
    console: [],
    pages: [{ path: '/web/login', public: true, files: ['assets/login-1.js'] }],
    login: '/web/login',
    signInHtml: {
      password:
        '<form><p>name-of-the-cluster</p><p class="links" data-recover=""><a href="/web/recover/password">Forgot</a><a href="/web/recover/device">Lost</a></p></form>',
      passwordFirst:
        '<form><ul><li data-brand="openid"><a href="address-of-the-provider">Sign in with title-of-the-provider</a></li></ul></form>',
    },
    first: '/web/cluster/:clusterId/nodes',
  };
  await writeFile(join(rig.services.config.consoleFolder, 'preload.json'), JSON.stringify(built));
  await prepare?.(rig);
  return (await call(rig.app, { method: 'GET', url: '/web/login?redirect_uri=/web/users%3Fa%3D%22' })).body;
}

test('the sign-in page comes drawn, and its script is started behind the first frame', async () => {
  const body = await signInPage({ proxyCluster: 'here' });
  expect(body).toContain('<div id="root"><form><p>here</p></form></div>');
  expect(body).toContain('<link rel="modulepreload" crossorigin href="/web/app/assets/index.js" data-late>');
  expect(body).not.toContain('<script type="module"');
});

test.each<[string, Settings, RegExp]>([
  ['none without recovery codes', { auth: { second_factor: 'on' } }, /here<\/p><\/form>/],
  ['for a password where no device is asked for', { recoveryCodesEnabled: true }, /Forgot<\/a><\/p>/],
  [
    'for a password and a device',
    { recoveryCodesEnabled: true, auth: { second_factor: 'on' } },
    /Forgot<\/a><a [^>]*>Lost<\/a><\/p>/,
  ],
])('the drawn page has links for whoever has lost something: %s', async (_which, settings, drawn) => {
  expect(await signInPage({ proxyCluster: 'here', ...settings })).toMatch(drawn);
});

test('the name of the cluster is text on the drawn page, whatever it is', async () => {
  const body = await signInPage({ proxyCluster: '<img src=x>&"$&' });
  expect(body).toContain('<p>&#60;img src=x&#62;&#38;&#34;$&#38;</p>');
});

test.each<[string, Settings['auth'], ((rig: Rig) => Promise<unknown>)?]>([
  ['a message of the day', { motd: 'Only for staff' }],
  ['no way in', {}, rig => rig.store.settings.put('identity.sign_in', { local: false, first: null })],
])('with %s the console draws the sign-in page itself', async (_what, auth, prepare) => {
  const body = await signInPage({ proxyCluster: 'here', auth }, prepare);
  expect(body).toContain('<div id="root"></div>');
  expect(body).toContain('<script type="module" crossorigin src="/web/app/assets/index.js"></script>');
});

test('the drawn page has a link for each connector, in the colour of its kind, and text in them is text', async () => {
  const body = await signInPage({ proxyCluster: 'here' }, async ({ services }) => {
    for (const display of ['B & <b>', 'A $& Azure'])
      await services.connectors.create(
        'oidc',
        `kind: oidc\nversion: v3\nmetadata: {name: ${display.slice(0, 1)}}\nspec:\n  display: '${display}'\n  issuer_url: https://login.example.com\n  client_id: postern\n  client_secret: s\n  claims_to_roles: [{claim: groups, value: '*', roles: [access]}]\n`,
        { user: 'system', rights: null },
      );
  });
  const link = (name: string, title: string, brand: string) =>
    `<li data-brand="${brand}"><a href="/v1/webapi/oidc/login/web?connector_id=${name}&#38;redirect_url=%2Fweb%2Fusers%3Fa%3D%22">Sign in with ${title}</a></li>`;
  expect(body).toContain(
    `<ul>${link('A', 'A $&#38; Azure', 'microsoft')}${link('B', 'B &#38; &#60;b&#62;', 'openid')}</ul>`,
  );
});

test('pages for whoever is signed in may run what draws a desktop, for it may be in a tab beside them, and public pages may not', async () => {
  rig = await openRig();
  const { app } = rig;
  const policy = async (url: string) =>
    String((await call(app, { method: 'GET', url })).headers['content-security-policy']);
  for (const url of [
    '/web/cluster/a/desktops/win-7/alice',
    '/web/cluster/a/nodes',
    '/web/cluster/a/console?x=/web/login',
  ])
    expect(await policy(url)).toMatch(/script-src 'self' 'wasm-unsafe-eval'.*connect-src 'self' data:/);
  for (const url of [
    '/web/login',
    '/web/login?a=b',
    '/web/invite/token',
    '/web/reset/token/continue',
    '/web/msg/info/login_close',
  ])
    expect(await policy(url)).not.toMatch(/wasm-unsafe-eval|connect-src 'self' data:/);
});
