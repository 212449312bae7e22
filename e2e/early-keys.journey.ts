// No key is lost while a page is being loaded: known keys are pressed at every part of that moment.
import type { Page } from 'playwright/test';
import { enter, expect, press, test, typeText } from './rigs/journey.ts';

/** Moments after the change began at which keys are pressed, ms: close together where most happens. */
const moments = [0, 5, 20, 50, 120, 350];
/** A machine that is busy with other work. */
const SLOWER = 3;

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

/** Asks for the palette and goes to a page by it, without waiting for anything in between. */
async function goBlindly(page: Page, title: string): Promise<void> {
  await press(page, 'Control+k');
  await typeText(page, `>Go to ${title}`);
  await press(page, 'Enter');
}

// Every moment is a page load or more, on a machine that is made slow.
test.beforeEach(() => test.setTimeout(240_000));

const isAt = (page: Page, path: RegExp, when: number) => expect(page, `keys pressed after ${when} ms`).toHaveURL(path);

test('a page that is still being loaded', async ({ page, gateway }) => {
  await enter(page, gateway);
  await slowDown(page);
  for (const when of moments) {
    await page.goto(`${gateway.url}/web/cluster/-current-/databases`, { waitUntil: 'domcontentloaded' });
    await page.waitForTimeout(when);
    await goBlindly(page, 'Users');
    await isAt(page, /\/web\/users$/, when);
  }
});

test('bare keys on a page that is still being loaded', async ({ page, gateway }) => {
  await enter(page, gateway);
  await slowDown(page);
  for (const when of moments) {
    await page.goto(`${gateway.url}/web/cluster/-current-/nodes`, { waitUntil: 'domcontentloaded' });
    await page.waitForTimeout(when);
    await press(page, 'g', 'o');
    await isAt(page, /\/web\/roles$/, when);
  }
});
