// Single sign-on in a browser: at a provider of OpenID Connect and one of SAML with their own forms, and at a double of GitHub.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { PASSWORD } from './rigs/browser.ts';
import { showOthers } from './rigs/factors.ts';
import type { GatewayRig } from './rigs/gateway.ts';
import { githubConnector, openGitHubDouble } from './rigs/github-double.ts';
import { enter, expect, forget, hold, press, run, test, typeText } from './rigs/journey.ts';
import { oidcConnector, openOidcProvider } from './rigs/oidc-provider.ts';
import { postern } from './rigs/postern.ts';
import { openSamlProvider, SAML_PASSWORD, samlConnector } from './rigs/saml-provider.ts';

// The providers' certificates are their own.
test.use({ ignoreHTTPSErrors: true });

async function apply(gateway: GatewayRig, connector: string): Promise<void> {
  const file = join(gateway.folder, 'connector.yaml');
  await writeFile(file, connector);
  await gateway.command('resources', 'apply', file);
}
const button = (page: Page, display: string) => page.getByRole('link', { name: `Sign in with ${display}` });
const users = (page: Page) => expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
async function refused(page: Page, gateway: GatewayRig): Promise<void> {
  await expect(page).toHaveURL(`${gateway.url}/web/msg/error/login/auth`);
  await expect(page.getByText('none of your groups there gives you a role here')).toBeVisible();
}

// Rule 1: single sign-on, beside local login
test('the button works before any script, a person of the provider comes in with their roles, and a test signs nobody in', async ({
  page,
  gateway,
}) => {
  const provider = await openOidcProvider(`${gateway.url}/v1/webapi/oidc/callback`);
  try {
    await apply(gateway, oidcConnector(provider, 'corp', { display: 'Our company' }));
    provider.claims = { email: 'ann@example.com', email_verified: true, groups: ['boss'] };

    const { letGo } = await hold(page, /\/web\/app\/assets\/index-.*\.js$/);
    await page.goto(`${gateway.url}/web/login?redirect_uri=/web/users`, { waitUntil: 'commit' });
    await showOthers(page);
    await button(page, 'Our company').press('Enter');
    await page.locator('input[name=login]').fill('ann');
    await page.locator('input[name=password]').fill('x');
    await page.locator('button[type=submit]').press('Enter');
    letGo();
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await users(page);
    await expect(page.getByRole('row', { name: /ann@example\.com/ })).toContainText('OIDC');
    // Who keeps her password is said; there is nothing of it here.
    await page.goto(`${gateway.url}/web/account/password`);
    await expect(page.getByText('Single sign-on: your password is kept by the provider')).toBeVisible();
    await expect(page.getByRole('region', { name: /password|factor|passkey|codes/i })).toHaveCount(0);

    await run(page, 'Logout');
    await expect(page).toHaveURL(/\/web\/login/);
    provider.claims = { ...provider.claims, groups: ['guests'] };
    await showOthers(page);
    await button(page, 'Our company').press('Enter');
    await refused(page, gateway);

    await enter(page, gateway);
    await run(page, 'Test sign-in by an auth connector', 'corp');
    const dialog = page.getByRole('dialog', { name: 'Test sign-in by corp' });
    await expect(dialog.getByRole('link', { name: 'Sign in at the provider' })).toBeFocused();
    const [tab] = await Promise.all([page.waitForEvent('popup'), press(page, 'Enter')]);
    // Ann is signed in at the provider still.
    await tab.waitForEvent('close');
    await expect(dialog.getByRole('alert')).toContainText(
      'Nobody would be signed in: no rule of oidc connector "corp"',
    );
    await expect(dialog.getByText('ann@example.com', { exact: true }).first()).toBeVisible();
    await expect(dialog.getByText('guests', { exact: true })).toBeVisible();
    // The link that had the keys is gone: they are with what is left.
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
    await press(page, 'Escape');
    await expect(dialog).toBeHidden();
    await page.goto(`${gateway.url}/web/users`);
    await expect(page.getByRole('row', { name: /^admin/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /ann@example\.com/ })).toBeHidden();
  } finally {
    provider.close();
  }
});

test('a provider of SAML takes the signed request, and its encrypted answer signs in with the roles of its attributes', async ({
  page,
  gateway,
}) => {
  const provider = await openSamlProvider({ sam: { mail: ['sam@example.com'], groups: ['dev', 'boss'] } });
  try {
    const attributes_to_roles = [{ name: 'groups', value: 'boss', roles: ['editor'] }];
    await apply(gateway, samlConnector(provider, 'idp', { display: 'SAML', attributes_to_roles }));
    const metadata = await (await fetch(`${gateway.url}/v1/webapi/saml/metadata?connector_id=idp`)).text();
    const acs = `${gateway.url}/v1/webapi/saml/acs`;
    provider.register(acs, /X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? '');

    await page.goto(`${gateway.url}/web/login?redirect_uri=/web/users`);
    await showOthers(page);
    // Chosen before the browser says that the address has changed, it keeps the keys.
    await button(page, 'SAML').focus();
    await page.evaluate(() => dispatchEvent(new HashChangeEvent('hashchange')));
    await press(page, 'Enter');
    await page.locator('input[name=username]').fill('sam');
    await page.locator('input[name=password]').fill(SAML_PASSWORD);
    const [posted] = await Promise.all([page.waitForRequest(acs), page.locator('input[name=password]').press('Enter')]);
    await users(page);
    await expect(page.getByRole('row', { name: /sam@example\.com/ })).toContainText(/editor.*SAML/);
    const answer = new URLSearchParams(posted.postData() ?? '').get('SAMLResponse') ?? '';
    expect(Buffer.from(answer, 'base64').toString()).toMatch(/<saml:EncryptedAssertion>(?!.*sam@example)/s);

    // The same provider signs a command line in: the browser, known there still, comes back to this machine.
    const line = postern(gateway.folder, 'sign-in', '--url', gateway.url, '--connector', 'idp');
    await page.goto(await line.link(/\S+code_challenge=\S+/));
    await expect(page.getByRole('heading', { name: 'Continue in Terminal' })).toBeVisible();
    expect(await line.status).toBe(0);
    expect(line.printed()).toContain(`Signed in to ${gateway.url} as sam@example.com`);
    const seen = postern(gateway.folder, 'users', 'list');
    expect(await seen.status).toBe(0);
    expect(seen.printed()).toMatch(/sam@example\.com .*SAML/);
  } finally {
    provider.close();
  }
});

test('teams at GitHub give roles, the log says why somebody was refused, and passwords that are off come back by the machine', async ({
  page,
  gateway,
}) => {
  const github = await openGitHubDouble();
  try {
    await apply(gateway, githubConnector(github, 'hub', { display: 'GitHub' }));
    github.person = { login: 'octo', id: 7, orgs: ['acme'], teams: ['acme/ops'] };
    await page.goto(`${gateway.url}/web/login?redirect_uri=/web/users`);
    await showOthers(page);
    await button(page, 'GitHub').press('Enter');
    await users(page);
    await expect(page.getByRole('row', { name: /octo/ })).toContainText(/accesseditor.*GitHub/);

    await run(page, 'Put an auth connector first', 'hub');
    await expect(page.getByText('The sign-in form begins with hub')).toBeVisible();
    await forget(page);
    await gateway.command('passwords', 'accept', 'no');
    github.person = { login: 'mona', id: 8, orgs: ['other'], teams: [] };
    await page.goto(`${gateway.url}/web/login`);
    await expect(page.getByLabel('Password')).toBeHidden();
    await button(page, 'GitHub').press('Enter');
    await refused(page, gateway);

    await gateway.command('passwords', 'accept', 'yes');
    await page.goto(`${gateway.url}/web/login`);
    await showOthers(page);
    await expect(page.getByLabel('Username')).toBeFocused();
    await typeText(page, 'admin');
    await press(page, 'Tab');
    await typeText(page, `${PASSWORD}\n`);
    await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
    await press(page, 'g', 'l');
    await expect(page.getByRole('row', { name: /no rule of github connector "hub" gives mona a role/ })).toBeVisible();
  } finally {
    github.close();
  }
});
