// From the root's console to a leaf by keyboard alone: choosing it, a shell on its server, what is kept of it, and what is said while it is away.
import { hostname, userInfo } from 'node:os';
import { PASSWORD } from './rigs/browser.ts';
import { test as base, enter, expect, leaveShell, press, run, screen, typeText } from './rigs/journey.ts';
import { type LeafPair, openLeafPair } from './rigs/leaf.ts';

const MAP = '[{remote: access, local: [access]}, {remote: auditor, local: [auditor]}]';
const test = base.extend<{ readonly pair: LeafPair }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  pair: async ({}, use) => {
    const pair = await openLeafPair(MAP, PASSWORD);
    await use(pair);
    await pair.dispose();
  },
});

// Rule 1: a leaf cluster is used as its root is
test('somebody of the root chooses a leaf, types on its server, finds that session kept there, and reads of the leaf that it is away', async ({
  page,
  pair: { root, leaf, until },
}) => {
  await enter(page, root);
  await run(page, 'choose the cluster');
  await expect(page.getByLabel('Filter clusters')).toBeFocused();
  await typeText(page, 'acme');
  await expect(page.getByRole('menuitem', { name: /acme-eu/ })).toBeVisible();
  await press(page, 'Enter');
  await expect(page).toHaveURL(/\/web\/cluster\/acme-eu\//);
  await expect(page.locator('tbody tr')).toContainText(hostname());
  await run(page, `ssh ${userInfo().username}@${hostname()}`);
  await expect(screen(page)).toContainText(/[#$]/);
  await typeText(page, 'echo "on $((6*7))"\n');
  await expect(screen(page)).toContainText('on 42');
  await leaveShell(page);

  // What is kept of it is the leaf's, and shown under its name.
  await press(page, 'g', 'r');
  await expect(page).toHaveURL(/\/web\/cluster\/acme-eu\/recordings/);
  // Its end is written down at the leaf a moment after the shell is left.
  await expect(async () => {
    await page.reload();
    await expect(page.locator('tbody tr')).toContainText('hub/admin', { timeout: 2000 });
  }).toPass();
  await expect(page.locator('tbody tr')).toContainText(hostname());
  await press(page, 'g', 'l');
  await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();
  await expect(page.locator('tbody tr').filter({ hasText: 'hub/admin' }).first()).toBeVisible();

  await leaf.kill('SIGKILL');
  await until('offline');
  await run(page, 'choose the cluster');
  await expect(page.getByRole('menuitem', { name: /acme-eu/ })).toContainText('Offline');
  await press(page, 'Escape');
  await press(page, 'g', 's');
  await expect(page.getByText(/cluster "acme-eu" is offline: it was last connected at/).first()).toBeVisible();
});
