// What the first load of a page is made of. Bytes and requests, not times: these are the same on every machine.
import type { Page, Request } from 'playwright/test';
import { requestsOf, weigh } from './rigs/fetched.ts';
import type { GatewayRig } from './rigs/gateway.ts';
import { enter, expect, leaveShell, openShell, press, run, test } from './rigs/journey.ts';
import { pages } from './rigs/pages.ts';

/** What is fetched ahead begins with the palette. */
const AHEAD = /\/Palette-[\w-]+\.js$/;

const named = (requests: readonly Request[]): string => requests.map(request => request.url()).join('\n');

/** Stops the page's clock: nothing is fetched ahead until a journey lets time pass. */
async function stopClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1000);
}

/** Loads the list of servers in a page whose clock stands. Answers all that its table takes, an array that grows. */
async function loadList(page: Page, gateway: GatewayRig): Promise<readonly Request[]> {
  await enter(page, gateway);
  const list = page.url();
  // What that page still waits for is not counted.
  await page.goto('about:blank');
  await stopClock(page);
  const requests = requestsOf(page);
  await page.goto(list, { waitUntil: 'networkidle' });
  await expect(page.locator('tbody tr').first()).toBeVisible();
  return requests;
}

/** Bytes of code in files that are not among the others. */
const codeBytesBeside = async (requests: readonly Request[], others: readonly Request[]): Promise<number> => {
  const known = new Set(others.map(request => request.url()));
  const ofFiles = requests.filter(request => request.resourceType() !== 'document' && !known.has(request.url()));
  return (await weigh(ofFiles)).codeBytes;
};

test('the sign-in page fetches 110 kB of code in 8 requests at most', async ({ page, gateway }) => {
  const requests = requestsOf(page);
  await page.goto(`${gateway.url}/web/login`, { waitUntil: 'networkidle' });
  await expect(page.getByLabel('Password')).toBeVisible();
  const fetched = await weigh(requests);
  expect(fetched.codeBytes).toBeLessThanOrEqual(110_000);
  expect(fetched.requests, named(requests)).toBeLessThanOrEqual(8);
});

// Rule 1: pages load on demand
test('the servers list fetches 180 kB of code in 14 requests at most until its table stands, and 260 kB of everything in 30 with the second after it', async ({
  page,
  gateway,
}) => {
  const requests = await loadList(page, gateway);
  const table = await weigh(requests);
  expect(table.codeBytes).toBeLessThanOrEqual(180_000);
  expect(table.requests, named(requests)).toBeLessThanOrEqual(14);
  const ahead = page.waitForRequest(AHEAD);
  await page.clock.runFor(1000);
  expect(requests.filter(request => AHEAD.test(request.url()))).toEqual([]);
  await page.clock.resume();
  await ahead;
  const untilAhead = requests.slice(
    0,
    requests.findIndex(request => AHEAD.test(request.url())),
  );
  const second = await weigh(untilAhead);
  expect(second.allBytes).toBeLessThanOrEqual(260_000);
  expect(second.requests, named(untilAhead)).toBeLessThanOrEqual(30);
});

test('no page fetches more than 60 kB of code that the servers list has not, its editor 150 kB', async ({
  page,
  gateway,
}) => {
  test.setTimeout(120_000);
  const requests = await loadList(page, gateway);
  const list = [...requests];
  const clusterId = /cluster\/([^/]+)/.exec(page.url())?.[1] ?? '';
  const heavy: string[] = [];
  for (const { id, path } of pages(clusterId, 'private')) {
    const before = requests.length;
    await page.goto(`${gateway.url}${path}`, { waitUntil: 'networkidle' });
    await expect(page.getByRole('main')).toBeVisible();
    const bytes = await codeBytesBeside(requests.slice(before), list);
    if (bytes > 60_000) heavy.push(`${id}: ${bytes}`);
  }
  expect(heavy).toEqual([]);
  await page.goto(`${gateway.url}/web/roles`);
  const known = [...requests];
  const file = page.waitForResponse(/\/CodeEditor-[\w-]+\.js$/);
  await page.getByRole('button', { name: 'Create a role' }).click();
  await file;
  const editor = await codeBytesBeside(requests, known);
  expect(editor).toBeGreaterThan(0);
  expect(editor).toBeLessThanOrEqual(150_000);
  await page.clock.resume();
  await expect(page.locator('.cm-content')).toBeVisible();
});

test('the player fetches 60 kB of code at most that the terminal has not', async ({ page, gateway }) => {
  const requests = requestsOf(page);
  await enter(page, gateway);
  await openShell(page);
  await leaveShell(page);
  await press(page, 'g', 'r');
  await expect(page.locator('tbody tr').first()).toBeVisible();
  const terminal = [...requests];
  await press(page, 'Home', 'Enter');
  await expect(page.locator('[data-player-screen]')).toBeVisible();
  const address = page.url();
  await page.goto('about:blank');
  await stopClock(page);
  const before = requests.length;
  await page.goto(address, { waitUntil: 'networkidle' });
  await expect(page.locator('[data-player-screen]')).toBeVisible();
  const player = await codeBytesBeside(requests.slice(before), terminal);
  expect(player).toBeGreaterThan(0);
  expect(player).toBeLessThanOrEqual(60_000);
  await page.clock.resume();
});

test('files that cannot be fetched ahead leave the page as it is, and their pages come whole when someone goes there', async ({
  page,
  gateway,
}) => {
  const files = '**/assets/Screen-*';
  const failing = (kind: RegExp): Promise<Request> => page.waitForEvent('requestfailed', one => kind.test(one.url()));
  await enter(page, gateway);
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.route(files, route => route.abort());
  await Promise.all([failing(/\.js$/), failing(/\.css$/), page.waitForResponse(/\/web\/login$/)]);
  await page.unroute(files);
  for (const heading of ['Users', 'Audit Log']) {
    await run(page, heading);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  }
  const rules = () =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(
      link => link.sheet?.cssRules.length ?? 0,
    );
  await expect.poll(() => page.evaluate(rules)).not.toContain(0);
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
});
