// Several people, several tabs: what belongs to whom, and what happens when a session ends behind a page's back.
import { hostname } from 'node:os';
import { PASSWORD } from './rigs/browser.ts';
import {
  addPerson,
  carry,
  enter,
  expect,
  forget,
  leaveShell,
  openShell,
  press,
  screen,
  signIn,
  test,
  typeText,
} from './rigs/journey.ts';

test('a person who may only use servers plays what they recorded themselves, and nothing of others', async ({
  page,
  gateway,
  browser,
}) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'echo not-for-others\n');
  await expect(screen(page)).toContainText('not-for-others');
  await leaveShell(page);
  await press(page, 'g', 'r');
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await press(page, 'Home', 'Enter');
  await expect(page).toHaveURL(/\/session\//);
  const forbidden = page.url();

  await press(page, 'g', 'r');
  await expect(page.locator('tbody tr')).toHaveCount(1);

  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const other = await context.newPage();
  const second = await addPerson(gateway, 'second', '--roles', 'access', '--logins', 'root');
  await carry(other, gateway, second.cookie);
  await other.goto(`${gateway.url}/web`);
  await expect(other.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await openShell(other);
  await typeText(other, 'echo my-own\n');
  await expect(screen(other)).toContainText('my-own');
  await leaveShell(other);
  await press(other, 'g', 'r');
  await expect(other.getByRole('heading', { name: 'Session Recordings' })).toBeVisible();
  await expect(other.locator('tbody tr')).toHaveCount(1);
  await expect(other.locator('tbody tr')).toContainText('second');
  // A list that is open learns of it by itself.
  await expect(page.locator('tbody tr')).toHaveCount(2);
  await press(other, 'Home', 'Enter');
  await expect(screen(other)).toContainText('my-own');
  await other.goto(forbidden);
  await expect(other.getByText(/denied|not available|not found|may not/i).first()).toBeVisible();
  await expect(other.getByText('not-for-others')).toHaveCount(0);
  await context.close();
});

test('a session that was ended elsewhere leads to the sign-in page, and from there back to where one was', async ({
  page,
  gateway,
}) => {
  const person = await addPerson(gateway, 'ended', '--roles', 'editor,access,auditor', '--logins', 'root');
  await carry(page, gateway, person.cookie);
  // Nobody tells the page of it: it hears of it when it asks for the next list, which is where one was.
  await page.routeWebSocket(/\/webapi\/changes\?/, () => undefined);
  await page.goto(`${gateway.url}/web/users`, { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
  await person.call('DELETE', 'sessions/web');
  await press(page, 'g', 'o');
  await expect(page).toHaveURL(/\/web\/login\?redirect_uri=/);
  await page.getByLabel('Username').fill('ended');
  await page.getByLabel('Password').fill(PASSWORD);
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: /Roles/ })).toBeVisible();
});

test('a session that was ended elsewhere ends the list at once: when it asks, when someone comes back to its tab, and when nobody does anything', async ({
  page,
  gateway,
}) => {
  for (const name of ['ended-asking', 'ended-returning', 'ended-idle']) {
    const person = await addPerson(gateway, name, '--roles', 'access');
    await carry(page, gateway, person.cookie);
    const listens = page.waitForEvent('websocket', socket => socket.url().includes('/webapi/changes?'));
    await page.goto(`${gateway.url}/web`);
    await expect(page.locator('tbody tr').first()).toBeVisible();
    if (name === 'ended-idle') await listens;
    await person.call('DELETE', 'sessions/web');
    if (name === 'ended-asking') {
      await press(page, '/');
      await typeText(page, 'db');
    } else if (name === 'ended-returning') await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await expect(page).toHaveURL(/\/web\/login\?redirect_uri=/);
    await forget(page);
  }
});

test('signing out in one tab signs out the other, and neither comes back with the old cookie', async ({
  page,
  gateway,
}) => {
  await addPerson(gateway, 'two-tabs', '--roles', 'access');
  await signIn(page, gateway, 'two-tabs', PASSWORD);
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(`${gateway.url}/web`);
  await expect(other.getByRole('heading', { name: 'Servers' })).toBeVisible();
  const jar = await page.context().cookies(gateway.url.replace('http:', 'https:'));
  await press(other, 'Control+k');
  await expect(other.getByRole('combobox').first()).toBeFocused();
  await typeText(other, '>Logout');
  await press(other, 'Enter');
  await expect(other).toHaveURL(/\/web\/login/);
  await expect(page).toHaveURL(/\/web\/login/);
  await page.context().clearCookies();
  await carry(page, gateway, jar.map(({ name, value }) => `${name}=${value}`).join('; '));
  await page.goto(`${gateway.url}/web/cluster/${hostname()}/nodes`);
  await expect(page).toHaveURL(/\/web\/login/);
});

// Rule 2.3: Logout
test('the user menu signs out', async ({ page, gateway }) => {
  const person = await addPerson(gateway, 'leaves', '--roles', 'access');
  await carry(page, gateway, person.cookie);
  await page.goto(`${gateway.url}/web`);
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await page.getByTitle('User menu').focus();
  await press(page, 'Enter', 'End');
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeFocused();
  await press(page, 'Enter');
  await expect(page).toHaveURL(/\/web\/login/);
});

test('the session is checked every 15 s: one that ended meanwhile leads to login', async ({ page, gateway }) => {
  const person = await addPerson(gateway, 'checked', '--roles', 'access');
  await page.clock.install();
  await carry(page, gateway, person.cookie);
  await page.goto(`${gateway.url}/web`);
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  for (let check = 0; check < 2; check++) {
    const asked = page.waitForRequest('**/v1/webapi/user/status*');
    await page.clock.fastForward(15_000);
    await asked;
  }
  await person.call('DELETE', 'sessions/web');
  await page.clock.fastForward(15_000);
  await expect(page).toHaveURL(/\/web\/login/);
});

test('a key, a move and a press of the pointer count as activity, noted every 15 s at most', async ({
  page,
  gateway,
}) => {
  const person = await addPerson(gateway, 'active', '--roles', 'access', '--logins', 'root');
  await page.clock.install();
  await carry(page, gateway, person.cookie);
  await page.goto(`${gateway.url}/web`);
  await expect(page.locator('tbody tr').first()).toBeVisible();
  const noted = () => page.evaluate<number>(`Number(localStorage.getItem('postern:last_active'))`);
  let last = await noted();
  await openShell(page);
  for (const act of [
    () => page.keyboard.press('a'),
    () => page.mouse.move(300, 300),
    () => page.mouse.move(340, 340).then(() => page.mouse.down()),
  ]) {
    await page.clock.fastForward(16_000);
    await act();
    await expect.poll(noted).toBeGreaterThan(last + 15_000);
    last = await noted();
  }
  await page.keyboard.press('b');
  expect(await noted()).toBe(last);
});
