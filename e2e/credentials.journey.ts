// Invitation and reset: what a person is told on the way from the link to the root, and what is asked of a password.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { PASSWORD } from './rigs/browser.ts';
import { openGateway } from './rigs/gateway.ts';
import { enter, expect, hold, press, signIn, test, typeText } from './rigs/journey.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const confirmed = (page: Page) => page.getByLabel('Confirm Password');

async function set(page: Page, first: string, second: string): Promise<void> {
  await password(page).fill(first);
  await confirmed(page).fill(second);
  await press(page, 'Enter');
}

// Rule 2.5: password, device, codes, success
// Rule 2.5: Submit without one
// Rule 9: a step slides for 500 ms
// Rule 2.5: 'Go to Cluster' otherwise
// Rule 4: loading shows nothing, failure the expired page, success the form
test('an invitation: nothing while its token is looked up, the username is fixed, a password is asked for twice and sent once', async ({
  page,
  newGateway: gateway,
}) => {
  await page.addInitScript(() => {
    const slides: string[] = [];
    Object.assign(window, { slides });
    // A call that takes long turns a sign of waiting as well, which is no slide.
    addEventListener('animationstart', ({ animationName, target }) => {
      if (animationName.includes('next')) slides.push(getComputedStyle(target as HTMLElement).animationDuration);
    });
  });
  const token = await hold(page, /\/users\/password\/token\/\w+$/);
  await page.goto(gateway.invite());
  await expect.poll(token.count).toBe(1);
  await expect(page.getByRole('heading')).toHaveCount(0);
  token.letGo();
  await expect(heading(page, 'Welcome to Postern')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Get started' })).toBeFocused();
  await press(page, 'Enter');
  await expect(heading(page, 'Set A Password')).toBeVisible();
  await expect(page).toHaveURL(/\/continue$/);
  await expect(page.getByLabel('Username')).toHaveValue('admin');
  await expect(page.getByLabel('Username')).not.toBeEditable();
  await expect(password(page)).toBeFocused();

  const sent = await hold(page, /\/users\/password\/token$/, 'PUT');
  const submit = page.getByRole('button', { name: 'Submit', exact: true });
  await set(page, 'short', 'short');
  await expect(page.getByRole('alert').filter({ hasText: 'Enter at least 12 characters' })).toBeAttached();
  await expect(password(page)).toBeFocused();
  await set(page, PASSWORD, `${PASSWORD}!`);
  await expect(page.getByRole('alert').filter({ hasText: 'Password does not match' })).toBeAttached();
  await expect(confirmed(page)).toBeFocused();
  expect(sent.count()).toBe(0);
  await set(page, PASSWORD, PASSWORD);
  await expect(submit).toBeDisabled();
  await press(page, 'Enter');
  sent.letGo();
  await expect(heading(page, 'Registration Successful')).toBeVisible();
  expect(sent.count()).toBe(1);
  // The welcome, the password and the end are steps of one wizard: the later ones slided in.
  await expect.poll(() => page.evaluate<string[]>('window.slides')).toEqual(['0.5s', '0.5s']);
  await expect(page.getByRole('button', { name: 'Go to Cluster', exact: true })).toBeFocused();
  await press(page, 'Enter');
  await expect(heading(page, 'Servers')).toBeVisible();
});

// Rule 1: onboarding by invitation or reset
// Rule 2.5: a reset has wording of its own
test('a reset has a wording of its own, up to the root', async ({ page, gateway }) => {
  await gateway.command('users', 'add', 'forgot', '--roles', 'access');
  const said = await gateway.command('users', 'reset', 'forgot');
  await page.goto(/http\S+/.exec(said)?.[0] ?? '');
  await expect(heading(page, 'Reset your sign-in')).toBeVisible();
  await press(page, 'Enter');
  await expect(heading(page, 'Set A Password')).toBeVisible();
  await set(page, PASSWORD, PASSWORD);
  await expect(heading(page, 'Reset Successful')).toBeVisible();
  await press(page, 'Enter');
  await expect(heading(page, 'Servers')).toBeVisible();
});

// Rule 2.5: 'Go to Dashboard' after the first invitation
test('the first administrator names whom to invite and what they came for, is led to the dashboard, and is handed the link', async ({
  page,
}) => {
  const gateway = await openGateway({ flags: ['--dashboard', '--cloud', '--questionnaire'] });
  try {
    await page.goto(`${gateway.invite()}/continue`);
    await set(page, PASSWORD, PASSWORD);
    await expect(heading(page, 'Invite Collaborators')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'User names' })).toBeFocused();
    await typeText(page, 'ann\n');
    await page.getByRole('button', { name: 'Invite', exact: true }).press('Enter');
    await page.getByLabel('Company name').fill('Example');
    await page.getByLabel('Number of employees').selectOption('0-19');
    await page.getByLabel('Team').selectOption('IT');
    await page.getByLabel('Job title').selectOption('VP');
    await page.getByLabel('Databases').check();
    await page.getByRole('button', { name: 'Submit' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Go to Dashboard', exact: true })).toBeFocused();
    await press(page, 'Enter');
    await expect(page.getByRole('dialog', { name: 'ann has been invited' })).toBeVisible();
    await page.getByRole('button', { name: 'Copy the link' }).press('Enter');
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  } finally {
    await gateway.dispose();
  }
});

// Rule 2.5: web login disabled
test('where keys live in hardware, an invitation and a reset end on the page that says where to sign in instead, and so does signing in', async ({
  page,
  gateway,
}) => {
  const role = join(gateway.folder, 'keyed.yaml');
  writeFileSync(
    role,
    'kind: role\nversion: v7\nmetadata: { name: keyed }\nspec: { options: { require_session_mfa: hardware_key } }\n',
  );
  await gateway.command('resources', 'apply', role);
  for (const [kind, title] of [
    ['add', 'Registration Complete'],
    ['reset', 'Reset Complete'],
  ] as const) {
    const said = await gateway.command('users', kind, 'keyed', ...(kind === 'add' ? ['--roles', 'keyed'] : []));
    await page.goto(`${/http\S+/.exec(said)?.[0]}/continue`);
    await set(page, PASSWORD, PASSWORD);
    await expect(heading(page, title)).toBeVisible();
    await expect(
      page.getByText('Use a desktop client or a command-line tool that keeps its keys there.'),
    ).toBeVisible();
  }
  await signIn(page, gateway, 'keyed', PASSWORD);
  await expect(heading(page, 'Web UI Login Disabled')).toBeVisible();
});

// Rule 2.4: 'Add my first resource' goes to discover, 'I'll do that later' closes; both mark notified
test('who reaches nothing yet, and may add, is told how: once, and both answers count', async ({ page, gateway }) => {
  await enter(page, gateway);
  await page.route(/\/resources\/check$/, route => route.fulfill({ json: { hasResource: false } }));
  const dialog = page.getByRole('dialog', { name: 'Nothing to reach yet' });
  const notified = () => page.evaluate<string | null>(`localStorage.getItem('postern:discover')`);
  const anew = async (): Promise<void> => {
    await page.evaluate(`localStorage.removeItem('postern:discover')`);
    await page.reload();
    await expect(dialog).toBeVisible();
  };
  await anew();
  await page.getByRole('button', { name: "I'll do that later" }).press('Enter');
  await expect(dialog).toHaveCount(0);
  expect(await notified()).toContain('"notified":true');
  // It is asked about where it stands to be asked: the other questions of an opening page have been by then.
  let asked = 0;
  page.on('request', request => {
    if (request.url().endsWith('/resources/check')) asked += 1;
  });
  await page.reload();
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(dialog).toHaveCount(0);
  expect(asked).toBe(0);
  await anew();
  await page.getByRole('button', { name: 'Add my first resource' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Enroll New Resource' })).toBeVisible();
  await expect(page.getByLabel('Filter: what to enroll')).toBeFocused();
  expect(await notified()).toContain('"notified":true');
});
