// Getting in, being refused, and getting out, as the specification words it.

import { PASSWORD } from './rigs/browser.ts';
import {
  acceptInvite,
  addPerson,
  carry,
  enter,
  expect,
  forget,
  hold,
  press,
  run,
  signIn,
  test,
  typeText,
} from './rigs/journey.ts';
import { openPreparedGateway } from './rigs/prepared.ts';

// Rule 2.5: expired links
// Rule 8: a link that is not valid any more
// Rule 2.5: an expired link points to an issue tracker
// Rule 4: the success button tells of its click and leads to root
test('a used or unknown invite link leads to the expired page', async ({ page, newGateway: gateway }) => {
  const link = gateway.invite();
  await acceptInvite(page, gateway);
  // The success button was told to the gateway's log on the way.
  await expect.poll(gateway.output).toContain('postern.ui.onboard.completeGoToDashboard.click');
  await forget(page);
  for (const url of [link, `${gateway.url}/web/invite/${'0'.repeat(64)}`]) {
    await page.goto(url);
    await expect(page.getByRole('heading', { name: 'Invitation Code Expired' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'sign in' })).toHaveAttribute('href', '/web/login');
  }
  await expect(
    page.getByText(
      "It appears that your invite code isn't valid any more. Please contact your account administrator and request another invite link.",
    ),
  ).toBeVisible();
  await expect(page.getByText('issue tracker')).toBeVisible();
  await page.goto(`${gateway.url}/web/reset/${'0'.repeat(64)}/continue`);
  await expect(page.getByRole('heading', { name: 'Reset Code Expired' })).toBeVisible();
  await expect(
    page.getByText(
      "It appears that your reset code isn't valid any more. Please contact your account administrator and request another reset link.",
    ),
  ).toBeVisible();
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
  const { letGo } = await hold(page, /\/web\/app\/assets\/(index|react|console|forms)-.*\.js$/);
  await page.goto(`${gateway.url}/web/login`, { waitUntil: 'commit' });
  await expect(page.getByLabel('Username')).toBeFocused();
  await typeText(page, 'admin');
  await press(page, 'Tab');
  await typeText(page, PASSWORD);
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

// Rule 2.4: Access Denied
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
  await typeText(page, 'add a server');
  await expect(page.getByRole('option', { name: /Add a server/ })).toContainText(/role/i);
  await press(page, 'Escape', 'Escape');
  await page.goto(`${gateway.url}/web/users`);
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
});

test('five wrong passwords lock the name for everyone who tries it', async ({ page, gateway }) => {
  await gateway.command('users', 'add', 'locked', '--roles', 'access');
  for (let attempt = 0; attempt < 4; attempt++) {
    await signIn(page, gateway, 'locked', `wrong ${attempt}`);
    await expect(page.getByRole('alert')).toContainText(/invalid credentials/i);
  }
  for (const password of ['wrong once more', 'wrong again']) {
    await signIn(page, gateway, 'locked', password);
    await expect(page.getByRole('alert')).toContainText(/locked after 5 failed attempts; try again in \d+ minutes/);
  }
});

for (const uri of [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example/web/users/x',
  'javascript:alert(1)',
  '/web/nothing',
])
  test(`login with the redirect_uri ${uri} stays on our own origin`, async ({ page, gateway }) => {
    await page.goto(`${gateway.url}/web/login?redirect_uri=${encodeURIComponent(uri)}`);
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Enter');
    await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
    expect(new URL(page.url()).origin).toBe(gateway.url);
  });

test('someone who is signed in already is taken on from login, to a page of ours only', async ({ page, gateway }) => {
  await enter(page, gateway);
  await page.goto(`${gateway.url}/web/login?redirect_uri=/web/users&redirect_uri=//evil.example/web/roles`);
  await expect(page).toHaveURL(`${gateway.url}/web/roles`);
});

// Rule 2: message pages
// Rule 2.4: Login Unsuccessful leads back to login: 'Please attempt to log in again.'
// Rule 2.5: Continue in Terminal
test('the message pages say what happened elsewhere', async ({ page, gateway }) => {
  const at = (path: string) => page.goto(`${gateway.url}/web/msg/${path}`);
  await at('info/login_terminal?auth=github');
  await expect(page.getByRole('heading', { name: 'Continue in Terminal' })).toBeVisible();
  await expect(page.getByText('You have been authenticated by github.')).toBeVisible();
  const said: (string | null)[] = [];
  for (const path of ['error/login', 'error/login/callback', 'error/login/auth', 'error/login_failed']) {
    await at(path);
    await expect(page.getByRole('heading', { name: 'Login Unsuccessful' })).toBeVisible();
    said.push(await page.getByRole('main').getByRole('paragraph').first().textContent());
    await page.getByRole('link', { name: 'Please attempt to log in again.' }).press('Enter');
    await expect(page.getByLabel('Username')).toBeVisible();
  }
  expect(new Set(said).size).toBe(3);
});

// Rule 2.5: the auto-close page
test('the auto-close page can be ignored and closes on its own', async ({ page, gateway }) => {
  await page.goto(`${gateway.url}/web/msg/info/login_close`);
  await expect(page.getByText('This tab can be ignored and will close on its own')).toBeVisible();
  const opening = page.waitForEvent('popup');
  await page.evaluate(() => void globalThis.open('/web/msg/info/login_close'));
  const popup = await opening;
  if (!popup.isClosed()) await popup.waitForEvent('close');
});

test('a single sign-on through a connector that is not there ends on the page that says so', async ({
  page,
  gateway,
}) => {
  for (const [path, lands] of [
    ['github/login/web?connector_id=nobody&redirect_url=https://evil.example/', 'login'],
    ['oidc/callback?code=1&state=2', 'login/callback'],
  ]) {
    await page.goto(`${gateway.url}/v1/webapi/${path}`);
    await expect(page).toHaveURL(`${gateway.url}/web/msg/error/${lands}`);
    await expect(page.getByRole('heading', { name: 'Login Unsuccessful' })).toBeVisible();
  }
});

test('whoever was away too long is signed out on entry, for good; whoever signs in anew is not', async ({ page }) => {
  const gateway = await openPreparedGateway({ flags: ['--session-inactivity-timeout', '10m'] });
  try {
    const wasActive = (minutesAgo: number) =>
      page.evaluate(at => localStorage.setItem('postern:last_active', String(at)), Date.now() - minutesAgo * 60_000);
    await page.goto(`${gateway.url}/web/login`);
    await wasActive(60 * 24);
    await signIn(page, gateway, 'admin', PASSWORD);
    await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
    await wasActive(9);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
    await wasActive(10);
    await page.reload();
    await expect(page).toHaveURL(/\/web\/login\?redirect_uri=/);
    await page.goto(`${gateway.url}/web/users`);
    await expect(page).toHaveURL(/\/web\/login\?redirect_uri=%2Fweb%2Fusers/);
  } finally {
    await gateway.dispose();
  }
});

test('a session that ended while its page slept is logged out at the next step, at the gateway too', async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway, 'admin', PASSWORD);
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await page.evaluate(() => {
    const token: unknown = JSON.parse(localStorage.getItem('postern:token') ?? '{}');
    localStorage.setItem('postern:token', JSON.stringify({ ...(token as object), created: 0 }));
  });
  await press(page, 'g', 'u');
  await expect(page).toHaveURL(/\/web\/login\?redirect_uri=%2Fweb%2Fusers/);
  await page.goto(`${gateway.url}/web/users`);
  await expect(page).toHaveURL(/\/web\/login\?redirect_uri=%2Fweb%2Fusers/);
});

// Rule 8: a session that cannot be checked
// Rule 2.4: the full-screen error dialog: 'An error has occurred', its message, and Go to Login
// Rule 2.4: the error dialog advises to try again by refreshing
test('a session that cannot be checked shows the error dialog, with a way to login', async ({ page, gateway }) => {
  await enter(page, gateway);
  await page.route('**/sites/-current-/context', route => route.abort());
  await page.reload();
  await expect(page.getByRole('heading', { name: 'An error has occurred' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveText('Network request failed');
  await expect(page.getByText('Try again by refreshing the page.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Go to Login' })).toBeFocused();
  await page.unroute('**/sites/-current-/context');
  await page.getByRole('button', { name: 'Refresh' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
});

// Rule 2.4: the error dialog leads to login
test('from the error dialog Enter leads to login', async ({ page, gateway }) => {
  await carry(page, gateway, (await addPerson(gateway, 'failed', '--roles', 'access')).cookie);
  await page.route('**/sites/-current-/context', route => route.abort());
  await page.goto(`${gateway.url}/web`);
  await expect(page.getByRole('button', { name: 'Go to Login' })).toBeFocused();
  await press(page, 'Enter');
  await expect(page).toHaveURL(/\/web\/login/);
  await expect(page.getByLabel('Username')).toBeFocused();
});
