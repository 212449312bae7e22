import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { webConfig } from '../../contract/config.ts';
import { call, openRig, type Rig } from '../app-rig.ts';

type Settings = z.input<typeof webConfig>;

let rig: Rig | undefined;
afterEach(() => rig?.dispose());

/** The sign-in page of a gateway with these settings, whose build drew one. */
async function signInPage(settings: Settings): Promise<string> {
  rig = await openRig({ config: { webConfig: z.parse(webConfig, settings) } });
  const built = {
    console: [],
    pages: [{ path: '/web/login', public: true, files: ['assets/login-1.js'] }],
    login: '/web/login',
    signInHtml: ['<form><p>', '</p></form>'],
    first: '/web/cluster/:clusterId/nodes',
  };
  await writeFile(join(rig.services.config.consoleFolder, 'preload.json'), JSON.stringify(built));
  return (await call(rig.app, { method: 'GET', url: '/web/login' })).body;
}

test('the sign-in page comes drawn, and its script is started behind the first frame', async () => {
  const body = await signInPage({ proxyCluster: 'here' });
  expect(body).toContain('<div id="root"><form><p>here</p></form></div>');
  expect(body).toContain('<link rel="modulepreload" crossorigin href="/web/app/assets/index.js" data-late>');
  expect(body).not.toContain('<script type="module"');
});

test('the name of the cluster is text on the drawn page, whatever it is', async () => {
  const body = await signInPage({ proxyCluster: '<img src=x>&"$&' });
  expect(body).toContain('<p>&#60;img src=x&#62;&#38;&#34;$&#38;</p>');
});

test.each<[string, Settings['auth']]>([
  ['a message of the day', { motd: 'Only for staff' }],
  ['no passwords', { localAuthEnabled: false }],
])('with %s the console draws the sign-in page itself', async (_what, auth) => {
  const body = await signInPage({ proxyCluster: 'here', auth });
  expect(body).toContain('<div id="root"></div>');
  expect(body).toContain('<script type="module" crossorigin src="/web/app/assets/index.js"></script>');
});
