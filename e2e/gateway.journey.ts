// The gateway itself: ended in the middle of a shell, and with PostgreSQL as its store.
import { PASSWORD } from './rigs/browser.ts';
import { acceptInvite as acceptByWire } from './rigs/client.ts';
import { openGateway } from './rigs/gateway.ts';
import { enter, expect, leaveShell, openShell, press, screen, test, typeText } from './rigs/journey.ts';
import { openPostgres } from './rigs/postgres.ts';

test('a gateway that is told to end says so, seals the recording, and ends cleanly', async ({
  page,
  ownGateway: gateway,
}) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'echo "the last words"\n');
  await expect(screen(page)).toContainText('the last words');
  const ended = gateway.kill('SIGTERM');
  await expect(page.getByText(/gateway (is )?(stop|end|shut|restart)|reconnecting/i).first()).toBeVisible();
  expect(await ended).toBe(0);
  await gateway.start();
  await page.goto(`${gateway.url}/web`);
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await press(page, 'g', 'r');
  await expect(page.getByRole('heading', { name: 'Session Recordings' })).toBeVisible();
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await press(page, 'Home', 'Enter');
  await expect(screen(page)).toContainText('the last words');
  await expect(page.getByText('Intact')).toBeVisible();
  const sid = /session\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  await gateway.command('recordings', 'verify', sid);
  await gateway.command('audit', 'verify');
});

test('with PostgreSQL as its store the same way leads from a shell to its recording and the audit log', async ({
  page,
}) => {
  const postgres = await openPostgres();
  const gateway = await openGateway({ flags: ['--store', postgres.url] });
  try {
    await acceptByWire(gateway.url, gateway.invite(), PASSWORD);
    await enter(page, gateway);
    await openShell(page);
    await typeText(page, 'echo "kept in postgres"\n');
    await expect(screen(page)).toContainText('kept in postgres');
    await leaveShell(page);
    await press(page, 'g', 'r');
    await expect(page.getByRole('heading', { name: 'Session Recordings' })).toBeVisible();
    await expect(page.locator('tbody tr').first()).toBeVisible();
    await press(page, 'Home', 'Enter');
    await expect(screen(page)).toContainText('kept in postgres');
    await press(page, 'g', 'l');
    await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();
    for (const happened of ['Session Ended', 'Session Started', 'Local Login'])
      await expect(page.locator('tbody')).toContainText(happened);
  } finally {
    await page.close();
    await gateway.dispose();
    await postgres.dispose();
  }
});
