// What takes pictures of pages: in both themes, at four widths.
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright';
import { cookiesOf } from './browser.ts';
import type { GatewayRig } from './gateway.ts';

export const folder = resolve(import.meta.dirname, '../../shots');
export const sizes = [
  { name: 'laptop', width: 1440, height: 900 },
  { name: 'wide', width: 1056, height: 800 },
  { name: 'tablet', width: 800, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const;
const themes = ['light', 'dark'] as const;
/** Scenes by name: `npm run shots -- palette login` takes only those. */
export const wanted = process.argv.slice(2);
export const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
export const taken: string[] = [];

export async function shoot(page: Page, name: string, inThemes: readonly string[] = themes): Promise<void> {
  for (const theme of inThemes) {
    for (const size of sizes) {
      await page.setViewportSize(size);
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await page.waitForLoadState('networkidle');
      // Terminals and canvases draw a new theme in a later frame; resizes are waited out by the pane itself (200 ms).
      await page.waitForTimeout(400);
      const file = `${name}.${theme}.${size.name}.png`;
      await page.screenshot({ path: join(folder, file) });
      taken.push(file);
    }
  }
  await page.setViewportSize(sizes[0]);
}

export async function openPage(browser: Browser, gateway: GatewayRig, cookie?: string): Promise<Page> {
  // The certificates of the providers in these pictures are their own.
  const context = await browser.newContext({
    ...{ reducedMotion: 'reduce', viewport: sizes[0] },
    ignoreHTTPSErrors: true,
  });
  if (cookie !== undefined) await context.addCookies(cookiesOf(gateway.url, cookie));
  return context.newPage();
}

/** Presses keys one after the other; `type:` before a text types it, `click:` before a name clicks that button. */
export async function keys(page: Page, ...presses: readonly string[]): Promise<void> {
  for (const key of presses) {
    if (key.startsWith('type:')) await page.keyboard.type(key.slice(5));
    else if (key.startsWith('click:')) await page.getByRole('button', { name: key.slice(6) }).click();
    else await page.keyboard.press(key);
    // As a person would, each key is pressed when the one before has shown what it does.
    await page.waitForTimeout(200);
  }
}
