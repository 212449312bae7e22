// The navigation rules of the specification (section 2) in a real browser: what an address leads to, and what leaving a page asks.
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { to } from '../src/features/paths.ts';
import { type FeatureId, featureIds, features } from '../src/features/table.ts';
import { PASSWORD } from './rigs/browser.ts';
import { acceptInvite as acceptByWire, signIn as signInByWire } from './rigs/client.ts';
import { carry, enter, expect, press, run, test, typeText } from './rigs/journey.ts';

const cluster = hostname();
const anyToken = '0'.repeat(64);
/** Something in the place of every parameter. */
const anything = {
  clusterId: cluster,
  serverId: 'none',
  login: 'root',
  sid: '0',
  conversationId: anyToken,
  tokenId: anyToken,
  requestId: anyToken,
  lost: 'password',
  fqdn: 'none',
  name: 'none',
  namespace: 'none',
  pod: 'none',
  view: 'log',
  type: 'slack',
  desktopName: 'none',
  username: 'none',
};
/** An address of every page. */
const addressOf = (id: FeatureId): string => to(id, anything);
const isPublic = (id: FeatureId): boolean => features[id].public === true;
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

// Rule 2: public routes work signed out
test('each public route works signed out', async ({ page, gateway }) => {
  for (const id of featureIds.filter(isPublic)) {
    await page.goto(gateway.url + addressOf(id));
    await expect(page.getByRole('heading', { level: 1 }), id).toBeVisible();
    expect(new URL(page.url()).pathname, id).toBe(addressOf(id));
  }
});

// Rule 2: private routes lead to login
test('each private route leads to login, with the page that was asked for as redirect_uri', async ({
  page,
  gateway,
}) => {
  for (const id of featureIds.filter(id => !isPublic(id))) {
    await page.goto(`${gateway.url}${addressOf(id)}?a=1`);
    await expect(page.getByLabel('Username'), id).toBeVisible();
    const url = new URL(page.url());
    expect([url.pathname, url.searchParams.get('redirect_uri')], id).toEqual(['/web/login', `${addressOf(id)}?a=1`]);
  }
});

// Rule 2.1: a path that is no route
// Rule 2.4: 404: 'The requested path could not be found.'
test('a path that is no page says so; a page of a cluster and of none has its own title', async ({ page, gateway }) => {
  await enter(page, gateway);
  for (const path of ['/web/nothing', '/web/billing/nothing', '/web/users/ada', '/web/cluster/%ff/nodes']) {
    await page.goto(gateway.url + path);
    await expect(page.getByRole('heading', { name: '404 Not Found' }), path).toBeVisible();
    await expect(page.getByText('The requested path could not be found.')).toBeVisible();
  }
  await page.getByRole('button', { name: 'Go to the start' }).focus();
  await press(page, 'Enter');
  await expect(page).toHaveURL(`${gateway.url}/web/cluster/${cluster}/nodes`);
  await expect(page).toHaveTitle(`${cluster} • Servers`);
  await expect(page.getByRole('button', { name: `Cluster: ${cluster}` })).toBeVisible();

  await press(page, 'g', 'u');
  await expect(page).toHaveTitle('Users');
  // No cluster in the URL: no selector, the route's title in its place.
  await expect(page.getByRole('button', { name: /^Cluster: / })).toHaveCount(0);
  await expect(page.getByRole('banner').getByText('Users', { exact: true })).toBeVisible();
});

test('root, a cluster’s own route and settings lead on, and back does not go round in a circle', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await press(page, 'g', 'u');
  await expect(page.getByRole('heading', { name: 'Users' })).toHaveCount(1);
  for (const [path, lands] of [
    ['/web', `/web/cluster/${cluster}/nodes`],
    [`/web/cluster/${cluster}`, `/web/cluster/${cluster}/nodes`],
    ['/web/settings', '/web/account'],
  ] as const) {
    await page.goto(gateway.url + path);
    await expect(page).toHaveURL(gateway.url + lands);
  }
  await page.goBack();
  await expect(page).toHaveURL(`${gateway.url}/web/cluster/${cluster}/nodes`);
});

// Rule 2.1: routes without access are not registered
test('a person who reaches no resource page lands on support, and routes without access are not there', async ({
  page,
  gateway,
}) => {
  const file = join(gateway.folder, 'nothing.yaml');
  const rules = 'rules: [{resources: ["*"], verbs: ["*"]}]';
  await writeFile(file, `kind: role\nversion: v7\nmetadata: {name: nothing}\nspec: {deny: {${rules}}}\n`);
  await gateway.command('resources', 'apply', file);
  const said = await gateway.command('users', 'add', 'nobody', '--roles', 'nothing');
  await acceptByWire(gateway.url, /http\S+/.exec(said)?.[0] ?? '', PASSWORD);
  await carry(page, gateway, (await signInByWire(gateway.url, 'nobody', PASSWORD)).cookie);
  await page.goto(`${gateway.url}/web`);
  await expect(page).toHaveURL(`${gateway.url}/web/support`);
  for (const name of ['Support', 'Resources', 'Troubleshooting', 'Updates', 'Cluster Information'])
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  for (const name of ['Cluster Name', 'Gateway Version', 'Public Address'])
    await expect(page.getByText(name, { exact: true })).toBeVisible();
  await expect(page.getByText('Public SSH Tunnel')).toHaveCount(0);
  // Whoever may nothing may still ask.
  await expect(sidebar(page).getByRole('link')).toHaveText([/^Access Requests/]);
  for (const id of ['nodes', 'users', 'clusters', 'audit'] as const) {
    await page.goto(gateway.url + addressOf(id));
    await expect(page.getByRole('heading', { name: 'Access Denied' }), id).toBeVisible();
  }
});

test('the category switch remembers the last path of each category', async ({ page, gateway }) => {
  await enter(page, gateway);
  await press(page, 'g', 'd');
  await expect(page).toHaveTitle(`${cluster} • Databases`);
  await page.goto(`${page.url()}?search=prod`);
  await expect(page.getByRole('main')).toBeVisible();
  await sidebar(page).getByRole('button', { name: 'Management' }).click();
  await expect(page).toHaveURL(`${gateway.url}/web/users`);
  await press(page, 'g', 'l');
  await expect(page).toHaveTitle(`${cluster} • Audit Log`);
  await press(page, '[');
  await expect(page).toHaveURL(/\/databases\?search=prod/);
  await press(page, ']');
  await expect(page).toHaveURL(/\/audit(\?|$)/);
  await expect(page).toHaveTitle(`${cluster} • Audit Log`);
});

// Rule 2.2: groups, arrows, Enter, Escape
// Rule 2.2: a group expands by itself for the current route
test('groups of the sidebar: arrows move, Enter toggles, Escape closes, and a page opens its own', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await press(page, 'g', 'u');
  const group = sidebar(page).getByRole('button', { name: 'Activity' });
  await group.focus();
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  await press(page, 'Enter');
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await press(page, 'Enter', 'Escape');
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await press(page, 'ArrowUp');
  await expect(sidebar(page).getByRole('link', { name: /Trusted Devices/ })).toBeFocused();
  await press(page, 'ArrowDown');
  await expect(group).toBeFocused();
  await press(page, 'g', 'l');
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  await expect(sidebar(page).getByRole('link', { name: /Audit Log/ })).toHaveAttribute('aria-current', 'page');
});

// Rule 8: 'No leaf clusters found'
test('picking a cluster rewrites the path and keeps the rest; what no cluster is called is said', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await page.goto(`${gateway.url}/web/cluster/-current-/databases?search=prod`);
  await page.getByRole('button', { name: /^Cluster: / }).click();
  await page.getByLabel('Filter clusters').fill('no such cluster');
  await expect(page.getByText('No leaf clusters found')).toBeVisible();
  await page.getByLabel('Filter clusters').fill(cluster.slice(0, 3).toUpperCase());
  await page.getByRole('menuitem', { name: cluster }).click();
  await expect(page).toHaveURL(new RegExp(`/web/cluster/${cluster}/databases\\?search=prod`));

  // By command as well; where one was in the list belongs to the cluster that is left, and a page of no cluster leads to the servers.
  await page.goto(`${gateway.url}/web/cluster/-current-/databases?search=prod&row=31`);
  await run(page, '>Switch to a cluster', cluster);
  await expect(page).toHaveURL(`${gateway.url}/web/cluster/${cluster}/databases?search=prod`);
  await press(page, 'g', 'u');
  await expect(page).toHaveURL(/\/web\/users$/);
  await run(page, '>Switch to a cluster', cluster);
  await expect(page).toHaveURL(`${gateway.url}/web/cluster/${cluster}/nodes`);
});

test("Enter in the menu of clusters counts though they are still on their way, and the keys behind it are the page's that comes", async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  let letThrough = (): void => {};
  const held = new Promise<void>(go => {
    letThrough = go;
  });
  const asked = page.waitForRequest('**/v1/webapi/sites');
  await page.route('**/v1/webapi/sites', async route => {
    await held;
    await route.continue();
  });
  await run(page, 'choose the cluster');
  await expect(page.getByLabel('Filter clusters')).toBeFocused();
  await asked;
  await typeText(page, `${cluster.slice(0, 3)}\n?`);
  letThrough();
  await expect(page).toHaveURL(`${gateway.url}/web/cluster/${cluster}/nodes`);
  await expect(page.getByRole('dialog', { name: 'Keyboard help' })).toBeVisible();
  await press(page, 'Escape');
});

test('a page with something unsaved asks before it is left: by a command, by back, by closing the tab', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await press(page, 'g', 'm');
  const field = page.getByLabel('Current Password');
  await field.fill('typed and not saved');
  const question = page.getByRole('alertdialog', { name: 'Leave this page?' });

  await run(page, 'Go to Users');
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL(/\/web\/account$/);

  await page.goBack();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(page).toHaveURL(/\/web\/account$/);
  await expect(field).toHaveValue('typed and not saved');

  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(field).toHaveValue('typed and not saved');

  await page.goBack();
  await question.getByRole('button', { name: 'Leave' }).press('Enter');
  await expect(page).toHaveTitle(`${cluster} • Servers`);
  // What was given up is not asked about again.
  await run(page, 'Go to Users');
  await expect(page).toHaveTitle('Users');
});

test('the clusters page marks the root and leads to its pages', async ({ page, gateway }) => {
  await enter(page, gateway);
  await press(page, 'g', 'c');
  const row = page.getByRole('grid').locator('tbody tr').first();
  await expect(row).toContainText('Root');
  await expect(row).toContainText(cluster);
  await row.getByRole('button', { name: `Pages of ${cluster}` }).click();
  for (const name of [
    'Servers',
    'Applications',
    'Kubernetes',
    'Databases',
    'Desktops',
    'Audit Log',
    'Session Recordings',
  ])
    await expect(page.getByRole('menuitem', { name })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Audit Log' }).click();
  await expect(page).toHaveTitle(`${cluster} • Audit Log`);
});

// Rule 2.3: the theme shows in every tab
// Rule 4: the theme follows another tab
test('a theme chosen in one tab shows in the others, also on a page that needs no sign-in', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  const other = await page.context().newPage();
  await other.goto(`${gateway.url}/web/msg/info/login_success`);
  const third = await page.context().newPage();
  await third.goto(`${gateway.url}/web/users`);
  await expect(third).toHaveTitle('Users');
  const theme = (one: Page) => one.locator('html').getAttribute('data-theme');
  const before = await theme(page);
  const after = before === 'dark' ? 'light' : 'dark';
  await page.getByTitle('User menu').click();
  await page
    .getByRole('menuitem', { name: after === 'dark' ? 'Switch to Dark Theme' : 'Switch to Light Theme' })
    .click();
  for (const one of [page, other, third]) await expect(one.locator('html')).toHaveAttribute('data-theme', after);
});
