// A session outlives its tab: reload, a cut network, another browser, and the gateway's own death.
import { breaches } from './rigs/accessibility.ts';
import {
  acceptInvite,
  enter,
  expect,
  leaveShell,
  openShell,
  press,
  run,
  screen,
  test,
  typeText,
} from './rigs/journey.ts';

test('a shell survives a reload with its screen, and goes on', async ({ page, gateway }) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'marker=kept; seq 1 200; echo "before $marker"\n');
  await expect(screen(page)).toContainText('before kept');
  await page.reload();
  await expect(screen(page)).toContainText('before kept');
  await typeText(page, 'echo "after $marker"\n');
  await expect(screen(page)).toContainText('after kept');
});

test('a reload leaves the keys where they were: with the page, a root prompt hears none of them', async ({
  page,
  gateway,
}) => {
  const terminal = page.locator('.xterm-helper-textarea:visible');
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'echo "kept $((40+2))"\n');
  await expect(screen(page)).toContainText('kept 42');
  for (const place of ['docked', 'full']) {
    // The palette has the keys when the page is loaded anew: it is gone then, and the shell must not be what comes next.
    await press(page, 'Control+Shift+k');
    await expect(page.getByRole('combobox').first()).toBeFocused();
    await page.reload();
    await expect(screen(page)).toContainText('kept 42');
    await expect(page.locator('footer')).toContainText('keys → page');
    await press(page, 'g', 'v');
    await expect(page.getByRole('heading', { name: 'Active Sessions' })).toBeVisible();
    await expect(screen(page)).not.toContainText('gv');
    await press(page, ...(place === 'docked' ? ['g', 't'] : ['i']));
    await expect(terminal).toBeFocused();
  }
  await page.reload();
  await expect(terminal).toBeFocused();
  await leaveShell(page);
});

test('a cut network is shown, what was typed meanwhile arrives, and nothing is doubled', async ({ page, gateway }) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'for n in 1 2 3 4 5 6; do echo "tick $n"; sleep 0.3; done; read typed; echo "got $typed"\n');
  await expect(screen(page)).toContainText(/tick.2/);
  gateway.network.cut();
  await expect(page.getByText(/reconnecting/i).first()).toBeVisible();
  await typeText(page, 'typed-meanwhile\n');
  gateway.network.mend();
  await expect(screen(page)).toContainText(/got.typed-meanwhile/);
  const text = (await screen(page).innerText()).replaceAll('\u00a0', ' ');
  for (const n of [1, 2, 3, 4, 5, 6]) expect(text.match(new RegExp(`tick ${n}\\b`, 'g')) ?? []).toHaveLength(1);
  await leaveShell(page);
});

test('a second browser joins as a peer, sees the same screen, and both type', async ({ page, gateway, browser }) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'echo "hello from one"\n');
  await expect(screen(page)).toContainText('hello from one');

  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const other = await context.newPage();
  await enter(other, gateway);
  await press(other, 'g', 'v');
  await expect(other.getByRole('heading', { name: 'Active Sessions' })).toBeVisible();
  await expect(other.locator('tbody tr').first()).toBeVisible();
  await press(other, 'Home');
  await run(other, 'join');
  await expect(other.getByRole('option', { name: /peer/i })).toBeVisible();
  await typeText(other, 'peer');
  await expect(other.getByRole('option')).toHaveCount(1);
  await press(other, 'Enter');
  await expect(screen(other)).toContainText('hello from one');
  await typeText(other, 'echo "hello from two"\n');
  await expect(screen(page)).toContainText('hello from two');
  // Everybody's tab says who else is there, as soon as they come and go.
  await expect(page.getByRole('tab')).toHaveAccessibleName(/, admin types$/);
  await expect(other.getByRole('tab')).toHaveAccessibleName(/, admin types$/);
  await page.locator('.xterm:visible').first().click();
  await typeText(page, 'echo "and back"\n');
  await expect(screen(other)).toContainText('and back');
  await typeText(page, 'exit\n');
  await expect(other.locator('.xterm:visible')).toHaveCount(0);
  await context.close();
});

test('in a recording n and N walk through what was searched, Escape keeps it, and a link to a moment waits there', async ({
  page,
  ownGateway: gateway,
}) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, `echo anot''her\n`);
  await expect(screen(page)).toContainText('another');
  await leaveShell(page);
  await openShell(page);
  await typeText(page, 'seq 1 30 | sed s/^/needle-/\n');
  await expect(screen(page)).toContainText('needle-30');
  await leaveShell(page);
  await press(page, 'g', 'r');
  await expect(page.getByRole('heading', { name: 'Session Recordings' })).toBeVisible();
  // The newest comes when its session has ended, which may be after the list was asked for.
  await expect(page.locator('tbody tr')).toHaveCount(2);
  await press(page, 'Home', 'Enter');
  await expect(page.locator('[data-player-screen]')).toBeVisible();
  await press(page, '/');
  const field = page.getByLabel('Search the recording');
  await expect(field).toBeFocused();
  await typeText(page, 'needle-1');
  await press(page, 'Enter');
  const found = page.locator('search output');
  await expect(found).toHaveText(/^\d+ of 11$/);
  const first = Number((await found.innerText()).split(' ')[0]);
  const on = (by: number): string => `${((((first - 1 + by) % 11) + 11) % 11) + 1} of 11`;
  await press(page, 'n');
  await expect(found).toHaveText(on(1));
  await press(page, 'n', 'n', 'Shift+n');
  await expect(found).toHaveText(on(2));
  await press(page, '/');
  await expect(field).toBeFocused();
  await press(page, 'Escape');
  await expect(field).toHaveCount(0);
  await press(page, 'n', '/');
  await expect(field).toHaveValue('needle-1');
  await expect(found).toHaveText(on(3));
  await press(page, 'Escape', 'y');
  await expect(page.getByText('Link to this moment copied').first()).toBeVisible();
  await page.goto(await page.evaluate('navigator.clipboard.readText()'));
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect(page.locator('[data-player-screen]')).toBeVisible();

  // Among all recordings it is found by the same text, once it is indexed, and opened there.
  await run(page, 'Search the text of all recordings', 'needle-27');
  const row = page.locator('tbody tr', { hasText: 'needle-27' });
  await expect(async () => {
    await page.reload();
    await expect(row).toBeVisible({ timeout: 2000 });
  }).toPass();
  await row.focus();
  await press(page, 'w');
  await expect(page.getByRole('img', { name: /^Last on the screen: .*exit/ })).toBeVisible();
  expect(await breaches(page, 'recordings found by a text, with the last screen of one')).toEqual([]);
  await run(page, 'Hold a recording', 'case 7');
  await expect(row.getByRole('img', { name: /^Held since .* by admin: case 7$/ })).toBeVisible();
  await run(page, 'Show what is held of the recordings');
  const holds = page.getByRole('dialog', { name: 'Legal holds' });
  await expect(holds.getByRole('row').nth(1)).toContainText('case 7');
  expect(await breaches(page, 'legal holds')).toEqual([]);
  await press(page, 'Escape');
  await expect(holds).toHaveCount(0);
  await row.focus();
  await press(page, 'Enter');
  await expect(page.locator('search output')).toHaveText(/^1 of /);
  await expect(field).toHaveValue('needle-27');
  // Its field hears no keys: those walk on.
  await expect(page.getByRole('region', { name: /^Recording of / })).toBeFocused();
  await press(page, 'n');
  await expect(page.getByText('No older recording holds "needle-27"').first()).toBeVisible();

  // Two that are marked are compared: what only one of them ran leads to its moment.
  await press(page, 'g', 'r');
  await expect(page.locator('tbody tr')).toHaveCount(2);
  await press(page, 'Home', 'x', 'End', 'x');
  await expect(page.getByText('2 marked', { exact: true }).first()).toBeVisible();
  await press(page, 'd');
  const only = page.getByRole('link', { name: /^seq 1 30/ });
  await expect(only).toBeVisible();
  await expect(page.getByText(/only in the left, 1 only in the right\./)).toBeVisible();
  expect(await breaches(page, 'two recordings side by side')).toEqual([]);
  // The keys are at the first difference: the commands of the left alone come before those of the right.
  const differing = page.locator('tr[data-differs=true]');
  await expect(differing.first().getByRole('link').first()).toBeFocused();
  await only.focus();
  await press(page, 'Enter');
  await expect(page).toHaveURL(/[?&]t=/);
  await expect(page.locator('[data-player-screen]')).toBeVisible();
});

test('the gateway dies in the middle: what was shown is in the recording, and the audit log says it was cut', async ({
  page,
  newGateway: gateway,
}) => {
  await acceptInvite(page, gateway);
  await openShell(page);
  await typeText(page, 'echo "shown before the end"\n');
  await expect(screen(page)).toContainText('shown before the end');
  await gateway.kill('SIGKILL');
  // A page that stayed would hear of the end itself, and remember no session for the next one.
  await page.goto('about:blank');
  await gateway.start();
  await page.goto(`${gateway.url}/web`);
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await expect(page.getByText('The session ended while you were away').first()).toBeVisible();
  await press(page, 'g', 'r');
  await expect(page.getByRole('heading', { name: 'Session Recordings' })).toBeVisible();
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await press(page, 'Home', 'Enter');
  await expect(screen(page)).toContainText('shown before the end');
  await expect(page.getByText(/cut/i).first()).toBeVisible();
});
