// Several people, several tabs: what belongs to whom, and what happens when a session ends behind a page's back.
import { hostname } from 'node:os';
import { PASSWORD } from './rigs/browser.ts';
import { acceptInvite, signIn as signInByWire } from './rigs/client.ts';
import type { GatewayRig } from './rigs/gateway.ts';
import { carry, enter, expect, leaveShell, openShell, press, screen, signIn, test } from './rigs/journey.ts';

/** A user with a password, signed in over the wire. */
async function addPerson(gateway: GatewayRig, name: string, ...flags: readonly string[]) {
  const said = await gateway.command('users', 'add', name, ...flags);
  await acceptInvite(gateway.url, /http\S+/.exec(said)?.[0] ?? '', PASSWORD);
  return signInByWire(gateway.url, name, PASSWORD);
}

test('a person who may only use servers plays what they recorded themselves, and nothing of others', async ({
  page,
  gateway,
  browser,
}) => {
  await enter(page, gateway);
  await openShell(page);
  await page.keyboard.type('echo not-for-others\n');
  await expect(screen(page)).toContainText('not-for-others');
  await leaveShell(page);
  await press(page, 'g', 'r');
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await press(page, 'j', 'Enter');
  await expect(page).toHaveURL(/\/session\//);
  const forbidden = page.url();

  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const other = await context.newPage();
  const second = await addPerson(gateway, 'second', '--roles', 'access', '--logins', 'root');
  await carry(other, gateway, second.cookie);
  await other.goto(`${gateway.url}/web`);
  await expect(other.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await openShell(other);
  await other.keyboard.type('echo my-own\n');
  await expect(screen(other)).toContainText('my-own');
  await leaveShell(other);
  await press(other, 'g', 'r');
  await expect(other.getByRole('heading', { name: 'Session Recordings' })).toBeVisible();
  await expect(other.locator('tbody tr')).toHaveCount(1);
  await expect(other.locator('tbody tr')).toContainText('second');
  await press(other, 'j', 'Enter');
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
  await page.goto(`${gateway.url}/web/users`);
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
  await person.call('DELETE', 'sessions/web');
  await press(page, 'g', 'o');
  await expect(page).toHaveURL(/\/web\/login\?redirect_uri=/);
  await page.getByLabel('Username').fill('ended');
  await page.getByLabel('Password').fill(PASSWORD);
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: /Roles/ })).toBeVisible();
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
  await other.keyboard.type('>Logout');
  await press(other, 'Enter');
  await expect(other).toHaveURL(/\/web\/login/);
  await expect(page).toHaveURL(/\/web\/login/);
  await page.context().clearCookies();
  await carry(page, gateway, jar.map(({ name, value }) => `${name}=${value}`).join('; '));
  await page.goto(`${gateway.url}/web/cluster/${hostname()}/nodes`);
  await expect(page).toHaveURL(/\/web\/login/);
});
