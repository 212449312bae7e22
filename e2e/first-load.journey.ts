// What the first load of a page is made of. Bytes and requests, not times: these are the same on every machine.
import { requestsOf, weigh } from './rigs/fetched.ts';
import { enter, expect, test } from './rigs/journey.ts';

/** The first file that nobody asked for: the palette comes when the page has been still for a second. */
const AHEAD = /\/Palette-[\w-]+\.js$/;

test('the sign-in page fetches 110 kB of code in 8 requests at most', async ({ page, gateway }) => {
  const requests = requestsOf(page);
  await page.goto(`${gateway.url}/web/login`, { waitUntil: 'networkidle' });
  await expect(page.getByLabel('Password')).toBeVisible();
  const fetched = await weigh(requests);
  expect(fetched.codeBytes).toBeLessThanOrEqual(110_000);
  expect(fetched.requests, requests.map(request => request.url()).join('\n')).toBeLessThanOrEqual(8);
});

test('the servers list fetches 180 kB of code in 14 requests at most until its table stands, and 260 kB in 30 until anything is fetched ahead', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  const list = page.url();
  // What that page still waits for is not counted.
  await page.goto('about:blank');
  const requests = requestsOf(page);
  const ahead = page.waitForRequest(AHEAD);
  await page.goto(list);
  await expect(page.locator('tbody tr').first()).toBeVisible();
  const untilTable = requests.filter(request => !AHEAD.test(request.url()));
  const table = await weigh(untilTable);
  expect(table.codeBytes).toBeLessThanOrEqual(180_000);
  expect(table.requests, untilTable.map(request => request.url()).join('\n')).toBeLessThanOrEqual(14);
  await ahead;
  const first = requests.slice(
    0,
    requests.findIndex(request => AHEAD.test(request.url())),
  );
  const second = await weigh(first);
  expect(second.allBytes).toBeLessThanOrEqual(260_000);
  expect(second.requests, first.map(request => request.url()).join('\n')).toBeLessThanOrEqual(30);
});
