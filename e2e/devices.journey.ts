// Trusted devices by keyboard alone: a role that requires one refuses the shell in words, an enrolled browser opens it, and a lock ends it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { PASSWORD } from './rigs/browser.ts';
import { signIn } from './rigs/client.ts';
import { plugIn } from './rigs/factors.ts';
import type { GatewayRig } from './rigs/gateway.ts';
import {
  addPerson,
  carry,
  enter,
  expect,
  gotoListening,
  leaveShell,
  openShell,
  press,
  run,
  screen,
  test,
  typeText,
} from './rigs/journey.ts';

const FLEET = `kind: role
version: v7
metadata: {name: fleet}
spec: {options: {device_trust_mode: required}}
`;

async function applyFleet(gateway: GatewayRig): Promise<void> {
  const file = join(gateway.folder, 'fleet.yaml');
  await writeFile(file, FLEET);
  await gateway.command('resources', 'apply', file);
}
/** Registers a laptop on the page of devices, and answers the token that the administrator is handed. */
async function handOut(page: Page, tag: string): Promise<string> {
  await page.getByRole('button', { name: 'Register a device…' }).first().focus();
  await press(page, 'Enter');
  await typeText(page, 'linux\n');
  await expect(
    page
      .getByPlaceholder(/Asset tag/)
      .or(page.getByLabel(/Asset tag/))
      .first(),
  ).toBeFocused();
  await typeText(page, `${tag}\n`);
  const handed = page.getByRole('dialog', { name: `Enrol token of ${tag}` });
  const token = (await handed.locator('code').first().textContent()) ?? '';
  await press(page, 'Enter', 'Enter');
  await expect(handed).toBeHidden();
  await expect(page.locator('tbody tr', { hasText: tag })).toContainText('Waits to be enrolled');
  return token;
}
async function enrollHere(page: Page, gateway: GatewayRig, token: string, tag: string): Promise<void> {
  await page.goto(`${gateway.url}/web/account`);
  await page.getByRole('button', { name: 'Enroll this browser…' }).focus();
  await press(page, 'Enter');
  await expect(
    page
      .getByPlaceholder(/Enrol token/)
      .or(page.getByLabel(/Enrol token/))
      .first(),
  ).toBeFocused();
  await typeText(page, `${token}\n`);
  await expect(page.getByText(`This is the trusted device ${tag} now`).first()).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('This browser', { exact: true })).toBeVisible();
}
/** What the browser keeps of a person's device. */
const kept = (page: Page, user: string) =>
  page.evaluate(async name => {
    const opened = indexedDB.open('postern-device');
    await new Promise(done => opened.addEventListener('success', done));
    const asked = opened.result.transaction('keys').objectStore('keys').get(name);
    await new Promise(done => asked.addEventListener('success', done));
    const { key, ...rest } = asked.result;
    const taken =
      key === undefined
        ? 'no key'
        : await crypto.subtle.exportKey('pkcs8', key).then(
            () => 'taken',
            (error: Error) => error.name,
          );
    return { taken, names: Object.keys(rest).sort() };
  }, user);

// Rule 1: trusted devices
test('a role refuses the shell from an unknown browser, an enrolled one opens it, and a lock on the device ends it at once', async ({
  page,
  gateway,
  browser,
}) => {
  await applyFleet(gateway);
  const alice = await addPerson(gateway, 'alice', '--roles', 'access,fleet', '--logins', 'root');
  const context = await browser.newContext();
  const hers = await context.newPage();
  await carry(hers, gateway, alice.cookie);
  await gotoListening(hers, `${gateway.url}/web`);
  await expect(hers.locator('tbody tr')).toHaveCount(1);
  await press(hers, 'Enter');
  await expect(
    hers.getByText(/This asks for a trusted device, and you are not signed in from one/).first(),
  ).toBeVisible();

  // The administrator registers the laptop and is handed its token.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter(page, gateway);
  await run(page, 'go to trusted devices');
  await expect(page.getByRole('heading', { name: 'No trusted devices yet' })).toBeVisible();
  const token = await handOut(page, 'LAPTOP-7');

  // She enrolls her browser, and her shell opens.
  await enrollHere(hers, gateway, token, 'LAPTOP-7');
  // No script has the key: it cannot be taken out.
  expect(await kept(hers, 'alice')).toEqual({ taken: 'InvalidAccessError', names: ['device'] });
  await press(hers, 'g', 's');
  await openShell(hers);

  // Signed in again, the browser proves itself and nobody is asked for anything.
  const { cookie } = await signIn(gateway.url, 'alice', PASSWORD);
  const next = await context.newPage();
  await carry(next, gateway, cookie);
  await gotoListening(next, `${gateway.url}/web`);
  await expect(next.locator('tbody tr')).toHaveCount(1);
  await press(next, 'Enter');
  await expect(screen(next)).toContainText('#');

  await run(page, 'lock device LAPTOP-7 1h "left in a taxi"');
  await expect(page.getByText('Locked trusted device LAPTOP-7').first()).toBeVisible();
  await expect(next.getByRole('alert')).toContainText(/This trusted device is locked until .* UTC: left in a taxi/, {
    timeout: 5000,
  });
  await run(page, 'go to trusted devices');
  await expect(page.locator('tbody tr')).toContainText('Locked');
  await context.close();
});

test("a machine's own authenticator keeps the key of a device, and is touched at each sign-in", async ({
  page,
  gateway,
  browser,
}) => {
  await applyFleet(gateway);
  const bert = await addPerson(gateway, 'bert', '--roles', 'access,fleet', '--logins', 'root');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter(page, gateway);
  await run(page, 'go to trusted devices');
  const token = await handOut(page, 'LAPTOP-8');

  const context = await browser.newContext();
  const his = await context.newPage();
  await plugIn(his, true);
  await carry(his, gateway, bert.cookie);
  await enrollHere(his, gateway, token, 'LAPTOP-8');
  await expect(his.getByText(/^WebAuthn key, enrolled \d{4}-/)).toBeVisible();
  expect(await kept(his, 'bert')).toEqual({ taken: 'no key', names: ['credential', 'device'] });
  await press(his, 'g', 's');
  await openShell(his);
  await leaveShell(his);

  // Signed in again, nothing opens before the authenticator was touched.
  const { cookie } = await signIn(gateway.url, 'bert', PASSWORD);
  await carry(his, gateway, cookie);
  await gotoListening(his, `${gateway.url}/web`);
  await expect(his.locator('tbody tr')).toHaveCount(1);
  await openShell(his);
  await page.reload();
  await expect(page.locator('tbody tr', { hasText: 'LAPTOP-8' })).toContainText('WebAuthn key');
  await context.close();
});
