// Who hears a key: the player, a terminal that is over, a page that a command went to, a terminal that is on its way.
import { hostname } from 'node:os';
import { enter, expect, openShell, press, run, screen, test, typeText } from './rigs/journey.ts';

const statusLine = 'footer';

test('in the player a sequence that has begun wins over the player’s own keys', async ({ page, gateway }) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'echo recorded; exit\n');
  await expect(page.locator('.xterm:visible')).toHaveCount(0);
  await press(page, 'g', 'r');
  await expect(page.getByRole('heading', { name: 'Session Recordings' })).toBeVisible();
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await press(page, 'Home', 'Enter');
  await expect(screen(page)).toContainText('recorded');
  await expect(page.locator('[data-own-keys]')).toBeFocused();
  // Space is the player's own key, and g begins a sequence that ends with one of its keys.
  await press(page, 'Space');
  await press(page, 'g', 'l');
  await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();
});

test('a terminal whose session cannot go on leaves the keys to the page, and Enter does what it offers', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'sleep 1000\n');
  await expect(page.locator(statusLine)).toContainText('keys → shell');
  await gateway.kill('SIGKILL');
  await expect(page.locator(statusLine)).toContainText('keys → shell, when connected');
  await gateway.start();
  await expect(page.getByRole('button', { name: 'Open a new session' })).toBeVisible();
  await expect(page.locator(statusLine)).toContainText('keys → page');
  await press(page, 'g', 'l');
  await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();
  await press(page, 'g', 's', 'i');
  await press(page, 'Enter');
  await expect(page.locator(statusLine)).toContainText('keys → shell');
  await typeText(page, 'echo "back $((40+2))"; exit\n');
  await expect(page.locator('.xterm:visible')).toHaveCount(0);
});

test('a command that goes to a page gives it the keys; one that goes nowhere gives them back', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await openShell(page);
  await press(page, 'Control+Shift+k');
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await typeText(page, 'go to audit');
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();
  await expect(page.locator(statusLine)).toContainText('keys → page');
  await press(page, 'g', 's');
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await press(page, 'i');
  await expect(page.locator(statusLine)).toContainText('keys → shell');
  await press(page, 'Control+Shift+k');
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await typeText(page, 'copy a link to this session');
  await press(page, 'Enter');
  await expect(page.getByText('Link to the session copied')).toBeVisible();
  await expect(page.locator(statusLine)).toContainText('keys → shell');
  await typeText(page, 'exit\n');
  await expect(page.locator('.xterm:visible')).toHaveCount(0);
});

test('what is typed while a terminal is on its way reaches its shell and no page', async ({ page, gateway }) => {
  await enter(page, gateway);
  await run(page, `ssh root@${hostname()}`);
  await typeText(page, 'echo "jkgl $((41+1))"\n');
  await expect(screen(page)).toContainText('jkgl 42');
  await expect(page).toHaveURL(/\/nodes/);
  await typeText(page, 'exit\n');
  await expect(page.locator('.xterm:visible')).toHaveCount(0);
});

test('the row under the cursor is what a command from the palette takes', async ({ page, gateway }) => {
  await enter(page, gateway);
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await press(page, 'Home');
  // This machine has one login for this person, so there is nothing left to ask.
  await run(page, 'open a shell');
  await expect(screen(page)).toContainText('#');
  await typeText(page, 'exit\n');
  await expect(page.locator('.xterm:visible')).toHaveCount(0);
});

test('a refused command is marked as such and can be reached', async ({ page, gateway }) => {
  await enter(page, gateway);
  await run(page);
  await typeText(page, 'find in the terminal');
  const row = page.getByRole('option', { name: /Find in the terminal/ });
  await expect(row).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('combobox').first()).toHaveAttribute(
    'aria-activedescendant',
    (await row.getAttribute('id')) ?? '',
  );
  await press(page, 'Enter');
  await expect(page.getByText('Open a terminal first').last()).toBeVisible();
});

test('keys are changed in the account settings, kept over a reload, and conflicts are named', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await run(page, 'change keys');
  await expect(page.getByRole('heading', { name: 'Keyboard' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search commands and keys' }).fill('help.open');
  // The list is one stop of Tab: arrows go about in it.
  await press(page, 'Tab', 'Tab', 'ArrowRight');
  await expect(page.getByRole('button', { name: 'Change the keys of Keyboard help in a terminal' })).toBeFocused();
  await press(page, 'ArrowLeft');
  await expect(page.getByRole('button', { name: 'Change the keys of Keyboard help on pages' })).toBeFocused();
  await press(page, 'Enter', 'Control+j');
  await expect(page.getByRole('alert')).toContainText('already runs “Show or hide the terminal pane”');
  await page.getByRole('button', { name: 'Keep as it was' }).click();
  await page.getByRole('button', { name: 'Change the keys of Keyboard help on pages' }).click();
  await press(page, 'F2');
  await expect(page.getByRole('button', { name: 'Reset the keys of Keyboard help on pages' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Keyboard' })).toBeVisible();
  await press(page, 'F2');
  await expect(page.getByRole('dialog', { name: 'Keyboard help' })).toBeVisible();
  await press(page, 'Escape');
  await page.getByRole('button', { name: 'Reset all keys' }).click();
  await press(page, '?');
  await expect(page.getByRole('dialog', { name: 'Keyboard help' })).toBeVisible();
});
