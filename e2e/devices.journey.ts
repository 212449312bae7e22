// Trusted devices by keyboard alone: a role that requires one refuses the shell in words, an enrolled browser opens it, and a lock ends it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PASSWORD } from './rigs/browser.ts';
import { signIn } from './rigs/client.ts';
import {
  addPerson,
  carry,
  enter,
  expect,
  gotoListening,
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

// Rule 1: trusted devices
test('a role refuses the shell from an unknown browser, an enrolled one opens it, and a lock on the device ends it at once', async ({
  page,
  gateway,
  browser,
}) => {
  const file = join(gateway.folder, 'fleet.yaml');
  await writeFile(file, FLEET);
  await gateway.command('resources', 'apply', file);
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
  await page.getByRole('button', { name: 'Register a device…' }).first().focus();
  await press(page, 'Enter');
  await typeText(page, 'linux\n');
  await expect(
    page
      .getByPlaceholder(/Asset tag/)
      .or(page.getByLabel(/Asset tag/))
      .first(),
  ).toBeFocused();
  await typeText(page, 'LAPTOP-7\n');
  const handed = page.getByRole('dialog', { name: 'Enrol token of LAPTOP-7' });
  const token = (await handed.locator('code').first().textContent()) ?? '';
  await press(page, 'Enter', 'Enter');
  await expect(handed).toBeHidden();
  await expect(page.locator('tbody tr')).toContainText('Waits to be enrolled');

  // She enrolls her browser, and her shell opens.
  await hers.goto(`${gateway.url}/web/account`);
  await hers.getByRole('button', { name: 'Enroll this browser…' }).focus();
  await press(hers, 'Enter');
  await expect(
    hers
      .getByPlaceholder(/Enrol token/)
      .or(hers.getByLabel(/Enrol token/))
      .first(),
  ).toBeFocused();
  await typeText(hers, `${token}\n`);
  await expect(hers.getByText('This is the trusted device LAPTOP-7 now').first()).toBeVisible();
  await expect(hers.getByText('This browser', { exact: true })).toBeVisible();
  // No script has the key: it cannot be taken out.
  const taken = await hers.evaluate(async () => {
    const opened = indexedDB.open('postern-device');
    await new Promise(done => opened.addEventListener('success', done));
    const asked = opened.result.transaction('keys').objectStore('keys').get('alice');
    await new Promise(done => asked.addEventListener('success', done));
    return crypto.subtle.exportKey('pkcs8', asked.result.key).then(
      () => 'taken',
      (error: Error) => error.name,
    );
  });
  expect(taken).toBe('InvalidAccessError');
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
