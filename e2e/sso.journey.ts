// Single sign-on in a browser, at a provider of OpenID Connect with its own forms.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, hold, run, test } from './rigs/journey.ts';
import { openOidcProvider } from './rigs/oidc-provider.ts';

// The provider's certificate is its own.
test.use({ ignoreHTTPSErrors: true });

test('the button works before any script, a person of the provider comes in with their roles, and one without is told', async ({
  page,
  gateway,
}) => {
  const provider = await openOidcProvider(`${gateway.url}/v1/webapi/oidc/callback`);
  try {
    const file = join(gateway.folder, 'corp.yaml');
    writeFileSync(
      file,
      `kind: oidc
version: v3
metadata: { name: corp }
spec:
  display: Our company
  issuer_url: ${provider.issuer}
  ca_cert: ${JSON.stringify(provider.ca)}
  client_id: postern
  client_secret: the-secret-of-the-client
  claims_to_roles: [{ claim: groups, value: admins, roles: [editor] }]
`,
    );
    await gateway.command('resources', 'apply', file);
    provider.claims = { email: 'ann@example.com', email_verified: true, groups: ['admins'] };

    const signIn = page.getByRole('link', { name: 'Sign in with Our company' });
    const { letGo } = await hold(page, /\/web\/app\/assets\/index-.*\.js$/);
    await page.goto(`${gateway.url}/web/login?redirect_uri=/web/users`, { waitUntil: 'commit' });
    const others = page.getByRole('link', { name: 'Other sign-in options' });
    await others.press('Enter');
    await signIn.press('Enter');
    await page.locator('input[name=login]').fill('ann');
    await page.locator('input[name=password]').fill('x');
    await page.locator('button[type=submit]').press('Enter');
    letGo();
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
    await expect(page.getByRole('row', { name: /ann@example\.com/ })).toContainText('OIDC');

    await run(page, 'Logout');
    await expect(page).toHaveURL(/\/web\/login/);
    provider.claims = { ...provider.claims, groups: [] };
    await others.press('Enter');
    await signIn.press('Enter');
    await expect(page).toHaveURL(`${gateway.url}/web/msg/error/login/auth`);
    await expect(page.getByText('none of your groups there gives you a role here')).toBeVisible();
  } finally {
    provider.close();
  }
});
