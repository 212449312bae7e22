// Pictures of single sign-on: connectors and their test, whoever came by one, and whoever was refused.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { PASSWORD } from './browser.ts';
import { isWanted, openPage, shoot } from './camera.ts';
import { acceptInvite, signIn } from './client.ts';
import { openGateway } from './gateway.ts';
import { githubConnector, openGitHubDouble } from './github-double.ts';

export const ssoPictures = [
  'sso-login',
  'sso-account',
  'sso-users',
  'sso-refused',
  'connectors-listed',
  'connector-test',
  'connector-tested',
  'connector-refused',
] as const;

export async function shootSso(browser: Browser): Promise<void> {
  const [one, github] = [await openGateway(), await openGitHubDouble()];
  try {
    const file = join(one.folder, 'hub.yaml');
    await writeFile(file, githubConnector(github, 'hub', { display: 'GitHub' }));
    await one.command('resources', 'apply', file);
    const user = await acceptInvite(one.url, one.invite(), PASSWORD);
    const { cookie } = await signIn(one.url, user, PASSWORD);
    const byProvider = await openPage(browser, one);
    const admin = await openPage(browser, one, cookie);
    const look = async (name: (typeof ssoPictures)[number], page = admin): Promise<void> => {
      if (isWanted(name)) await shoot(page, name);
    };

    const member = { login: 'octo', id: 7, orgs: ['acme'], teams: ['acme/ops'] };
    const stranger = { login: 'mona', id: 8, orgs: ['elsewhere'], teams: [] };
    const button = byProvider.getByRole('link', { name: 'Sign in with GitHub' });
    for (const person of [stranger, member]) {
      github.person = person;
      await byProvider.goto(`${one.url}/web/login?redirect_uri=/web/account`);
      await byProvider.getByRole('link', { name: 'Other sign-in options' }).click();
      await button.waitFor();
      if (person === stranger) await look('sso-login', byProvider);
      await button.click();
      await byProvider
        .getByRole('heading', { name: person === stranger ? 'Login Unsuccessful' : 'Account Settings' })
        .waitFor();
      await look(person === stranger ? 'sso-refused' : 'sso-account', byProvider);
    }
    await admin.goto(`${one.url}/web/users`);
    await admin.getByRole('row', { name: /octo/ }).waitFor();
    await look('sso-users');

    await admin.goto(`${one.url}/web/sso`);
    await admin.getByRole('row', { name: /hub/ }).waitFor();
    await look('connectors-listed');
    for (const person of [member, stranger]) {
      github.person = person;
      await admin.goto(`${one.url}/web/sso?test=github/hub`);
      const leave = admin.getByRole('link', { name: 'Sign in at the provider' });
      await leave.waitFor();
      if (person === member) await look('connector-test');
      await leave.click();
      await admin
        .getByRole('dialog')
        .getByText(/would be signed in/)
        .waitFor();
      await look(person === member ? 'connector-tested' : 'connector-refused');
    }
  } finally {
    github.close();
    await one.dispose();
  }
}
