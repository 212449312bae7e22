// Every setting of the second factor in a real browser: invited, in the account, reset and signed in, with each way that it takes.
import type { Page } from 'playwright/test';
import { PASSWORD } from './rigs/browser.ts';
import { beginLink, codeOf, linkIn, plugIn, servers, setPassword, shownSecret, showOthers } from './rigs/factors.ts';
import type { GatewayRig } from './rigs/gateway.ts';
import { expect, forget, press, test, typeText } from './rigs/journey.ts';
import { openPreparedGateway } from './rigs/prepared.ts';

type Way = 'password' | 'app' | 'key' | 'passkey';
interface Setting {
  readonly rule: string;
  readonly passwordless: 'off' | 'allowed' | 'first';
  readonly ways: readonly [Way, ...Way[]];
  /** What a device may be, as the forms offer it; 'None' is for links alone. */
  readonly methods: readonly string[];
}
const settings: readonly Setting[] = [
  { rule: 'off', passwordless: 'off', ways: ['password'], methods: [] },
  {
    rule: 'on',
    passwordless: 'allowed',
    ways: ['app', 'key', 'passkey'],
    methods: ['Hardware Key', 'Authenticator App'],
  },
  {
    rule: 'optional',
    passwordless: 'allowed',
    ways: ['password', 'app', 'key', 'passkey'],
    methods: ['Hardware Key', 'Authenticator App', 'None'],
  },
  { rule: 'otp', passwordless: 'off', ways: ['app'], methods: ['Authenticator App'] },
  { rule: 'webauthn', passwordless: 'first', ways: ['key', 'passkey'], methods: ['Hardware Key'] },
];
const names: Readonly<Record<Way, string>> = {
  password: '',
  app: 'otp-device',
  key: 'webauthn-device',
  passkey: 'passwordless-device',
};
const options = (page: Page) => page.getByLabel('Two-Factor Method').locator('option:not([disabled])');

/** Takes a link up to the servers. Answers the secret of an authenticator app, where that was set. */
async function takeLink(page: Page, link: string, way: Way, { passwordless, methods }: Setting): Promise<string> {
  let secret = '';
  await beginLink(page, link);
  const turn = page.getByRole('button', { name: passwordless === 'first' ? 'Use password' : 'Go Passwordless' });
  if (passwordless === 'first' ? way !== 'passkey' : way === 'passkey') await turn.press('Enter');
  if (way === 'passkey') {
    await expect(page.getByLabel('Device Name')).toBeFocused();
    await press(page, 'Enter');
  } else {
    if (passwordless !== 'first') await expect(turn).toHaveCount(passwordless === 'off' ? 0 : 1);
    await setPassword(page);
    const method = { password: 'None', app: 'Authenticator App', key: 'Hardware Key' }[way];
    if (methods.length > 0) {
      await expect(page.getByRole('heading', { name: 'Set Two-Factor Device' })).toBeVisible();
      // One that cannot be chosen is not asked for.
      if (methods.length > 1) {
        await expect(options(page)).toHaveText([...methods]);
        await page.getByLabel('Two-Factor Method').selectOption(method);
      }
      if (way === 'app') {
        secret = await shownSecret(page);
        await page.getByLabel('Authenticator Code').fill(codeOf(secret));
      }
      await page.getByRole('button', { name: 'Submit' }).press('Enter');
    }
  }
  const done = page.getByRole('button', { name: 'Go to Cluster' });
  const saved = page.getByRole('button', { name: /^I have saved my/ });
  if (methods.length > 0) await saved.press('Enter');
  await done.press('Enter');
  await servers(page);
  return secret;
}

/** What the account says of the devices, and one more that is added where the setting takes any. */
async function walkAccount(
  page: Page,
  gateway: GatewayRig,
  way: Way,
  secret: string,
  setting: Setting,
  forgetKeys: () => Promise<unknown>,
): Promise<void> {
  await page.goto(`${gateway.url}/web/account/twofactor`);
  const add = page.getByRole('button', { name: 'Add a two-factor device', exact: true });
  if (setting.rule === 'off') {
    await expect(page.getByText('This cluster asks for no second factor.')).toBeVisible();
    return expect(add).toHaveAttribute('aria-disabled', 'true');
  }
  const listed = page.getByRole('region', { name: 'Two-factor devices' }).getByRole('listitem');
  await expect(listed).toHaveText(way === 'password' ? ['You have no devices.'] : [new RegExp(`^${names[way]}`)]);
  // The last one is taken away only where none is asked for, and a password remains.
  const remove = page.getByRole('button', { name: `Remove ${names[way]}` });
  if (way === 'passkey' || (way !== 'password' && setting.rule !== 'optional'))
    await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await add.press('Enter');
  const dialog = page.getByRole('dialog');
  // Who has a device proves it first: a key answers by itself here.
  if (way === 'app') {
    await dialog.getByLabel('Authenticator Code').fill(codeOf(secret, 1));
    await press(page, 'Enter');
  }
  const takesKeys = setting.methods.includes('Hardware Key');
  await expect(dialog.getByLabel('Allow Passwordless?')).toHaveCount(takesKeys ? 1 : 0);
  if (setting.methods.length > 1) {
    await expect(options(page)).toHaveText(setting.methods.filter(method => method !== 'None'));
    await page.getByLabel('Two-Factor Method').selectOption('Authenticator App');
  }
  if (setting.methods.includes('Authenticator App')) {
    const spare = await shownSecret(page);
    await dialog.getByLabel('Authenticator Code').fill(codeOf(spare));
  } else {
    await dialog.getByLabel('Allow Passwordless?').selectOption('Yes, sign in with it alone');
    // One key is not registered twice: this is another.
    await forgetKeys();
  }
  await dialog.getByLabel('Device Name').fill('spare');
  await press(page, 'Enter');
  await expect(listed.filter({ hasText: /^spare/ })).toHaveCount(1);
}

async function signInBy(page: Page, gateway: GatewayRig, user: string, way: Way, secret: string, setting: Setting) {
  await forget(page);
  await page.goto(`${gateway.url}/web/login`);
  const isFirst = setting.passwordless === 'first' ? way === 'passkey' : way !== 'passkey';
  if (!isFirst) await showOthers(page);
  if (way === 'passkey') {
    await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
    return servers(page);
  }
  await page.getByLabel('Username').fill(user);
  await page.getByLabel('Password').fill(PASSWORD);
  await press(page, 'Enter');
  if (way === 'app') {
    await expect(page.getByLabel('Authenticator Code')).toBeFocused();
    await typeText(page, `${codeOf(secret, 1)}\n`);
  }
  await servers(page);
}

test.describe.configure({ mode: 'parallel' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });
for (const setting of settings)
  test(`second factor ${setting.rule}, passwordless ${setting.passwordless}: invited, in the account, reset, signed in`, async ({
    page,
  }) => {
    test.setTimeout(180_000);
    const { rule, passwordless, ways } = setting;
    const gateway = await openPreparedGateway({
      flags: ['--second-factor', rule, '--passwordless', passwordless, '--rate-limit-burst', '1000'],
    });
    try {
      const { forgetKeys } = await plugIn(page, true);
      const links = ways.map(way => gateway.command('users', 'add', `with-${way}`, '--roles', 'access'));
      for (const [at, way] of ways.entries()) {
        const user = `with-${way}`;
        await forgetKeys();
        const secret = await takeLink(page, linkIn((await links[at]) ?? ''), way, setting);
        await walkAccount(page, gateway, way, secret, setting, forgetKeys);
        // A reset may bring another way than the invitation did.
        const next = ways[(at + 1) % ways.length] ?? way;
        await forget(page);
        await forgetKeys();
        const again = await takeLink(page, linkIn(await gateway.command('users', 'reset', user)), next, setting);
        await signInBy(page, gateway, user, next, again, setting);
        await forget(page);
      }
    } finally {
      await gateway.dispose();
    }
  });
