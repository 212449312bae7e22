// What every journey starts from: a gateway, a browser that draws terminals as text, and hands that only use the keyboard.
import { hostname } from 'node:os';
import { test as base, expect, type Page } from 'playwright/test';
import { acceptInvite as acceptByWire } from './client.ts';
import { type GatewayRig, openGateway } from './gateway.ts';

export const PASSWORD = 'correct horse battery staple';

/** A gateway with its first administrator, shared by the journeys of one file; `newGateway` has nobody yet. */
export const test = base.extend<{ newGateway: GatewayRig }, { gateway: GatewayRig }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  newGateway: async ({}, use) => {
    const gateway = await openGateway();
    await use(gateway);
    await gateway.dispose();
  },
  gateway: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const gateway = await openGateway();
      await acceptByWire(gateway.url, gateway.invite(), PASSWORD);
      await use(gateway);
      await gateway.dispose();
    },
    { scope: 'worker' },
  ],
});

export { expect };

/** Presses keys one after the other: `press(page, 'g', 's')`. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** The first administrator takes the invite link and lands on the servers. Keyboard only. */
export async function acceptInvite(page: Page, gateway: GatewayRig): Promise<void> {
  await page.goto(gateway.invite());
  const start = page
    .getByRole('link', { name: /get started|continue/i })
    .or(page.getByRole('button', { name: /get started|continue/i }));
  const password = page.getByLabel('Password', { exact: true });
  await expect(start.or(password).first()).toBeVisible();
  if (await start.isVisible()) {
    await start.focus();
    await press(page, 'Enter');
  }
  await expect(password).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await press(page, 'Tab');
  await page.keyboard.type(PASSWORD);
  await press(page, 'Enter');
  const done = page
    .getByRole('button', { name: /Go to (Cluster|Dashboard)/ })
    .or(page.getByRole('link', { name: /Go to (Cluster|Dashboard)/ }));
  await expect(done).toBeFocused();
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
}

/** Signs in as the first administrator and waits for the servers. */
export async function enter(page: Page, gateway: GatewayRig): Promise<void> {
  await signIn(page, gateway, 'admin', PASSWORD);
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
}

/** Opens a shell on the machine of the gateway by typing the command whole. */
export async function openShell(page: Page): Promise<void> {
  await run(page, `ssh root@${hostname()}`);
  await expect(screen(page)).toContainText('#');
}

/** Signs in on the login page. */
export async function signIn(page: Page, gateway: GatewayRig, user: string, password: string): Promise<void> {
  await page.goto(`${gateway.url}/web/login`);
  await page.getByLabel('Username').fill(user);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Enter');
}

/** What the terminal that has the keys shows, as text (journeys run without WebGL, so the rows are elements). */
export const screen = (page: Page) => page.locator('.xterm-rows:visible').first();

/** Types into the palette and takes the first row. */
export async function run(page: Page, ...words: readonly string[]): Promise<void> {
  await press(page, 'Control+k');
  await expect(page.getByRole('combobox').first()).toBeFocused();
  for (const word of words) {
    await page.keyboard.type(word);
    await press(page, 'Enter');
  }
}
