// Every way a cluster may be deployed, from the gateway's configuration over /web/config.js to what the console shows.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { to } from '../src/features/paths.ts';
import { BILLING_KEY, openBilling } from '../src/gateway/billing-double.testing.ts';
import { PASSWORD } from './rigs/browser.ts';
import { acceptInvite as acceptByWire, signIn as signInByWire } from './rigs/client.ts';
import { type GatewayRig, openGateway } from './rigs/gateway.ts';
import {
  acceptInvite,
  carry,
  enter,
  expect,
  forget,
  leaveShell,
  openShell,
  press,
  run,
  screen,
  signIn,
  test,
  typeText,
} from './rigs/journey.ts';
import { openPreparedGateway } from './rigs/prepared.ts';

/** A gateway started with these settings, with its first administrator. */
function inMode(title: string, flags: readonly string[], visit: (page: Page, gateway: GatewayRig) => Promise<void>) {
  test(title, async ({ page }) => {
    const gateway = await openPreparedGateway({ flags });
    try {
      await visit(page, gateway);
    } finally {
      await gateway.dispose();
    }
  });
}

/** What the console was told before anyone signed in. */
async function told(gateway: GatewayRig): Promise<Record<string, unknown>> {
  const script = await (await fetch(`${gateway.url}/web/config.js`)).text();
  return JSON.parse(script.slice(script.indexOf('{'), script.lastIndexOf('}') + 1)) as Record<string, unknown>;
}

/** Adds a user with roles by a one-time link, and signs in as that user. */
async function signInAs(page: Page, gateway: GatewayRig, name: string, roles: string): Promise<void> {
  const said = await gateway.command('users', 'add', name, '--roles', roles);
  await acceptByWire(gateway.url, /http\S+/.exec(said)?.[0] ?? '', PASSWORD);
  await signIn(page, gateway, name, PASSWORD);
}

/** A role that opens servers, and nothing of Management. */
async function serversOnly(gateway: GatewayRig): Promise<void> {
  const file = join(gateway.folder, 'role.yaml');
  await writeFile(
    file,
    'kind: role\nversion: v7\nmetadata: {name: servers-only}\nspec: {allow: {logins: [root], node_labels: {"*": "*"}}}\n',
  );
  await gateway.command('resources', 'apply', file);
}

const deployment = (page: Page) => page.getByRole('definition').nth(3);
const entry = (page: Page, name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
const banner = (page: Page, text: string) => page.getByText(text, { exact: true });
/** The banners are asked for once the person is known: with this one they are all there. */
async function untilBanners(page: Page): Promise<void> {
  await expect(banner(page, 'For everyone')).toBeVisible();
}

inMode('an enterprise deployment says so where help is asked for', ['--enterprise'], async (page, gateway) => {
  expect(await told(gateway)).toMatchObject({ isEnterprise: true, isCloud: false });
  await enter(page, gateway);
  await press(page, 'g', 'h');
  await expect(deployment(page)).toContainText('enterprise');
});

inMode('a cloud deployment shows billing banners to those who may see billing', ['--cloud'], async (page, gateway) => {
  expect(await told(gateway)).toMatchObject({ isCloud: true });
  await gateway.command('alerts', 'add', '--severity', '5', '--message', 'The card ends soon', '--billing');
  await gateway.command('alerts', 'add', '--severity', '1', '--message', 'For everyone');
  await enter(page, gateway);
  await untilBanners(page);
  await expect(banner(page, 'The card ends soon')).toBeVisible();
  await press(page, 'g', 'h');
  await expect(deployment(page)).toContainText('cloud');
  // What a bill would be made from, and as a file.
  await run(page, 'Go to Summary');
  const month = page.getByRole('row', { name: /so far/ });
  await expect(month.getByRole('gridcell').nth(1)).toHaveText('1');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).press('Enter');
  const csv = await readFile(await (await saved).path(), 'utf8');
  expect(csv.split('\r\n')).toHaveLength(14);
  expect(csv).toMatch(/^month,complete,people,sessions,.*\r\n\d{4}-\d\d,false,1,0,0,0,0,0,0\r\n/);
  await forget(page);
  await signInAs(page, gateway, 'reader', 'access');
  await untilBanners(page);
  await expect(banner(page, 'The card ends soon')).toHaveCount(0);
});

test('invoices, what they are paid with and to whom they are made out are there by keyboard where a provider of billing is set', async ({
  page,
}) => {
  // It goes through three pages and two questions.
  test.setTimeout(120_000);
  const provider = await openBilling();
  const gateway = await openPreparedGateway({
    flags: ['--cloud', '--billing-address', provider.address, '--billing-key', BILLING_KEY],
  });
  try {
    await page.context().route('https://pay.example.com/**', route =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><html lang="en"><title>Pay</title><main><h1>Add a card</h1></main>',
      }),
    );
    await enter(page, gateway);
    await run(page, 'Go to Payments and Invoices');
    const open = page.getByRole('row', { name: /2026-0003/ });
    await expect(open).toContainText('1,204.50 EUR');
    await expect(open).toContainText('To be paid by 2026-12-15');
    await page.getByRole('button', { name: 'Show older ones' }).press('Enter');
    await expect(page.getByRole('row', { name: /2026-0001/ })).toBeVisible();
    const saved = page.waitForEvent('download');
    await open.getByRole('button', { name: 'Save invoice 2026-0003 as PDF' }).press('Enter');
    expect((await saved).suggestedFilename()).toBe('invoice-2026-0003.pdf');

    const paidWith = page.getByRole('region', { name: 'Paid with' });
    await paidWith.getByRole('button', { name: 'Pay with Account ending in 0042' }).press('Enter');
    await expect(paidWith.getByText('Account ending in 0042 · used for the next invoice')).toBeVisible();
    await paidWith.getByRole('button', { name: 'Remove Visa ending in 4242' }).press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await expect(paidWith.getByText('Visa ending in 4242')).toHaveCount(0);

    await run(page, 'Go to Invoice Settings');
    await expect(page.getByLabel('Company')).toHaveValue('Example Ltd');
    await page.getByLabel('Tax number').fill('WRONG');
    await page.getByLabel('Tax number').press('Enter');
    await expect(page.getByRole('alert')).toContainText('the billing provider: this tax number is not known');
    await page.getByLabel('Tax number').fill('EX9');
    await page.getByLabel('Tax number').press('Enter');
    await expect(page.getByText('The invoice settings have been saved').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();

    await run(page, 'Go to Payments and Invoices');
    await page.getByRole('button', { name: 'Add at the provider…' }).press('Enter');
    await expect(page).toHaveURL('https://pay.example.com/session/1');
  } finally {
    await gateway.dispose();
    await provider.dispose();
  }
});

inMode('without a provider of billing its pages say how one is set', ['--cloud'], async (page, gateway) => {
  await enter(page, gateway);
  for (const name of ['Payments and Invoices', 'Invoice Settings']) {
    await run(page, `Go to ${name}`);
    await expect(page.getByRole('heading', { name })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('no billing provider is set');
  }
});

// Rule 1: a dashboard deployment and a leaf cluster exist
// Rule 6: a dashboard hands out its licence to whoever may read it
test('a dashboard deployment hides release alerts, and calls itself a dashboard', async ({ page }) => {
  // Three people come in, one after the other.
  test.setTimeout(180_000);
  const license = test.info().outputPath('license.pem');
  const asked = ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-subj', '/CN=Example', '-days', '20'];
  execFileSync('openssl', [...asked, '-keyout', '/dev/null', '-out', license], { stdio: 'ignore' });
  const gateway = await openGateway({ flags: ['--dashboard', '--license', license] });
  try {
    expect(await told(gateway)).toMatchObject({ isDashboard: true });
    const alert = join(gateway.folder, 'alert.yaml');
    await writeFile(
      alert,
      'kind: cluster_alert\nversion: v1\nmetadata: {name: upgrade-suggestion, labels: {postern.internal/alert-permit-all: "yes"}}\nspec: {severity: 5, message: A release is out}\n---\nkind: role\nversion: v7\nmetadata: {name: downloader}\nspec: {allow: {rules: [{resources: [download], verbs: [list]}, {resources: [license], verbs: [read]}]}}\n',
    );
    await gateway.command('resources', 'apply', alert);
    await gateway.command('alerts', 'add', '--severity', '1', '--message', 'For everyone');
    await acceptInvite(page, gateway);
    await untilBanners(page);
    await expect(banner(page, 'A release is out')).toHaveCount(0);
    await press(page, 'g', 'h');
    await expect(deployment(page)).toContainText('dashboard');
    // It hands out what people need, with the checksum of what really comes.
    await forget(page);
    await signInAs(page, gateway, 'fetcher', 'downloader');
    await untilBanners(page);
    await run(page, 'Go to Downloads');
    const file = page.getByRole('row', { name: /The command line/ });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      file.getByRole('link', { name: 'postern.mjs', exact: true }).press('Enter'),
    ]);
    const sum = createHash('sha256')
      .update(await readFile(await download.path()))
      .digest('hex');
    await expect(file).toContainText(sum);
    // And the licence, whose end whoever runs the cluster is told of in time.
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save license.pem' }).press('Enter');
    expect(await readFile(await (await saved).path(), 'utf8')).toBe(await readFile(license, 'utf8'));
    await forget(page);
    await signIn(page, gateway, 'admin', PASSWORD);
    await expect(page.getByText(/^The licence that this dashboard hands out ends on .* \(in 19 days\)/)).toBeVisible();
  } finally {
    await gateway.dispose();
  }
});

// Rule 6: a locked feature shows another nav item and page, which lead to sales
inMode(
  'usage-based billing locks active sessions and premium support, and each leads to the sales page',
  ['--usage-based-billing', '--sales-url', 'https://sales.example.com/plans'],
  async (page, gateway) => {
    expect(await told(gateway)).toMatchObject({
      isUsageBasedBilling: true,
      salesUrl: 'https://sales.example.com/plans',
    });
    await page.context().route('https://sales.example.com/**', route => route.fulfill({ body: 'plans' }));
    await enter(page, gateway);
    await expect(entry(page, 'Active Sessions').getByLabel('Locked')).toBeVisible();
    await press(page, 'g', 'v');
    const locked = `${gateway.url}/web/cluster/${hostname()}/sessions/locked`;
    await expect(page).toHaveURL(locked);
    await expect(page).toHaveTitle(`${hostname()} • Active Sessions`);
    await expect(
      page.getByRole('heading', { name: "Active Sessions is not part of this cluster's plan" }),
    ).toBeVisible();
    await expect(entry(page, 'Active Sessions')).toHaveAttribute('aria-current', 'page');

    const call = page.getByRole('link', { name: 'Contact sales' });
    await call.focus();
    const opened = page.waitForEvent('popup');
    await press(page, 'Enter');
    const sales = await opened;
    expect(sales.url()).toBe('https://sales.example.com/plans');
    expect(await sales.evaluate('window.opener')).toBeNull();
    await expect.poll(() => gateway.output()).toMatch(/"event":"postern.ui.callToAction.click","eventData":2,/);
    await sales.close();

    // The ordinary address of a locked page leads to its locked one, also from outside and back.
    await page.goto(locked.replace('/locked', ''));
    await expect(page).toHaveURL(locked);
    await press(page, 'g', 'h');
    await expect(page.getByRole('heading', { name: 'Premium Support' })).toBeVisible();
    await expect(deployment(page)).toContainText('billed by use');
    const [premium] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Contact sales' }).click(),
    ]);
    await expect.poll(() => gateway.output()).toMatch(/"event":"postern.ui.callToAction.click","eventData":4,/);
    await premium.close();
    // What was clicked is counted, and shown to whoever runs the cluster.
    await run(page, 'Show what is counted of clicks');
    await expect(page.getByText('It is sent nowhere.')).toBeVisible();
    await expect(page.getByRole('row', { name: /callToAction.click activeSessions 1/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /callToAction.click premiumSupport 1/ })).toBeVisible();
  },
);

inMode('without a sales page a locked feature says whom to ask', ['--usage-based-billing'], async (page, gateway) => {
  await enter(page, gateway);
  await run(page, 'Go to Active Sessions');
  await expect(page.getByText('Whoever runs this cluster can change its plan.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Contact sales' })).toHaveCount(0);
});

test('elsewhere nothing is locked: the address of a locked page leads to the page itself', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  const path = `${gateway.url}/web/cluster/${hostname()}/sessions`;
  await page.goto(`${path}/locked`);
  await expect(page).toHaveURL(path);
  await expect(page.getByRole('heading', { name: 'Active Sessions', exact: true })).toBeVisible();
  await expect(page.getByLabel('Locked')).toHaveCount(0);
  await press(page, 'g', 'h');
  await expect(deployment(page)).toContainText('self-hosted');
  await expect(page.getByRole('heading', { name: 'Premium Support' })).toHaveCount(0);
});

// Rule 2.1: the switch shows only when the managementSection flag is on
inMode(
  'with inaccessible features hidden, who may list nothing in Management sees no switch to it',
  ['--hide-inaccessible-features'],
  async (page, gateway) => {
    expect(await told(gateway)).toMatchObject({ hideInaccessibleFeatures: true });
    const category = page.getByRole('group', { name: 'Category' });
    await enter(page, gateway);
    await expect(category).toBeVisible();
    await forget(page);
    await serversOnly(gateway);
    await signInAs(page, gateway, 'reader', 'servers-only');
    await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
    await expect(category).toHaveCount(0);
  },
);

test('elsewhere the switch to Management always shows, and says so where nothing of it is open', async ({
  page,
  gateway,
}) => {
  const file = join(gateway.folder, 'nothing.yaml');
  const rules = 'rules: [{resources: ["*"], verbs: ["*"]}]';
  await writeFile(file, `kind: role\nversion: v7\nmetadata: {name: nothing}\nspec: {deny: {${rules}}}\n`);
  await gateway.command('resources', 'apply', file);
  await signInAs(page, gateway, 'plain-reader', 'nothing');
  await expect(page.getByRole('heading', { name: 'Help & Support' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Category' })).toBeVisible();
  await page.getByRole('button', { name: 'Management' }).focus();
  await press(page, 'Enter');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('Nothing here is open to your roles');
  await expect(page.getByRole('heading', { name: 'Help & Support' })).toBeVisible();
  await press(page, 'Tab', '[');
  await expect(page.getByRole('log')).toContainText('Nothing here is open to your roles');
});

// Rule 2.2: a powered-by logo otherwise
// Rule 2.3: the toggle is hidden for a custom theme
inMode(
  'a custom theme is dark with an orange brand, and nobody switches it',
  ['--custom-theme', 'orange'],
  async (page, gateway) => {
    expect(await told(gateway)).toMatchObject({ customTheme: 'orange' });
    await enter(page, gateway);
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(page.locator('html')).toHaveAttribute('data-brand', 'orange');
    await expect(page.getByText('Powered by Postern')).toBeVisible();
    await page.getByRole('button', { name: /admin/ }).click();
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: /Switch to/ })).toHaveCount(0);
  },
);

// Rule 2.2: a custom logo
test('a custom logo stands in the sidebar in place of the powered-by logo', async ({ page }) => {
  const folder = test.info().outputPath('logo.svg');
  await writeFile(
    folder,
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="32"><rect width="96" height="32" fill="#2458d3"/></svg>',
  );
  const gateway = await openPreparedGateway({ flags: ['--custom-theme', 'orange', '--logo', folder] });
  try {
    await enter(page, gateway);
    const logo = page.getByRole('img', { name: `Logo of ${hostname()}` });
    await expect(logo).toBeVisible();
    await expect.poll(() => page.evaluate(`document.querySelector('nav img').naturalWidth`)).toBe(96);
    await expect(page.getByText('Powered by Postern')).toHaveCount(0);
  } finally {
    await gateway.dispose();
  }
});

test('a route of another cluster is a leaf: one that the gateway does not know is answered on the page', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  for (const [path, title] of [
    ['nodes', 'Servers'],
    ['console', 'Console'],
    ['recordings', 'Session Recordings'],
    ['sessions', 'Active Sessions'],
    [`session/${'0'.repeat(8)}`, `Play ${'0'.repeat(8)}`],
  ]) {
    await page.goto(`${gateway.url}/web/cluster/other/${path}`);
    await expect(page.getByRole('heading', { name: 'Cluster Not Found' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText('cluster "other" not found');
    await expect(page).toHaveTitle(`other • ${title}`);
    await expect(page.getByRole('button', { name: 'Cluster: other' })).toBeVisible();
  }
  await page.goto(`${gateway.url}/web/cluster/other/audit?range=today`);
  await page.getByRole('button', { name: `Go to ${hostname()}` }).focus();
  await press(page, 'Enter');
  await expect(page).toHaveURL(`${gateway.url}/web/cluster/${hostname()}/audit?range=today`);
  await expect(page.locator('tbody tr').first()).toBeVisible();
});

test('a leaf is left by the cluster selector, which keeps the page', async ({ page, gateway }) => {
  await enter(page, gateway);
  await page.goto(`${gateway.url}/web/cluster/other/audit`);
  await page.getByRole('button', { name: 'Cluster: other' }).focus();
  await press(page, 'Enter');
  await expect(page.getByRole('menuitem', { name: hostname() })).toBeVisible();
  await typeText(page, hostname().slice(0, 2).toUpperCase());
  await press(page, 'Enter');
  await expect(page).toHaveURL(new RegExp(`/web/cluster/${hostname()}/audit`));
  await expect(page.locator('tbody tr').first()).toBeVisible();
});

// Rule 2.4: the questionnaire shows at start and closes on submit
inMode(
  'the questionnaire is asked at start, wants every answer, and never comes back',
  ['--questionnaire'],
  async (page, gateway) => {
    expect(await told(gateway)).toMatchObject({ questionnaire: true });
    await enter(page, gateway);
    const dialog = page.getByRole('dialog', { name: 'Tell us about your work' });
    await expect(dialog).toBeVisible();
    const company = dialog.getByLabel('Company name');
    await expect(company).toBeFocused();
    await press(page, 'Escape');
    await expect(dialog).toBeVisible();
    await press(page, 'Enter');
    for (const missing of ['Company name', 'Number of employees', 'Team', 'Job title', 'At least one resource'])
      await expect(dialog.getByText(new RegExp(`^${missing} is required$`)).first()).toBeVisible();
    await expect(company).toBeFocused();

    // By keyboard: each list takes the first letters of an answer.
    await typeText(page, 'Example');
    for (const answer of ['20-', 'Dev', 'Ind']) {
      await press(page, 'Tab');
      await typeText(page, answer);
    }
    await press(page, 'Tab', 'Tab', 'Tab', 'Space', 'Control+Enter');
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => gateway.output()).toContain('postern.ui.onboard.questionnaire.submit');
    await expect.poll(() => page.evaluate(`localStorage.getItem('postern:onboard_survey')`)).toBeNull();

    // Kept at the gateway: not by this browser alone.
    await page.evaluate('localStorage.clear()');
    const kept = page.waitForResponse(response => response.url().endsWith('/user/preferences'));
    await page.reload();
    expect(await (await kept).json()).toMatchObject({
      onboard: {
        preferredResources: [2],
        survey: {
          companyName: 'Example',
          employeeCount: '20-199',
          team: 'DevOps Engineering',
          jobTitle: 'Individual contributor',
        },
      },
    });
    await expect(page.locator('tbody tr').first()).toBeVisible();
    await press(page, 'Control+k');
    await expect(page.getByRole('combobox').first()).toBeFocused();
    await expect(dialog).toHaveCount(0);
  },
);

inMode(
  'the questionnaire waits while a terminal has the keys, and can be put off',
  ['--questionnaire'],
  async (page, gateway) => {
    const wire = await signInByWire(gateway.url, 'admin', PASSWORD);
    const { items } = (await wire.call('GET', `sites/${wire.cluster}/nodes`)) as { items: { id: string }[] };
    await carry(page, gateway, wire.cookie);
    await page.goto(
      `${gateway.url}${to('consoleConnect', { clusterId: wire.cluster, serverId: items[0]?.id ?? '', login: 'root' })}`,
    );
    const dialog = page.getByRole('dialog', { name: 'Tell us about your work' });
    await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
    await typeText(page, 'echo $((6 * 7))\n');
    await expect(screen(page)).toContainText('42');
    await expect(dialog).toHaveCount(0);
    await leaveShell(page);
    await press(page, 'g', 's');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Not now' }).focus();
    await press(page, 'Enter');
    await expect(dialog).toHaveCount(0);
    await page.reload();
    await expect(page.locator('tbody tr').first()).toBeVisible();
    await openShell(page);
    await leaveShell(page);
    await expect(dialog).toHaveCount(0);
  },
);
