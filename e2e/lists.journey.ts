// A list by keyboard: filter, sort, page, pin, save a view; and the address brings it all back.

import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { enter, expect, press, test, typeText } from './rigs/journey.ts';

const HOST_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHciE5R0bIcYRAqqFmJJQlSZ1emgkARaOX/ZHp5mnRE4';
const servers = Array.from(
  { length: 40 },
  (_, at) => `kind: node
version: v2
metadata:
  name: n${at}
  labels: {env: ${at % 2 === 0 ? 'prod' : 'dev'}}
spec:
  hostname: web-${String(at).padStart(2, '0')}.production.eu.example.com
  addr: 10.0.0.${at + 1}:22
  hostKey: ${HOST_KEY}
`,
);

test('a list is filtered, paged, pinned and saved by keyboard, and its address brings it back', async ({
  page,
  gateway,
}) => {
  const file = join(gateway.folder, 'servers.yaml');
  await writeFile(file, servers.join('---\n'));
  await gateway.command('resources', 'apply', file);
  await enter(page, gateway);
  const grid = page.getByRole('grid', { name: 'Servers' });
  const first = grid.locator('tbody tr').first();

  await press(page, 'c');
  await page.getByRole('menuitemradio', { name: '15 rows on a page' }).focus();
  await press(page, 'Enter', 'Escape');
  await press(page, '/');
  await typeText(page, 'web');
  await press(page, 'Enter', 'Escape');
  await expect(page.getByText('Showing 1 – 15 of 40')).toBeVisible();
  await press(page, 's');
  await press(page, 'Shift+s');
  await expect(first).toContainText('web-39');
  await expect(page.getByRole('status').filter({ hasText: '40 servers, sorted by hostname, descending' })).toHaveCount(
    1,
  );
  await press(page, 'n');
  await expect(page.getByText('Showing 16 – 30 of 40')).toBeVisible();
  await expect(first).toContainText('web-24');
  await page.reload();
  await expect(first).toContainText('web-24');
  await press(page, 'p');
  await expect(first).toContainText('web-39');

  await press(page, 'Home', 'j', 'f');
  await expect(first).toContainText('web-38');
  await expect(page.getByRole('button', { name: 'Pin web-38.production.eu.example.com' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );

  await press(page, 'v');
  const name = page.getByLabel('Name of a new view');
  await expect(page.getByRole('menuitemradio', { name: 'All' })).toBeVisible();
  await name.focus();
  await typeText(page, 'Web, last first');
  // Leaving the page would cut off what it still says.
  const saved = page.waitForResponse(answer => answer.request().postData()?.includes('Web, last first') === true);
  await press(page, 'Enter');
  await expect(name).toBeHidden();
  await saved;
  await page.goto(gateway.url + new URL(page.url()).pathname);
  await expect(page.getByText('Showing 1 – 15 of 41')).toBeVisible();
  await press(page, 'v');
  await page.getByRole('menuitemradio', { name: 'Web, last first' }).focus();
  await press(page, 'Enter');
  await expect(page.getByText('Showing 1 – 15 of 40')).toBeVisible();
});

test('a filter that cannot be read is marked where it fails, and the rows stay', async ({ page, gateway }) => {
  await enter(page, gateway);
  const rows = page.getByRole('grid', { name: 'Servers' }).locator('tbody tr');
  /** By their first cells. Pinned ones may come after the others. */
  const shown = () => rows.evaluateAll(all => all.map(row => row.querySelector('th, td')?.textContent));
  await expect(rows.first()).toBeVisible();
  const before = await shown();
  await page.getByRole('button', { name: 'Advanced' }).focus();
  await press(page, 'Enter');
  await expect(page.getByRole('combobox', { name: 'Filter Servers' })).toBeFocused();
  await typeText(page, 'name = "x"');
  await press(page, 'Enter');
  await expect(page.locator('mark')).toHaveText('=');
  await expect(page.getByText(/did you mean ==/)).toBeVisible();
  expect(await shown()).toEqual(expect.arrayContaining(before));
});

test('a list that goes on while scrolling keeps the keys, the cursor and what is marked, wherever it is scrolled to', async ({
  page,
  ownGateway: gateway,
}) => {
  const file = join(gateway.folder, 'servers.yaml');
  const many = Array.from(
    { length: 700 },
    (_, at) => `kind: node
version: v2
metadata: {name: n${at}}
spec:
  hostname: web-${String(at).padStart(3, '0')}.production.eu.example.com
  addr: 10.0.0.1:22
  hostKey: ${HOST_KEY}
`,
  );
  await writeFile(file, many.join('---\n'));
  await gateway.command('resources', 'apply', file);
  await enter(page, gateway);
  await page.goto(`${page.url()}?search=web-`);
  const grid = page.getByRole('grid', { name: 'Servers' });
  await expect(grid).toHaveAttribute('aria-rowcount', '701');
  await grid.locator('tbody tr[aria-rowindex="2"]').focus();
  await press(page, 'Shift+Space', 'End');
  const last = grid.locator('tbody tr[aria-rowindex="701"]');
  await expect(last).toBeFocused();
  await expect(last).toContainText('web-699');
  await press(page, 'Shift+Space');
  await expect(page.getByRole('status').filter({ hasText: '2 marked' })).toHaveCount(1);
  expect(await grid.locator('tbody tr').count()).toBeLessThan(80);

  // The wheel takes the view away, not the keys: the next key goes on from the cursor.
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, -6000);
  await expect(grid.getByText('web-520.production.eu.example.com')).toBeVisible();
  await expect(last).toBeFocused();
  await press(page, 'ArrowUp');
  await expect(grid.locator('tbody tr[aria-rowindex="700"]')).toBeFocused();
  await press(page, 'Home');
  await expect(grid.locator('tbody tr[aria-rowindex="2"]')).toBeFocused();
  await expect(grid.locator('tbody tr[aria-rowindex="2"]')).toHaveAttribute('aria-selected', 'true');

  // Another question, as long as this one, is seen from its first row.
  await press(page, 'End');
  await expect(last).toBeFocused();
  await press(page, 'Shift+s');
  await expect(grid.getByText('web-699.production.eu.example.com')).toBeInViewport();
  await expect(grid.locator('tbody tr[aria-rowindex="2"]')).toContainText('web-699');
  await expect(page.getByText(/^Showing 1 – /)).toBeVisible();

  // A gateway that does not answer: said where it is seen, the rows stay, and what is missing comes once it is back.
  await gateway.kill('SIGKILL');
  await page.mouse.wheel(0, 12_000);
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeInViewport();
  await page.mouse.wheel(0, -12_000);
  await expect(grid.getByText('web-699.production.eu.example.com')).toBeInViewport();
  await page.mouse.wheel(0, 12_000);
  await gateway.start();
  await again.focus();
  await press(page, 'Enter');
  const row = grid.getByText('web-320.production.eu.example.com');
  await expect(row).toBeInViewport();
  await expect(again).toBeHidden();

  // Whoever comes back to the tab has it asked anew: it stays where the wheel has taken it, though the cursor far away has lost the keys.
  let isAnew = false;
  page.on('response', answer => {
    isAnew ||= answer.url().includes('offset=300');
  });
  const comeBack = () => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => comeBack().then(() => isAnew)).toBe(true);
  await expect(grid).not.toHaveAttribute('aria-busy');
  await expect(row).toBeInViewport();

  // The address says which row is at the top: after a reload, and for whoever is sent it, the list stands there again.
  const atTop = async (): Promise<string> => {
    // The wheel still turns for a moment, and the address follows the view.
    await expect(page).toHaveURL(/[?&]row=376(&|$)/);
    return (await page.getByText(/^Showing 376 – \d+ of 700$/).textContent()) ?? '';
  };
  const showing = await atTop();
  await page.reload();
  await expect(row).toBeInViewport();
  expect(await atTop()).toBe(showing);
  await press(page, 'Home');
  await expect(grid.locator('tbody tr[aria-rowindex="2"]')).toBeFocused();
  await expect(page).not.toHaveURL(/row=/);

  // With a row pinned above the rest as well; and the first move begins with what is seen.
  await press(page, 'f');
  await expect(grid).toHaveAttribute('aria-rowcount', '702');
  await page.mouse.wheel(0, 12_000);
  await expect(page).toHaveURL(/[?&]row=3\d\d(&|$)/);
  const address = page.url();
  await page.reload();
  await expect(row).toBeInViewport();
  await press(page, 'j');
  await expect(grid.locator('tbody tr:focus')).toContainText(/web-3\d\d/);
  await expect(page).toHaveURL(address);

  // The same list asked for anew is seen from its first row.
  await press(page, 'g', 's');
  await expect(page).not.toHaveURL(/row=/);
  await expect(grid.locator('tbody tr[aria-rowindex="2"]')).toBeInViewport();

  // The address that follows the view closes no drawer.
  await page.setViewportSize({ width: 390, height: 844 });
  // On a phone a name is read whole: buttons that are not shown leave it their room.
  const cut = () =>
    grid
      .locator('td[data-phone=first] *')
      .evaluateAll(within => within.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
  await expect.poll(cut).toBe(0);
  await page.mouse.move(200, 500);
  await page.mouse.wheel(0, 8000);
  await page.getByRole('button', { name: 'Pages' }).press('Enter');
  await expect(page).toHaveURL(/[?&]row=/);
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Databases' })).toBeVisible();
});

test('what this gateway cannot open itself shows how it is reached: Enter on the row, lines to copy, Escape back to it', async ({
  page,
  gateway,
}) => {
  const file = test.info().outputPath('reached.yaml');
  await writeFile(
    file,
    `kind: db
version: v3
metadata: { name: orders }
spec: { protocol: mongodb, uri: 'orders.internal.example.com:27017' }
---
kind: kube_cluster
version: v3
metadata: { name: production }
`,
  );
  await gateway.command('resources', 'apply', file);
  await enter(page, gateway);
  for (const [key, name, choice, typed, line] of [
    ['d', 'orders', 'Database user', "o'k", "mongosh --host 127.0.0.1 --port 9090 -u 'o'\\''k'"],
    ['k', 'production', 'Kubernetes user', 'ann', 'kubectl get pods --as=ann'],
  ] as const) {
    await press(page, 'g', key);
    const row = page.locator('tbody tr').filter({ hasText: name });
    await row.focus();
    await press(page, 'Enter');
    const dialog = page.getByRole('dialog', { name: `Connect to ${name}` });
    await expect(dialog.getByLabel(choice)).toBeFocused();
    await typeText(page, typed);
    await expect(dialog.getByText(line, { exact: true })).toBeVisible();
    await press(page, 'Escape');
    await expect(row).toBeFocused();
  }
});

test('a stretch of the timeline over the audit log narrows the list, by keys and by pointer', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await page.goto(`${gateway.url}/web/cluster/${hostname()}/audit?range=today`);
  const timeline = page.getByRole('slider', { name: /^Timeline/ });
  await timeline.focus();
  await press(page, 'Home', 'Shift+End');
  await expect(timeline).toHaveAttribute('aria-valuetext', /^[1-9]\d* events/);
  await press(page, 'Enter');
  await expect(page).toHaveURL(/search=since%3A.*until%3A/);
  await expect(page.locator('tbody tr').first()).toBeVisible();
  const { x = 0, y = 0, width = 0 } = (await timeline.boundingBox()) ?? {};
  const before = page.url();
  await page.mouse.move(x + 2, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 20);
  await page.mouse.up();
  await expect(page).not.toHaveURL(before);
});

test('the audit log is narrowed to what it has most of, shows what happens meanwhile, and is saved while it is fetched', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await gateway.command('users', 'add', 'facet-one', '--roles', 'access');
  await page.goto(`${gateway.url}/web/cluster/${hostname()}/audit?range=today`);
  const rows = page.locator('tbody tr');
  await rows.first().focus();
  await press(page, 'Shift+T');
  const menu = page.getByRole('menu');
  const group = (name: string) => menu.getByRole('group', { name });
  for (const name of ['Users', 'Types', 'Targets'])
    await expect(group(name).getByRole('menuitemcheckbox').first()).toBeVisible();
  const created = group('Types').getByRole('menuitemcheckbox', { name: /^user\.create/ });
  await created.focus();
  await press(page, 'Enter');
  await expect(page).toHaveURL(/search=type%3Auser\.create/);
  await expect(created).toBeChecked();
  await press(page, 'Escape');
  await expect(rows.filter({ hasNotText: 'User Created' })).toHaveCount(0);
  await expect(rows.first()).toContainText('User Created');
  const count = await rows.count();

  // Live: what comes is shown without a key, above what was there.
  await rows.first().focus();
  await press(page, 'l');
  await expect(page.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'true');
  await gateway.command('users', 'add', 'facet-two', '--roles', 'access');
  await expect(rows).toHaveCount(count + 1);
  await expect(rows.first()).toContainText('facet-two');
  await press(page, 'l');

  await page.getByRole('button', { name: 'Export' }).press('Enter');
  await page.getByRole('menuitem', { name: /CSV/ }).press('Enter');
  await expect(page.getByText('All events of this search have been exported')).toBeVisible();
  const saved = await page.evaluate(async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle('saved.csv');
    return (await handle.getFile()).text();
  });
  expect(saved.trim().split('\n').length).toBe(count + 2);
});
