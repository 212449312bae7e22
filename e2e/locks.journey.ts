// Locks by keyboard alone: one is made on its page, is in force at once, and is seen where people look.
import { addPerson, carry, enter, expect, gotoListening, press, test, typeText } from './rigs/journey.ts';

test('a lock that is made by keyboard ends what the locked person has open, with its message, and stands in the lists', async ({
  page,
  gateway,
  browser,
}) => {
  const alice = await addPerson(gateway, 'alice', '--roles', 'access', '--logins', 'root');
  const { items } = (await alice.call('GET', `sites/${alice.cluster}/nodes`)) as { items: { id: string }[] };
  const shell = await alice.shell({ server_id: items[0]?.id ?? '', login: 'root' });
  const context = await browser.newContext();
  const hers = await context.newPage();
  await carry(hers, gateway, alice.cookie);
  // A console that does not listen yet is led to sign-in without a word.
  await gotoListening(hers, `${gateway.url}/web`);
  await expect(hers.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await enter(page, gateway);
  await press(page, 'g', 'x');
  await expect(page.getByRole('heading', { name: 'No locks yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Create New Lock' }).focus();
  await press(page, 'Enter');
  await expect(page.getByLabel('What to lock', { exact: true })).toBeFocused();
  await press(page, 'Tab');
  await typeText(page, 'alice');
  const row = page.getByRole('row', { name: /^alice/ });
  await expect(page.locator('tbody tr')).toHaveCount(1);
  // Past the button that clears the filter.
  await press(page, 'Tab', 'Tab');
  await expect(row).toBeFocused();
  await press(page, 'Enter');
  await expect(page.getByText('1 target')).toBeVisible();
  // Past the link to the manual and the button that clears.
  await press(page, 'Tab', 'Tab', 'Tab');
  await expect(page.getByRole('button', { name: 'Proceed' })).toBeFocused();
  await press(page, 'Enter');
  await expect(page.getByLabel('Message')).toBeFocused();
  await typeText(page, 'left laptop in a taxi');
  await press(page, 'Tab');
  await typeText(page, '2h\n');
  await expect(page.getByText('In force at once: user alice.')).toBeVisible();
  expect((await shell.closed).reason).toMatch(/Your access is locked until .* UTC: left laptop in a taxi/);
  // Her console is led to sign-in, where she reads why.
  await expect(hers.getByRole('alert')).toContainText(/Your access is locked until .* UTC: left laptop in a taxi/);
  await hers.reload();
  await expect(hers.getByRole('alert')).toContainText(/Your access is locked until .* UTC: left laptop in a taxi/);
  await context.close();
  await press(page, 'Enter');
  await expect(page.locator('tbody tr')).toContainText('left laptop in a taxi');
  await press(page, 'g', 'u');
  await expect(page.getByRole('img', { name: /locked until .*left laptop in a taxi/ })).toBeVisible();
});
