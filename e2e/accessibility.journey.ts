// axe finds nothing on any page and in anything that opens over a page.
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Locator } from 'playwright/test';
import { to } from '../src/features/paths.ts';
import { breaches, cutOff } from './rigs/accessibility.ts';
import { PASSWORD } from './rigs/browser.ts';
import { acceptInvite, signIn } from './rigs/client.ts';
import { carry, enter, expect, leaveShell, openShell, press, run, screen, test, typeText } from './rigs/journey.ts';
import { pages } from './rigs/pages.ts';
import { openPreparedGateway } from './rigs/prepared.ts';
import { atRest, settle } from './rigs/robot.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** 1440 × 900 device pixels at 200 %. */
const enlarged = { width: 720, height: 450 };
const ordinary = { width: 1440, height: 900 };

test('no page of a signed-in person breaks an accessibility rule, and at 200 % none is cut off or scrolled in two ways', async ({
  page,
  gateway,
}) => {
  test.setTimeout(400_000);
  await enter(page, gateway);
  const clusterId = /cluster\/([^/]+)/.exec(page.url())?.[1] ?? hostname();
  const found: string[] = [];
  await openShell(page);
  await press(page, 'Control+Shift+k');
  await typeText(page, '>Go to Console');
  await press(page, 'Enter');
  await expect(page).toHaveURL(/\/console\/session\//);
  found.push(...(await breaches(page, 'consoleSession')));
  await leaveShell(page);
  for (const { id, path } of pages(clusterId, 'private')) {
    await page.goto(`${gateway.url}${path}`);
    await expect(page.getByRole('main')).toBeVisible();
    await atRest(page);
    found.push(...(await breaches(page, id)));
    await page.setViewportSize(enlarged);
    found.push(...(await cutOff(page)).map(text => `${id}: ${text}`));
    await page.setViewportSize(ordinary);
  }
  await page.route('**/v1/webapi/sites/*/context', route => route.fulfill({ status: 500, json: {} }));
  await page.goto(`${gateway.url}/web/support`);
  await expect(page.getByRole('heading', { name: 'An error has occurred' })).toBeVisible();
  found.push(...(await breaches(page, 'error')));
  expect(found).toEqual([]);
});

test('no page of a visitor breaks an accessibility rule', async ({ page, gateway }) => {
  test.setTimeout(400_000);
  const said = await gateway.command('users', 'add', 'looked-at', '--roles', 'access');
  const link = new URL(/http\S+/.exec(said)?.[0] ?? '').pathname;
  const found: string[] = [];
  const visits = [
    ...pages('', 'public'),
    { id: 'invite', path: link },
    { id: 'inviteContinue', path: `${link}/continue` },
    { id: 'reset expired', path: to('resetContinue', { tokenId: '0'.repeat(64) }) },
  ];
  for (const { id, path } of visits) {
    await page.goto(`${gateway.url}${path}`);
    await expect(page.getByRole('heading').first()).toBeVisible();
    found.push(...(await breaches(page, id)));
  }
  const lower = await gateway.command('users', 'add', 'looks-around', '--roles', 'access');
  await acceptInvite(gateway.url, /http\S+/.exec(lower)?.[0] ?? '', PASSWORD);
  await carry(page, gateway, (await signIn(gateway.url, 'looks-around', PASSWORD)).cookie);
  await page.goto(`${gateway.url}/web/users`);
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  found.push(...(await breaches(page, 'denied')));
  expect(found).toEqual([]);
});

test('no panel and no dialog of a page breaks an accessibility rule', async ({ page, gateway }) => {
  test.setTimeout(240_000);
  await enter(page, gateway);
  const found: string[] = [];
  const row = page.locator('tbody tr').first();
  /** Looks at what some keys open, and leaves it by Escape or, where that only asks, by its first button. */
  async function look(what: string, shown: Locator, ...keys: readonly string[]): Promise<void> {
    await press(page, ...keys);
    await expect(shown.first()).toBeVisible();
    found.push(...(await breaches(page, what)));
    await settle(page, what);
  }
  const dialog = page.getByRole('dialog');
  await press(page, 'Home');
  await look('views', dialog, 'v');
  await look('columns', dialog, 'c');
  await row.focus();
  await look('marked rows', page.getByRole('status').filter({ hasText: '1 marked' }), 'x');
  await press(page, 'x', 'e');
  await expect(page.getByRole('combobox', { name: 'Filter Servers' })).toBeFocused();
  await typeText(page, 'lab');
  await look('predicate', page.getByRole('option'));
  await press(page, 'Escape', 'Escape', 'e');
  for (const name of [/^Cluster:/, /^Notifications/]) {
    await page.getByRole('button', { name }).focus();
    await look(String(name), dialog, 'Enter');
  }
  await run(page, '>Invite a user');
  await look('a question of the palette', page.getByText('Type it, then press Enter'));
  await run(page);
  await typeText(page, '>Find in the terminal');
  await look('a refused command', page.getByRole('option'));
  expect(found).toEqual([]);
});

test('no dialog of users, roles and keys, no text of a terminal and no drawer breaks an accessibility rule', async ({
  page,
  gateway,
}) => {
  test.setTimeout(240_000);
  await enter(page, gateway);
  const found: string[] = [];
  const rows = page.locator('tbody tr');
  const look = async (what: string, shown: Locator): Promise<void> => {
    await expect(shown).toBeVisible();
    found.push(...(await breaches(page, what)));
    await settle(page, what);
  };
  await press(page, 'g', 'u');
  await expect(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible();
  await rows.filter({ hasText: 'admin' }).focus();
  await press(page, '.');
  await look('menu of a user', page.getByRole('menu'));
  await rows.filter({ hasText: 'admin' }).focus();
  await press(page, 'Enter');
  await look('roles of a user', page.getByRole('dialog', { name: 'Roles of admin' }));
  await page.getByRole('button', { name: 'Invite a user' }).focus();
  await press(page, 'Enter');
  await look('invitation', page.getByRole('dialog', { name: 'Invite a user' }));
  await press(page, 'g', 'o');
  await expect(rows).toHaveCount(3);
  await press(page, 'Home', 'Enter');
  await look('a role', page.getByRole('dialog', { name: 'access' }));
  await run(page, '>Create a role');
  const role = page.getByRole('dialog', { name: 'New role' });
  await expect(role.locator('.cm-content')).toBeFocused();
  await press(page, 'Control+End');
  await typeText(page, 'su');
  await expect(page.getByRole('option', { name: 'sub_kind' })).toBeVisible();
  found.push(...(await breaches(page, 'keys of a role')));
  await press(page, 'Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await press(page, 'Control+Space');
  await expect(page.getByRole('option', { name: 'sub_kind' })).toBeVisible();
  await press(page, 'Tab');
  await expect(role.locator('.cm-line').last()).toHaveText('sub_kind: ');
  await press(page, 'Control+z');
  await expect(role.locator('.cm-line').last()).toHaveText('su');
  await press(page, 'Control+z');
  await look('a new role', role);

  await run(page, '>Change keys');
  await page.getByRole('searchbox', { name: 'Search commands and keys' }).fill('help.open');
  await page.getByRole('button', { name: 'Change the keys of Keyboard help on pages' }).focus();
  await press(page, 'Enter');
  found.push(...(await breaches(page, 'keys being recorded')));
  await press(page, 'Control+j');
  await look('keys that clash', page.getByRole('alert'));
  await page.getByRole('button', { name: 'Keep as it was' }).focus();
  await press(page, 'Enter');

  await page.setViewportSize({ width: 390, height: 900 });
  const drawer = page.getByRole('banner').getByRole('button', { name: 'Pages' });
  await drawer.focus();
  await press(page, 'Enter');
  await expect(drawer).toHaveAttribute('aria-expanded', 'true');
  found.push(...(await breaches(page, 'drawer', [900, 390])));
  // Where it is wide the pages stand beside what is shown, and nothing lies over it.
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.locator('main')).not.toHaveAttribute('inert');

  await page.goto(`${gateway.url}/web/nothing-here`);
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
  found.push(...(await breaches(page, 'not found')));

  await enter(page, gateway);
  await openShell(page);
  await press(page, 'Control+Shift+l');
  await expect(page.getByRole('textbox', { name: /^Text of root@/ })).toBeFocused();
  found.push(...(await breaches(page, 'text of a terminal')));
  await press(page, 'Escape');
  await leaveShell(page);
  expect(found).toEqual([]);
});

test('nothing that opens over a page breaks an accessibility rule: palette, help, menus, dialogs, terminal, player', async ({
  page,
  gateway,
}) => {
  test.setTimeout(400_000);
  await enter(page, gateway);
  const found: string[] = [];

  await press(page, 'Control+k');
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await typeText(page, 'se');
  await expect(page.getByRole('option').first()).toBeVisible();
  found.push(...(await breaches(page, 'palette')));
  await press(page, 'Escape');

  await press(page, '?');
  await expect(page.getByRole('dialog')).toBeVisible();
  found.push(...(await breaches(page, 'help')));
  await press(page, 'Escape');

  await press(page, 'Home', '.');
  await expect(page.getByRole('menu').first()).toBeVisible();
  found.push(...(await breaches(page, 'menu of a row')));
  await press(page, 'Escape');

  await page.getByRole('button', { name: /admin/i }).first().click();
  await expect(page.getByRole('menu').first()).toBeVisible();
  found.push(...(await breaches(page, 'menu of the user')));
  await press(page, 'Escape');

  await openShell(page);
  await typeText(page, 'ls --color=always /\n');
  found.push(...(await breaches(page, 'terminal')));
  await press(page, 'Control+Shift+f');
  await expect(page.getByLabel('Find in the terminal')).toBeFocused();
  found.push(...(await breaches(page, 'find in the terminal')));
  await page.getByLabel('Find in the terminal').focus();
  await press(page, 'Escape');
  await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
  await page.evaluate(`navigator.clipboard.writeText('one\\ntwo\\n')`);
  await press(page, 'Control+Shift+v');
  const question = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await expect(question).toBeVisible();
  found.push(...(await breaches(page, 'dialog')));
  await question.getByRole('button', { name: 'Cancel' }).focus();
  await press(page, 'Enter');
  await expect(question).toHaveCount(0);
  await leaveShell(page);

  await press(page, 'g', 'r');
  await expect(page.getByRole('heading', { name: 'Session Recordings' })).toBeVisible();
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await press(page, 'Home', 'Enter');
  await expect(screen(page)).toContainText('#');
  found.push(...(await breaches(page, 'player')));

  await press(page, 'g', 'l');
  await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible();
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await press(page, 'Home', 'Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  found.push(...(await breaches(page, 'details of an event')));
  expect(found).toEqual([]);
});

test('nothing that a deployment brings breaks an accessibility rule: questionnaire, locked page, logo, another cluster', async ({
  page,
}) => {
  test.setTimeout(400_000);
  const logo = test.info().outputPath('logo.svg');
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="32"/>');
  const gateway = await openPreparedGateway({
    flags: ['--usage-based-billing', '--sales-url', 'https://sales.example.com/', '--questionnaire', '--logo', logo],
  });
  try {
    const found: string[] = [];
    await enter(page, gateway);
    const questionnaire = page.getByRole('dialog', { name: 'Tell us about your work' });
    await expect(questionnaire).toBeVisible();
    found.push(...(await breaches(page, 'questionnaire')));
    await press(page, 'Control+Enter');
    await expect(questionnaire.getByText('Team is required').first()).toBeVisible();
    found.push(...(await breaches(page, 'questionnaire with nothing answered')));
    await questionnaire.getByRole('button', { name: 'Not now' }).focus();
    await press(page, 'Enter', 'g', 'v');
    await expect(page.getByRole('link', { name: 'Contact sales' })).toBeVisible();
    found.push(...(await breaches(page, 'locked page')));
    await page.goto(`${gateway.url}/web/cluster/other/nodes`);
    await expect(page.getByRole('heading', { name: 'Cluster Not Found' })).toBeVisible();
    found.push(...(await breaches(page, 'another cluster')));
    expect(found).toEqual([]);
  } finally {
    await gateway.dispose();
  }
});
