// Getting in, being refused, and getting out, as the specification words it.
import { acceptInvite, expect, PASSWORD, press, run, signIn, test } from './rigs/journey.ts';

test('a used or unknown invite link leads to the expired page', async ({ page, newGateway: gateway }) => {
  const link = gateway.invite();
  await acceptInvite(page, gateway);
  await page.context().clearCookies();
  for (const url of [link, `${gateway.url}/web/invite/${'0'.repeat(64)}`]) {
    await page.goto(url);
    await expect(page.getByRole('heading', { name: 'Invitation Code Expired' })).toBeVisible();
  }
});

test('a wrong password says so and a right one lets in, to the page that was asked for', async ({ page, gateway }) => {
  await page.goto(`${gateway.url}/web/users`);
  await expect(page).toHaveURL(/\/web\/login\?redirect_uri=/);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password').fill('not the password');
  await press(page, 'Enter');
  await expect(page.getByRole('alert')).toContainText(/invalid credentials/i);
  await page.getByLabel('Password').fill(PASSWORD);
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
});

test('the form is there before any script of the console, and what was typed and sent meanwhile counts', async ({
  page,
  gateway,
}) => {
  const said: string[] = [];
  page.on('console', message => said.push(message.text()));
  page.on('pageerror', error => said.push(error.message));
  let letGo = () => {};
  const held = new Promise<void>(done => {
    letGo = done;
  });
  await page.route(/\/web\/app\/assets\/(index|react|console|forms)-.*\.js$/, async route => {
    await held;
    await route.continue();
  });
  await page.goto(`${gateway.url}/web/login`, { waitUntil: 'commit' });
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await press(page, 'Enter');
  // Nothing has left the page: neither for another address nor with a password in it.
  await expect(page).toHaveURL(`${gateway.url}/web/login`);
  await expect(page.getByLabel('Password')).toHaveValue(PASSWORD);
  letGo();
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  expect(said).toEqual([]);
});

test('the drawn form comes in the theme of this browser, and is taken over without a word', async ({
  page,
  gateway,
}) => {
  const said: string[] = [];
  page.on('console', message => said.push(message.text()));
  page.on('pageerror', error => said.push(error.message));
  await page.addInitScript(() => localStorage.setItem('postern:user_preferences', '{"theme":2}'));
  await page.route(/\/assets\/index-.*\.js$/, route => route.abort());
  await page.goto(`${gateway.url}/web/login`);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.unroute(/\/assets\/index-.*\.js$/);
  said.length = 0;
  await page.goto(`${gateway.url}/web/login?redirect_uri=/web/users`);
  await expect(page).toHaveTitle('Sign In');
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.getByLabel('Password').fill('typed first');
  await press(page, 'Enter');
  await expect(page.getByText('Username is required').first()).toBeVisible();
  expect(said).toEqual([]);
});

test('logging out ends the session in every tab, and the bearer token no longer works', async ({ page, gateway }) => {
  await signIn(page, gateway, 'admin', PASSWORD);
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(`${gateway.url}/web/users`);
  await expect(other.getByRole('heading', { name: 'Users' })).toBeVisible();
  await run(page, 'Logout');
  await expect(page).toHaveURL(/\/web\/login/);
  await expect(other).toHaveURL(/\/web\/login/);
});

test('a person without rights is told why, and the gateway refuses them too', async ({ page, gateway }) => {
  const said = await gateway.command('users', 'add', 'viewer', '--roles', 'auditor');
  const link = /http\S+/.exec(said)?.[0] ?? '';
  await page.goto(link);
  await expect(page.getByText('viewer')).toBeVisible();
  await press(page, 'Enter');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await press(page, 'Enter');
  await expect(page.getByRole('button', { name: /Go to/ }).or(page.getByRole('link', { name: /Go to/ }))).toBeFocused();
  await press(page, 'Enter');
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await press(page, 'Control+k');
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await page.keyboard.type('add a server');
  await expect(page.getByRole('option', { name: /Add a server/ })).toContainText(/role/i);
  await press(page, 'Escape', 'Escape');
  await page.goto(`${gateway.url}/web/users`);
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
});

test('five wrong passwords lock the name for everyone who tries it', async ({ page, gateway }) => {
  await gateway.command('users', 'add', 'locked', '--roles', 'access');
  for (let attempt = 0; attempt < 5; attempt++) {
    await signIn(page, gateway, 'locked', `wrong ${attempt}`);
    await expect(page.getByRole('alert')).toContainText(/invalid credentials/i);
  }
  await signIn(page, gateway, 'locked', 'wrong again');
  await expect(page.getByRole('alert')).toContainText(/invalid credentials/i);
});
