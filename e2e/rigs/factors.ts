// What people do in a browser with their second factors: links, keys of the browser's own, codes from oathtool.
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright/test';
import { PASSWORD } from './browser.ts';
import { expect, press, typeText } from './journey.ts';

/** A key of the browser's own, which is touched as soon as it is asked for; `isPasskey`: it keeps credentials and verifies its owner. */
export async function plugIn(page: Page, isPasskey = false) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: isPasskey ? 'internal' : 'usb',
      hasResidentKey: isPasskey,
      hasUserVerification: isPasskey,
      isUserVerified: isPasskey,
      automaticPresenceSimulation: true,
    },
  });
  return {
    unplug: () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    forgetKeys: () => session.send('WebAuthn.clearCredentials', { authenticatorId }),
    touch: (enabled: boolean) => session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}
/** The code of `ahead` half-minutes from now, 0 or 1: it still counts when another half-minute begins before it is checked. */
export const codeOf = (secret: string, ahead = 0): string =>
  execFileSync('oathtool', ['--totp', '-b', `--now=@${Math.floor(Date.now() / 1000) + ahead * 30}`, secret])
    .toString()
    .trim();
export const servers = (page: Page) => expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();

export async function beginLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole('button', { name: /Get started|Continue/ })).toBeFocused();
  await press(page, 'Enter');
}
export async function setPassword(page: Page): Promise<void> {
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await typeText(page, PASSWORD);
  await press(page, 'Tab');
  await typeText(page, `${PASSWORD}\n`);
}
/** Leaves the person at the page that says it is done. */
export async function keepCodes(page: Page, user: string, words = 'I have saved my Recovery Codes'): Promise<void> {
  await expect(page.getByText('Recovery codes (3 total)')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: /^postern(-[a-z]+){8}$/ })).toHaveCount(3);
  await page.getByRole('button', { name: `${words} (${user})` }).focus();
  await press(page, 'Enter');
  await expect(page.getByRole('button', { name: 'Go to Cluster' })).toBeFocused();
}
export async function saveCodes(page: Page, user: string, words?: string): Promise<void> {
  await keepCodes(page, user, words);
  await press(page, 'Enter');
  await servers(page);
}
/** What is shown to an authenticator app, for somebody who is asked for a device. */
export async function chooseApp(page: Page): Promise<string> {
  await page.getByLabel('Two-Factor Method').selectOption('Authenticator App');
  return shownSecret(page);
}
/** The same where an app is all that there is. */
export const shownSecret = async (page: Page): Promise<string> =>
  (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';

/** Shows the other ways in. A browser that goes to a fragment takes the focus away with the next frame, from whatever has it by then. */
export async function showOthers(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Other sign-in options' }).press('Enter');
  await expect(page).toHaveURL(/#other$/);
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** The address that a command has answered. */
export const linkIn = (said: string): string => /http\S+/.exec(said)?.[0] ?? '';
