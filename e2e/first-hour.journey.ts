// From the invite link to a played-back recording of a real sshd session, without a mouse.

import { acceptInvite, expect, leaveShell, press, run, screen, test, typeText } from './rigs/journey.ts';
import { openSshd } from './rigs/sshd.ts';

test('an administrator goes from the invite link to a played-back recording by keyboard alone', async ({
  page,
  newGateway: gateway,
}) => {
  const sshd = await openSshd({ trustedUserCa: await gateway.command('ca', 'export') });
  try {
    await acceptInvite(page, gateway);

    // Add a server: address, fingerprint to compare, labels.
    await run(page, 'add a server');
    await typeText(page, `${sshd.host}:${sshd.port}`);
    await press(page, 'Enter');
    const palette = page.getByRole('dialog').filter({ has: page.getByRole('combobox') });
    await expect(palette).toContainText(sshd.fingerprint);
    await press(page, 'Enter');
    await expect(palette.getByPlaceholder(/label/i)).toBeFocused();
    await typeText(page, 'env=prod');
    await press(page, 'Enter');
    await expect(page.locator('tbody')).toContainText('env: prod');

    // A shell on it, typed whole.
    await run(page, 'ssh root@127.0.0.1');
    await expect(screen(page)).toContainText('#');
    await typeText(page, 'echo "said $((6*7)) times"\n');
    await expect(screen(page)).toContainText('said 42 times');
    await leaveShell(page);

    // The recording plays what the shell printed.
    await press(page, 'g', 'r');
    await expect(page.getByRole('heading', { name: 'Session Recordings' })).toBeVisible();
    await expect(page.locator('tbody tr').first()).toContainText('127.0.0.1');
    await press(page, 'Home', 'Enter');
    await expect(screen(page)).toContainText('said 42 times');
    await expect(page.getByText('Intact')).toBeVisible();

    // The audit log tells what happened.
    await press(page, 'g', 'l');
    await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();
    for (const happened of [
      'Session Recording Accessed',
      'Session Ended',
      'Session Started',
      'Instance Joined',
      'Local Login',
    ])
      await expect(page.locator('tbody')).toContainText(happened);
  } finally {
    await sshd.dispose();
  }
});
