// Servers that cannot be reached or trusted: each says what is wrong in its own words, in the terminal and in the audit log.

import type { Page } from 'playwright/test';
import type { GatewayRig } from './rigs/gateway.ts';
import { enter, expect, press, run, test, typeText } from './rigs/journey.ts';
import { openSshd, type SshdRig } from './rigs/sshd.ts';

/** Adds the server that an sshd is, under a name, trusting the key it shows. */
const add = (gateway: GatewayRig, sshd: SshdRig, name: string) =>
  gateway.command('servers', 'add', `${sshd.host}:${sshd.port}`, '--name', name, '--yes');

/** The terminal's answer to a connection that is refused; the terminal is closed again by keyboard. */
async function refusal(page: Page, command: string, words: readonly (string | RegExp)[]): Promise<void> {
  await run(page, command);
  const said = page.getByRole('tabpanel').or(page.getByRole('status'));
  for (const word of words)
    await expect(said.filter({ hasText: word }).filter({ visible: true }).first()).toBeVisible();
}

test('a host that is down says that it cannot be reached, and a second try works once it is up', async ({
  page,
  gateway,
}) => {
  const sshd = await openSshd({ trustedUserCa: await gateway.command('ca', 'export') });
  try {
    await add(gateway, sshd, 'was-down');
    await sshd.stop();
    await enter(page, gateway);
    await refusal(page, 'ssh root@was-down', [/Cannot reach was-down at 127\.0\.0\.1:\d+/]);
    await sshd.start();
    await page.getByRole('button', { name: 'Try again' }).filter({ visible: true }).focus();
    await press(page, 'Enter');
    await expect(page.locator('.xterm-rows:visible').first()).toContainText('#');
    await typeText(page, 'exit\n');
    await expect(page.locator('.xterm:visible')).toHaveCount(0);
  } finally {
    await sshd.dispose();
  }
});

test('a host that does not trust the gateway says so, with what to look at there', async ({ page, gateway }) => {
  const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJDq8vVsQ1TnUX3cXvWm0m8h0tCzq7Qm3y3d4yQm6m1B';
  const sshd = await openSshd({ trustedUserCa: other });
  try {
    await add(gateway, sshd, 'stranger');
    await enter(page, gateway);
    await refusal(page, 'ssh root@stranger', [
      /stranger \(127\.0\.0\.1:\d+\) refused the login "root"/,
      'TrustedUserCAKeys',
    ]);
  } finally {
    await sshd.dispose();
  }
});

test('a login that the host does not have is refused by its name', async ({ page, gateway }) => {
  const sshd = await openSshd({ trustedUserCa: await gateway.command('ca', 'export') });
  try {
    await add(gateway, sshd, 'no-such-login');
    await enter(page, gateway);
    await refusal(page, 'ssh nobody-here@no-such-login', [/nobody-here/]);
  } finally {
    await sshd.dispose();
  }
});

test('a changed host key is refused with both fingerprints, and the audit log tells', async ({ page, gateway }) => {
  const sshd = await openSshd({ trustedUserCa: await gateway.command('ca', 'export') });
  try {
    const before = sshd.fingerprint;
    await add(gateway, sshd, 'changed-key');
    await sshd.rotateHostKey();
    await enter(page, gateway);
    await refusal(page, 'ssh root@changed-key', [
      /The host key of changed-key .* has changed/,
      before,
      sshd.fingerprint,
    ]);
    await press(page, 'g', 'l');
    await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();
    await expect(page.locator('tbody')).toContainText('changed-key');
  } finally {
    await sshd.dispose();
  }
});

test('adding a server that is not there says so where it is asked, and the answer can be mended', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await run(page, 'add a server');
  const palette = page.getByRole('dialog').filter({ has: page.getByRole('combobox') });
  await typeText(page, 'no spaces allowed');
  await expect(palette).toContainText('Type host or host:port');
  for (let letters = 'no spaces allowed'.length; letters > 0; letters--) await press(page, 'Backspace');
  await typeText(page, '127.0.0.1:1');
  await press(page, 'Enter');
  await expect(palette).toContainText(/Cannot reach|refused/);
  await press(page, 'Escape');
  await expect(palette).toHaveCount(0);
});
