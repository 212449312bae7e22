// The W3C's patterns, key by key (APG): combobox, menu button and menu, disclosure, grid, tabs; where the focus goes back to; what screen
// readers are told; and what is left of a page at 200 % and without motion.
import type { Locator } from 'playwright/test';
import { cutOff } from './rigs/accessibility.ts';
import { enter, expect, hold, openShell, press, run, screen, test, typeText } from './rigs/journey.ts';
import { expectFocus, focused } from './rigs/robot.ts';

/** The option that a combobox says it is on, by the one attribute that screen readers follow. */
async function expectOn(field: Locator, option: Locator): Promise<void> {
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await expect(field).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? 'no id');
}

test('the palette is a combobox: it names its list and the option it is on, which the arrows move and Enter takes', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await press(page, 'Control+k');
  const field = page.getByRole('combobox');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-expanded', 'true');
  await expect(field).toHaveAttribute('aria-autocomplete', 'list');
  await expect(field).toHaveAttribute('aria-controls', (await page.getByRole('listbox').getAttribute('id')) ?? 'no id');
  await typeText(page, '>go to');
  const options = page.getByRole('option');
  await expectOn(field, options.nth(0));
  await press(page, 'ArrowDown');
  await expectOn(field, options.nth(1));
  await expect(page.locator('[role=option][aria-selected=true]')).toHaveCount(1);
  await press(page, 'ArrowUp', 'ArrowUp');
  await expectOn(field, options.last());
  await press(page, 'Home');
  await expectOn(field, options.nth(0));
  await expect(field).toBeFocused();
  await press(page, 'Escape');
  await expect(field).toHaveCount(0);
});

test('a refused command is under the cursor as any other, also where it is the only one or the best of several', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  for (const title of ['Find in the terminal', 'Reconnect this terminal']) {
    await press(page, 'Control+k');
    await typeText(page, `>${title}`);
    const option = page.getByRole('option', { name: title });
    await expect(option).toHaveAttribute('aria-disabled', 'true');
    await expectOn(page.getByRole('combobox'), option);
    await press(page, 'Enter');
    await expect(page.getByRole('log')).toContainText('Open a terminal first');
    await press(page, 'Escape');
  }
});

test('a menu button opens with Enter, Space and the arrows; in the menu arrows go round, Home, End and letters jump, Space and Enter choose, Escape gives the focus back', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  const html = page.locator('html');
  const other = (await html.getAttribute('data-theme')) === 'dark' ? 'light' : 'dark';
  const button = page.getByTitle('User menu');
  const items = page.getByRole('menuitem');
  for (const [key, first] of [
    ['Enter', 0],
    ['Space', 0],
    ['ArrowDown', 0],
    ['ArrowUp', -1],
  ] as const) {
    await button.focus();
    await press(page, key);
    await expect(items.nth(first), `${key} opens it`).toBeFocused();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    await press(page, 'Escape');
    await expect(button).toBeFocused();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
  }
  await press(page, 'ArrowDown', 'ArrowUp');
  await expect(items.last()).toBeFocused();
  await press(page, 'ArrowDown');
  await expect(items.first()).toBeFocused();
  await press(page, 'End');
  await expect(items.last()).toBeFocused();
  await press(page, 'Home');
  await expect(items.first()).toBeFocused();
  await press(page, 's');
  await expect(page.getByRole('menuitem', { name: /^Switch to/ })).toBeFocused();
  await press(page, 'Space');
  await expect(html).toHaveAttribute('data-theme', other);
  await expect(items).toHaveCount(0);
  await expectFocus(page, 'a choice in the user menu');
});

test('an entry that can be switched is, by Space, and the menu stays', async ({ page, gateway }) => {
  await enter(page, gateway);
  await press(page, 'j', 'c');
  const check = page.getByRole('menuitemcheckbox', { name: 'Address' });
  await expect(check).toHaveAttribute('aria-checked', 'true');
  await check.focus();
  await press(page, 'Space');
  await expect(check).toHaveAttribute('aria-checked', 'false');
  await press(page, 'Space');
  await expect(check).toHaveAttribute('aria-checked', 'true');
  await press(page, 'Escape');
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused();
});

test('groups of pages open and close as disclosures, and the arrows move among what is shown', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await press(page, 'g', 'u');
  const group = page.getByRole('button', { name: 'Access Management' });
  const users = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Users/ });
  await expect(users).toHaveAttribute('aria-current', 'page');
  await group.focus();
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  await press(page, 'ArrowDown');
  await expect(users).toBeFocused();
  await press(page, 'ArrowUp', 'Enter');
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await expect(users).toHaveCount(0);
  await press(page, 'Space');
  await expect(users).toBeVisible();
});

test('a list is a grid of rows: arrows, Home, End and the page keys move, Right goes into a row and Left out, Space with Shift and Control+A mark', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await press(page, 'g', 'o');
  await expect(page.getByRole('heading', { name: 'User Roles' })).toBeVisible();
  const grid = page.getByRole('grid', { name: 'User Roles' });
  const rows = grid.locator('tbody tr');
  // Those that come with the gateway, and what other journeys have added.
  await expect(rows.filter({ hasText: 'editor' })).toHaveCount(1);
  const count = await rows.count();
  await expect(grid).toHaveAttribute('aria-rowcount', String(count + 1));
  // On arrival the cursor stands on the first row already, though the keys are the page's.
  await expect(rows.nth(0)).toHaveAttribute('tabindex', '0');
  await press(page, 'ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await expect(rows.nth(1)).toHaveAttribute('aria-rowindex', '3');
  await press(page, 'ArrowUp', 'ArrowUp');
  await expect(rows.nth(0)).toBeFocused();
  await press(page, 'End');
  await expect(rows.nth(count - 1)).toBeFocused();
  await press(page, 'PageUp');
  await expect(rows.nth(0)).toBeFocused();
  await press(page, 'PageDown');
  await expect(rows.nth(count - 1)).toBeFocused();
  await press(page, 'Home', 'ArrowRight');
  await expect(rows.nth(0).getByRole('button').first()).toBeFocused();
  await press(page, 'ArrowLeft');
  await expect(rows.nth(0)).toBeFocused();
  await expect(rows.locator('[tabindex="0"]').or(grid.locator('tbody tr[tabindex="0"]'))).toHaveCount(1);

  await press(page, 'g', 's');
  const server = page.locator('tbody tr').first();
  await expect(server).toBeVisible();
  await press(page, 'Home', 'Shift+Space');
  await expect(server).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Shift+Space');
  await expect(server).toHaveAttribute('aria-selected', 'false');
  await press(page, 'Control+a');
  await expect(server).toHaveAttribute('aria-selected', 'true');
  await press(page, 'Escape');
  await expect(server).toHaveAttribute('aria-selected', 'false');
});

test('Enter on a row does its first action, and "." opens one menu: that action, the commands for the row, and what the list does', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await press(page, 'g', 'o');
  await expect(page.getByRole('heading', { name: 'User Roles' })).toBeVisible();
  const rows = page.locator('tbody tr');
  const items = page.getByRole('menuitem');
  const entries = async () =>
    (await items.locator(':scope > span:first-of-type').allTextContents()).map(text => text.trim());
  await expect(rows.nth(2)).toBeVisible();
  await press(page, 'Home', 'Enter');
  await expect(page.getByRole('dialog', { name: 'access' })).toBeVisible();
  await press(page, 'Escape');
  await expect(rows.first()).toBeFocused();
  await press(page, '.');
  await expect(items.first()).toBeFocused();
  expect(await entries()).toEqual([
    'Edit access',
    'Lock access…',
    'Delete a role…',
    'Mark the row',
    'Copy the name of the row',
  ]);
  await press(page, 'Escape');
  await expect(rows.first()).toBeFocused();
  await press(page, '.', 'Enter');
  await expect(page.getByRole('dialog', { name: 'access' })).toBeVisible();
  await press(page, 'Escape');

  await rows.nth(1).click({ button: 'right' });
  await expect(page.getByRole('menu', { name: 'Actions for auditor' })).toBeVisible();
  await press(page, 'm', 'Enter');
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(rows.nth(1)).toBeFocused();
  await press(page, 'ArrowDown', 'x', '.');
  await expect(page.getByRole('menu', { name: 'Actions for the marked rows' })).toBeVisible();
  expect(await entries()).toEqual(['Unmark all rows', 'Copy the names of the rows']);
  await press(page, 'Enter');
  await expect(page.locator('tbody tr[aria-selected=true]')).toHaveCount(0);
  await expect(rows.nth(2)).toBeFocused();
  await page.getByRole('button', { name: 'Actions for access' }).click();
  await expect(page.getByRole('menu', { name: 'Actions for access' })).toBeVisible();
  await page.getByRole('button', { name: 'Actions for access' }).click();
  await expect(page.getByRole('menu')).toHaveCount(0);

  await press(page, 'g', 'u');
  await expect(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible();
  await rows.filter({ hasText: 'admin' }).focus();
  await press(page, 'Enter');
  await expect(page.getByRole('dialog', { name: 'Roles of admin' })).toBeVisible();
});

test('keys pressed as soon as a menu was asked for are its own', async ({ page, gateway }) => {
  await enter(page, gateway);
  await press(page, 'g', 'o');
  await expect(page.locator('tbody tr').nth(2)).toBeVisible();
  await press(page, 'Home', '.', 'ArrowDown', 'ArrowUp', 'Enter');
  await expect(page.getByRole('dialog', { name: 'access' })).toBeVisible();
});

test('a key for a list that is still on its way is not lost', async ({ page, gateway }) => {
  await enter(page, gateway);
  const { letGo } = await hold(page, '**/v1/webapi/roles');
  await press(page, 'g', 'o', 'j');
  await expect(page).toHaveURL(/\/web\/roles/);
  letGo();
  // The cursor arrives on the first row, and moves on from there.
  await expect(page.locator('tbody tr').nth(1)).toBeFocused();
});

test('after palette, help, dialog and menu the keys are where they were', async ({ page, gateway }) => {
  await enter(page, gateway);
  const row = page.locator('tbody tr').first();
  await press(page, 'j');
  const over: readonly (readonly [string, Locator])[] = [
    ['Control+k', page.getByRole('combobox')],
    ['?', page.getByRole('dialog', { name: 'Keyboard help' })],
    ['v', page.getByRole('dialog', { name: 'Views' })],
  ];
  for (const [key, opened] of over) {
    await row.focus();
    await press(page, key);
    await expect(opened).toBeVisible();
    await press(page, 'Escape');
    await expect(opened).toHaveCount(0);
    if (key === 'v') await expect(page.getByRole('button', { name: 'Views' })).toBeFocused();
    else await expect(row).toBeFocused();
  }
  // Also when the dialog moved the focus to its own first choice, and was asked for by the palette.
  await row.focus();
  await run(page, '>Invite a user');
  await typeText(page, 'goes-back');
  await press(page, 'Enter');
  await typeText(page, 'access');
  await expect(page.getByRole('option', { name: 'access', exact: true })).toBeVisible();
  await press(page, 'Enter');
  await expect(page.getByRole('option', { name: 'Leave empty' })).toBeVisible();
  await press(page, 'Enter');
  const handedOver = page.getByRole('dialog', { name: 'goes-back has been invited' });
  await expect(handedOver.getByRole('button', { name: 'Copy the link' })).toBeFocused();
  await press(page, 'Enter');
  await expect(handedOver.getByRole('button', { name: 'Close' })).toBeFocused();
  await press(page, 'Enter');
  await expect(handedOver).toHaveCount(0);
  await expect(row).toBeFocused();
});

test('screen readers are told how many there are, their order, what is marked, and what just happened', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  const told = page.getByRole('status');
  await expect(told.filter({ hasText: /servers?, sorted by hostname, ascending/ })).toHaveCount(1);
  await press(page, 'j', 'Shift+s');
  await expect(told.filter({ hasText: /sorted by hostname, descending/ })).toHaveCount(1);
  await press(page, 'x');
  await expect(told.filter({ hasText: '1 marked' })).toHaveCount(1);
  await press(page, 'x', '/');
  await typeText(page, 'there-is-no-such-server');
  await press(page, 'Enter');
  await expect(told.filter({ hasText: /^0 servers/ })).toHaveCount(1);
  await expect(page.getByRole('log')).toHaveAttribute('aria-live', 'polite');
});

test('a terminal is read as text: line by line, selected and copied by keyboard, and Escape goes back to it', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'seq 1 300; echo "the $((1+1))nd last line"\n');
  // With the prompt after it: the text is what the terminal shows at the moment it is asked for.
  await expect(screen(page)).toContainText(/the 2nd last line.*#/s);
  await press(page, 'Control+Shift+l');
  const text = page.getByRole('textbox', { name: /^Text of root@/ });
  await expect(text).toBeFocused();
  await expect(text).toHaveValue(/^1\n2\n(.*\n)+300\nthe 2nd last line\n/m);
  await typeText(page, 'not typed');
  await press(page, 'Delete', 'ArrowUp', 'Home', 'Shift+End', 'Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('the 2nd last line');
  await expect(text).not.toHaveValue(/not typed/);
  await press(page, 'Escape');
  await expect(text).toHaveCount(0);
  expect((await focused(page)).isTerminal).toBe(true);
  await typeText(page, 'exit\n');
  await expect(page.locator('.xterm:visible')).toHaveCount(0);
});

test.describe('without motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing moves: no animation and no transition runs, whatever opens', async ({ page, gateway }) => {
    await enter(page, gateway);
    const moving = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) > 1)
          .map(animation => (animation instanceof CSSAnimation ? animation.animationName : 'a transition')),
      );
    for (const key of ['Control+k', '?', 'v', 'c']) {
      await press(page, key);
      await expect(page.getByRole('dialog').or(page.getByRole('menu')).first()).toBeVisible();
      expect(await moving(), key).toEqual([]);
      await press(page, 'Escape');
    }
    await page.getByTitle('User menu').focus();
    await press(page, 'Enter');
    await expect(page.getByRole('menuitem').last())
      .toBeFocused()
      .catch(() => undefined);
    expect(await moving(), 'the user menu').toEqual([]);
  });
});

test.describe('at 200 %', () => {
  // 1440 × 900 device pixels.
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

  test('every dialog is wholly in the window', async ({ page, gateway }) => {
    await enter(page, gateway);
    const wrong: string[] = [];
    await press(page, 'j');
    for (const key of ['Control+k', '?', 'v', 'c']) {
      await press(page, key);
      await expect(page.getByRole('dialog').first()).toBeVisible();
      wrong.push(...(await cutOff(page)).map(text => `${key}: ${text}`));
      await press(page, 'Escape');
    }
    expect(wrong).toEqual([]);
  });
});
