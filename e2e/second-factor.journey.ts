// Second factors in a real browser: with its own virtual keys, and with codes from oathtool.
import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { PASSWORD } from './rigs/browser.ts';
import {
  beginLink,
  chooseApp,
  codeOf,
  keepCodes,
  linkIn,
  plugIn,
  saveCodes,
  servers,
  setPassword,
} from './rigs/factors.ts';
import { type GatewayRig, openGateway } from './rigs/gateway.ts';
import { expect, forget, press, run, screen, test, typeText } from './rigs/journey.ts';
import { postern } from './rigs/postern.ts';

async function typePassword(page: Page, gateway: GatewayRig, user: string): Promise<void> {
  await forget(page);
  await page.goto(`${gateway.url}/web/login`);
  await expect(page.getByLabel('Username')).toBeFocused();
  await typeText(page, user);
  await press(page, 'Tab');
  await typeText(page, `${PASSWORD}\n`);
}
/** A machine without a browser asks to be signed in: the address of its request, and what it hears. */
async function askHeadless(gateway: GatewayRig, user: string) {
  const served = await fetch(`${gateway.url}/web/login`);
  const csrf = /name="postern_csrf_token" content="([^"]*)"/.exec(await served.text())?.[1] ?? '';
  const [cookie = ''] = served.headers.getSetCookie().map(line => line.split(';', 1)[0]);
  const verifier = randomBytes(32).toString('hex');
  const answer = fetch(`${gateway.url}/v1/webapi/headless/login`, {
    method: 'POST',
    headers: { cookie: cookie ?? '', 'x-csrf-token': csrf, 'content-type': 'application/json' },
    body: JSON.stringify({ user, verifier }),
  }).then(async response => `${response.status} ${await response.text()}`);
  return { link: `${gateway.url}/web/headless/${createHash('sha256').update(verifier).digest('hex')}`, answer };
}
/** The first administrator, whose every session asks for a key. */
const KEYED = `kind: role
version: v7
metadata: { name: keyed }
spec: { options: { require_session_mfa: true } }
---
kind: user
version: v2
metadata: { name: admin }
spec: { roles: [access, editor, auditor, keyed], traits: { logins: [${userInfo().username}] } }
`;

// Rule 1: passwordless, and a second factor of either kind
// Rule 2.5: Next (Step 1 of 2) with a second factor
// Rule 2.5: device name, code with QR code, hardware key, or none
// Rule 4: another method begins anew, with its own default name
// Rule 5: errors stand in place of labels, on submit
// Rule 5: the default name of a passkey
// Rule 2.5: recovery codes are made anew in the shell
test('invited with a hardware key, an authenticator app and a passkey, each signs in again', async ({ page }) => {
  test.setTimeout(180_000);
  // So many people sign in here from one address in half a minute that the gateway would make them wait.
  const patience = ['--rate-limit-burst', '1000'];
  const gateway = await openGateway({ flags: ['--second-factor', 'on', '--passwordless', 'allowed', ...patience] });
  try {
    const { unplug, touch } = await plugIn(page);
    await beginLink(page, gateway.invite());
    await expect(page.getByText('Step 1 of 2')).toBeVisible();
    await setPassword(page);
    await expect(page.getByRole('heading', { name: 'Set Two-Factor Device' })).toBeVisible();
    await expect(page.getByLabel('Two-Factor Method')).toBeFocused();
    await expect(page.getByLabel('Device Name')).toHaveValue('webauthn-device');
    await page.getByLabel('Device Name').fill('');
    await press(page, 'Enter');
    await expect(page.getByText('Device name is required').first()).toBeVisible();
    await typeText(page, 'my key\n');
    await saveCodes(page, 'admin');
    await typePassword(page, gateway, 'admin');
    await servers(page);
    const keyed = join(gateway.folder, 'keyed.yaml');
    await writeFile(keyed, KEYED);
    await gateway.command('resources', 'apply', keyed);
    await touch(false);
    await run(page, `ssh root@${hostname()}`);
    const asking = page.getByRole('dialog', { name: `Touch your hardware key to open root@${hostname()}` });
    await expect(asking.getByText('Waiting for the key…')).toBeVisible();
    await press(page, 'Escape');
    await expect(asking).toBeHidden();
    await expect(screen(page)).toContainText('was not opened: its hardware key was not used');
    await touch(true);
    // The first try goes wrong as it does when a browser's own question is closed.
    await page.evaluate(() => {
      const once = (): Promise<never> => {
        Reflect.deleteProperty(navigator.credentials, 'get');
        return Promise.reject(new DOMException('closed', 'NotAllowedError'));
      };
      Object.assign(navigator.credentials, { get: once });
    });
    await press(page, 'Enter');
    await expect(asking.getByRole('alert')).toContainText('was not used in time');
    await expect(asking.getByRole('button', { name: 'Try again' })).toBeFocused();
    await press(page, 'Enter');
    await expect(screen(page)).toContainText('#');
    await typeText(page, 'exit\n');
    await expect(screen(page)).toBeHidden();
    // The only device proves who asks for another, and stays as long as it is the last.
    await run(page, 'Add a two-factor device');
    await expect(page).toHaveURL(/\/web\/account\/twofactor/);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Allow Passwordless?')).toHaveValue('No, use it beside the password');
    await dialog.getByLabel('Two-Factor Method').selectOption('Authenticator App');
    const spare = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
    await dialog.getByLabel('Authenticator Code').fill(codeOf(spare));
    await press(page, 'Enter');
    const remove = page.getByRole('button', { name: 'Remove otp-device' });
    await remove.press('Enter');
    // With two devices there is a choice.
    await dialog.getByRole('button', { name: 'Use hardware key' }).press('Enter');
    await page.getByRole('button', { name: 'Yes, remove' }).press('Enter');
    await expect(remove).toBeHidden();
    await expect(page.getByRole('button', { name: 'Remove my key' })).toHaveAttribute('aria-disabled', 'true');
    await run(page, 'Make new recovery codes');
    await page.getByRole('button', { name: 'Make new codes' }).press('Enter');
    const code = (await dialog.getByRole('listitem').first().textContent()) ?? '';
    await dialog.getByRole('button', { name: 'I have saved my new Recovery Codes (admin)' }).press('Enter');
    const refused = await askHeadless(gateway, 'admin');
    await page.goto(refused.link);
    await page.getByRole('button', { name: 'Reject' }).press('Enter');
    await expect(page.getByText('Rejected.')).toBeVisible();
    expect(await refused.answer).toContain('admin has refused this sign-in');
    const signIn = postern(gateway.folder, 'sign-in', '--url', gateway.url, '--user', 'admin', '--headless');
    await page.goto(await signIn.link(/\S+\/web\/headless\/\S+/));
    await expect(page.getByText('127.0.0.1')).toBeVisible();
    await page.getByRole('button', { name: 'Approve with a hardware key' }).press('Enter');
    await expect(page.getByText('Approved.')).toBeVisible();
    expect(await signIn.status).toBe(0);
    await page.reload();
    await expect(page.getByText('Approved.')).toBeVisible();
    // Her key opens a shell of the command line as well: the browser takes its answer to where that listens.
    const shell = postern(gateway.folder, 'ssh', `root@${hostname()}`);
    const handOver = await shell.link(/\S+redirect_url=\S+/);
    await page.goto(handOver);
    const use = page.getByRole('button', { name: 'Use hardware key' });
    await expect(page.getByText(`opens root@${hostname()} as admin`)).toBeVisible();
    await expect(use).toBeFocused();
    await press(page, 'Enter');
    await expect(page.getByRole('heading', { name: 'Continue in Terminal' })).toBeVisible();
    await shell.until(/[#$] /);
    shell.type('exit 3\r');
    expect(await shell.status).toBe(3);
    await page.goto(handOver);
    await expect(page.getByText('No session of admin waits for a key here')).toBeVisible();
    await page.goto(`${gateway.url}/web/account`);
    const sessions = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem');
    await expect(sessions).toHaveCount(3);
    await expect(sessions.filter({ hasText: 'This session' })).toHaveCount(1);
    await page.getByRole('button', { name: 'Sign out everywhere else', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Sign out', exact: true }).press('Enter');
    await expect(sessions).toHaveCount(1);
    await page.getByLabel('Current Password').fill(PASSWORD);
    await page.getByLabel('New Password').fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    await press(page, 'Enter');
    await expect(page.getByText('Your password has been changed', { exact: true })).toBeVisible();
    // With a recovery code and her key the password is set anew; the other two codes, and the old password, no longer count.
    await forget(page);
    await page.goto(`${gateway.url}/web/login`);
    await page.getByRole('link', { name: 'Forgot Password?' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Forgot Password?' })).toBeVisible();
    await expect(page.getByLabel('Username')).toBeFocused();
    await typeText(page, 'admin');
    await press(page, 'Tab');
    await typeText(page, `${code.toUpperCase()}\n`);
    await setPassword(page);
    await expect(page.getByText('Your old recovery codes are no longer valid')).toBeVisible();
    await saveCodes(page, 'admin', 'I have saved my new Recovery Codes');
    await unplug();

    await beginLink(page, linkIn(await gateway.command('users', 'add', 'ann', '--roles', 'access')));
    await setPassword(page);
    let secret = await chooseApp(page);
    await expect(page.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible();
    await expect(page.getByLabel('Device Name')).toHaveValue('otp-device');
    await page.getByLabel('Authenticator Code').focus();
    await press(page, 'Enter');
    await expect(page.getByText('Token is required').first()).toBeVisible();
    await typeText(page, '000000\n');
    await expect(page.getByRole('alert')).toContainText('the code is wrong');
    // Another method begins anew: without the code, without what was wrong, and with its own name.
    await page.getByLabel('Device Name').fill('phone');
    await page.getByLabel('Two-Factor Method').selectOption('Hardware Key');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByLabel('Device Name')).toHaveValue('webauthn-device');
    secret = await chooseApp(page);
    await expect(page.getByLabel('Device Name')).toHaveValue('otp-device');
    await expect(page.getByLabel('Authenticator Code')).toHaveValue('');
    await page.getByLabel('Authenticator Code').fill(codeOf(secret));
    await press(page, 'Enter');
    await saveCodes(page, 'ann');
    await typePassword(page, gateway, 'ann');
    await expect(page.getByLabel('Authenticator Code')).toBeFocused();
    await typeText(page, '000000\n');
    await expect(page.getByRole('alert')).toContainText('invalid credentials');
    // None counts twice, and the one of now may have been used above.
    await typeText(page, `${codeOf(secret, 1)}\n`);
    await servers(page);

    await plugIn(page, true);
    // One key at the first sign-in makes a passkey beside the device that was just set, which proves who asks.
    await forget(page);
    await beginLink(page, linkIn(await gateway.command('users', 'add', 'kim', '--roles', 'access')));
    await setPassword(page);
    const kim = await chooseApp(page);
    await page.getByLabel('Authenticator Code').fill(codeOf(kim));
    await press(page, 'Enter');
    await keepCodes(page, 'kim');
    await press(page, 'p');
    await dialog.getByLabel('Authenticator Code').fill(codeOf(kim, 1));
    await press(page, 'Enter');
    await expect(page.getByText('passwordless-device', { exact: true })).toBeVisible();
    // Whoever has a passkey and no password sets one with that key, and then has both.
    await forget(page);
    await beginLink(page, linkIn(await gateway.command('users', 'add', 'pia', '--roles', 'access')));
    await page.getByRole('button', { name: 'Go Passwordless' }).press('Enter');
    await page.getByLabel('Device Name').press('Enter');
    await saveCodes(page, 'pia');
    await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
    await run(page, 'Set a password');
    await expect(page.getByText('You sign in with a passkey and have no password.')).toBeVisible();
    await expect(page.getByText('Change password')).toHaveCount(0);
    await page.getByRole('button', { name: 'Set a password', exact: true }).press('Enter');
    await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
    await typeText(page, PASSWORD);
    await press(page, 'Tab');
    await typeText(page, `${PASSWORD}\n`);
    await dialog.getByRole('button', { name: 'Use hardware key' }).press('Enter');
    await expect(page.getByText('Your password has been set', { exact: false })).toBeVisible();
    await expect(page.getByLabel('Current Password')).toBeVisible();
    await run(page, 'Change my password');
    await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible();
    await typePassword(page, gateway, 'admin');
    await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  } finally {
    await gateway.dispose();
  }
});
