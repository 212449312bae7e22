// What surrounds every page: its measures, banners, notifications, and what happens when the session has ended elsewhere.
import type { Locator, Page } from 'playwright/test';
import { PASSWORD } from './rigs/browser.ts';
import { acceptInvite as acceptByWire, signIn as signInByWire } from './rigs/client.ts';
import { carry, enter, expect, hold, press, run, test } from './rigs/journey.ts';

/** Width and height as drawn, whole pixels. */
async function sizeOf(drawn: Locator): Promise<readonly [number, number]> {
  const box = await drawn.boundingBox();
  return [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)];
}
const widthOf = async (drawn: Locator): Promise<number> => (await sizeOf(drawn))[0];
const heightOf = async (drawn: Locator): Promise<number> => (await sizeOf(drawn))[1];
const styleOf = (drawn: Locator, name: string): Promise<string> =>
  drawn.evaluate((element, property) => getComputedStyle(element as never).getPropertyValue(property), name);

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
const closed = async (page: Page, what: Locator): Promise<void> => {
  await press(page, 'Escape');
  await expect(what).toHaveCount(0);
};

// Rule 9: measures of the frame
// Rule 2.3: 'No notifications'
// Rule 1: a top bar with the cluster switcher, the notifications and the user menu
// Rule 9: the sidebar is 256 px wide, its entries 240, the top bar 72 px high, a banner 38
// Rule 9: the cluster selector is 384 px wide and its menu 200 px high at most
// Rule 9: notifications are 300 px wide, the user menu 265, its entries 80 ms and then 20 ms apart
// Rule 9: an error card is 540 px wide, and a modal on layer 1200
// Rule 9: letters are 10 to 34 px, and 300, 400 or 600 heavy
// Rule 9: a popover stays 16 px from the edge
// Rule 9: what a selector offers is 300 px high at most
// Rule 9: what a selector offers has 140 px of room at least
test('the frame has the measures of the specification', async ({ page, ownGateway: gateway }) => {
  await gateway.command('alerts', 'add', '--severity', '1', '--message', 'First');
  await gateway.command('alerts', 'add', '--severity', '7', '--message', 'Second');
  await enter(page, gateway);
  const banners = page.getByRole('status').filter({ has: page.getByRole('button', { name: /^Dismiss/ }) });
  await expect(banners).toHaveCount(2);
  for (const banner of await banners.all()) expect(await heightOf(banner)).toBe(38);

  expect(await heightOf(page.getByRole('banner'))).toBe(72);
  expect(await widthOf(sidebar(page))).toBe(256);
  for (const entry of await sidebar(page).getByRole('link').all()) expect(await widthOf(entry)).toBe(240);
  expect(await heightOf(page.getByRole('contentinfo'))).toBe(24);

  const selector = page.getByRole('button', { name: /^Cluster:/ });
  expect(await widthOf(selector)).toBe(384);
  await selector.click();
  const clusters = page.getByRole('dialog', { name: 'Clusters' });
  expect([await widthOf(clusters), await styleOf(clusters, 'max-height')]).toEqual([384, '200px']);
  await closed(page, clusters);
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const notifications = page.getByRole('dialog', { name: 'Notifications' });
  await expect(notifications).toHaveText('No notifications');
  expect(await widthOf(notifications)).toBe(300);
  await closed(page, notifications);
  await page.getByRole('button', { name: /admin/ }).click();
  const user = page.getByRole('menu', { name: 'admin' });
  expect(await widthOf(user)).toBe(265);
  const { x = 0, width = 0 } = (await user.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(1440 - 16);
  const delays = await user
    .locator(':scope > *')
    .evaluateAll(entries => entries.map(entry => getComputedStyle(entry).animationDelay));
  // 80 ms, then 20 ms more for each entry.
  expect(delays).toEqual(['0.08s', '0.1s', '0.12s', '0.14s']);
  await closed(page, user);

  await press(page, 'g', 'u');
  await page.getByRole('button', { name: /Invite a user/ }).click();
  const invite = page.getByRole('dialog', { name: /Invite a user/ });
  await expect(invite).toBeVisible();
  expect(await styleOf(invite, 'z-index')).toBe('1200');
  expect(await styleOf(invite.getByRole('listbox').first(), 'max-height')).toBe('300px');
  // What is offered has its room in a low window too: the field is brought up by as much.
  await page.setViewportSize({ width: 1440, height: 420 });
  const field = invite.getByRole('combobox').first();
  await field.evaluate(element => element.blur());
  await invite.evaluate(element => {
    for (const part of element.querySelectorAll('*')) part.scrollTop = 0;
  });
  await field.focus();
  const below = () =>
    field.evaluate(element => {
      for (let part = element.parentElement; part; part = part.parentElement)
        if (part.scrollHeight > part.clientHeight)
          return part.getBoundingClientRect().bottom - element.getBoundingClientRect().bottom;
      return 0;
    });
  expect(await below()).toBeGreaterThanOrEqual(140);
  await page.setViewportSize({ width: 1440, height: 900 });
  await closed(page, invite);
  await page.goto(`${gateway.url}/web/cluster/none/nodes`);
  const card = page.getByRole('main').getByRole('region');
  await expect(card).toBeVisible();
  expect(await widthOf(card)).toBe(540);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await widthOf(card)).toBeLessThanOrEqual(390);

  const root = page.locator('html');
  expect([await styleOf(root, '--text-10'), await styleOf(root, '--text-34')]).toEqual(['10px', '34px']);
  const weights = ['light', 'regular', 'bold'].map(name => styleOf(root, `--weight-${name}`));
  expect(await Promise.all(weights)).toEqual(['300', '400', '600']);
});

// Rule 9: breakpoints and least width
test('content keeps 1250 px less the sidebar, below 1056 px the sidebar is a drawer, below 656 px names go', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  const content = page.locator('#page > div > *').first();
  const drawer = page.getByRole('banner').getByRole('button', { name: 'Pages' });
  const product = page.getByRole('banner').getByText('Postern');
  const at = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    return {
      sidebar: await sidebar(page).isVisible(),
      drawer: await drawer.isVisible(),
      product: await product.isVisible(),
    };
  };
  expect(await at(1056)).toEqual({ sidebar: true, drawer: false, product: true });
  expect(await widthOf(content)).toBe(1250 - 256);
  expect(await at(1055)).toEqual({ sidebar: false, drawer: true, product: true });
  expect(await widthOf(content)).toBe(1055);
  expect(await at(656)).toEqual({ sidebar: false, drawer: true, product: true });
  expect(await at(655)).toEqual({ sidebar: false, drawer: true, product: false });
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await widthOf(content)).toBe(1440 - 256);
});

// Rule 2.4: banners: only the provider's links
test("banners: the worst first, only the provider's own links can be followed, a dismissal holds for 24 hours", async ({
  page,
  ownGateway: gateway,
}) => {
  const add = (severity: string, message: string, link: string) =>
    gateway.command('alerts', 'add', '--severity', severity, '--message', message, '--link', link);
  await add('4', 'For your information', `${gateway.url}/web/support`);
  await add('9', 'A warning', 'https://elsewhere.example.com/');
  await add('10', 'A danger', `${gateway.url.replace('localhost', 'localhost.example.com')}/`);
  await enter(page, gateway);
  const dismiss = page.getByRole('button', { name: /^Dismiss/ });
  const said = () => dismiss.evaluateAll(buttons => buttons.map(button => button.getAttribute('aria-label')));
  await expect(dismiss).toHaveCount(3);
  expect(await said()).toEqual(['Dismiss: A danger', 'Dismiss: A warning', 'Dismiss: For your information']);
  await expect(page.getByText(/^A danger http/)).toHaveAttribute('class', /text/);
  await expect(page.getByRole('link', { name: /danger|warning/ })).toHaveCount(0);

  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'For your information' }).focus();
  await press(page, 'Enter');
  await (await opened).close();
  await expect.poll(() => gateway.output()).toMatch(/"event":"postern.ui.banner.click","alert":"[0-9a-f-]{36}"/);

  await page.getByRole('button', { name: 'Dismiss: A warning' }).focus();
  await press(page, 'Enter');
  await expect(dismiss).toHaveCount(2);
  await page.reload();
  await expect(dismiss).toHaveCount(2);
  // A day later: what was dismissed is there again, and its dismissal is purged.
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('postern:disabled_alerts') ?? '{}') as Record<string, number>;
    const past = Object.fromEntries(Object.entries(kept).map(([name, until]) => [name, until - 86_400_000]));
    localStorage.setItem('postern:disabled_alerts', JSON.stringify(past));
  });
  await page.reload();
  await expect(dismiss).toHaveCount(3);
  expect(await page.evaluate(() => localStorage.getItem('postern:disabled_alerts'))).toBe('{}');
});

test('a notice that went by itself is a notification: kept over a reload, it leads to its page', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  const bell = page.getByRole('button', { name: /^Notifications/ });
  const dot = bell.locator('[class*="dot"]');
  await expect(dot).toHaveCount(0);
  await press(page, 'g', 'u');
  await run(page, 'Copy link to this page');
  await expect(page.getByRole('button', { name: 'Notifications: 1' })).toBeVisible();
  await expect(dot).toBeVisible();
  await press(page, 'g', 'r');
  await run(page, 'Copy link to this page');
  await expect(page.getByRole('button', { name: 'Notifications: 2' })).toBeVisible();
  await press(page, 'g', 'h');
  await page.reload();
  await bell.focus();
  await press(page, 'Enter');
  const entries = page.getByRole('menuitem');
  await expect(entries).toHaveCount(3);
  await expect(entries.first()).toContainText('Copy a link to this page');
  await press(page, 'ArrowDown', 'Enter');
  await expect(page).toHaveURL(`${gateway.url}/web/users`);
  await expect(entries).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Notifications: 1' })).toBeVisible();
  await bell.focus();
  await press(page, 'Enter');
  await expect(entries).toHaveCount(2);
  await press(page, 'End', 'Enter');
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await expect(dot).toHaveCount(0);
  await bell.focus();
  await press(page, 'Enter');
  await expect(page.getByText('No notifications')).toBeVisible();
});

// Rule 8: 403 elsewhere signs nobody out
test('a call that is refused for want of a right signs nobody out', async ({ page, gateway }) => {
  const said = await gateway.command('users', 'add', 'loses-a-right', '--roles', 'access,editor');
  await acceptByWire(gateway.url, /http\S+/.exec(said)?.[0] ?? '', PASSWORD);
  await carry(page, gateway, (await signInByWire(gateway.url, 'loses-a-right', PASSWORD)).cookie);
  await page.goto(`${gateway.url}/web/roles`);
  await expect(page.locator('tbody tr').first()).toBeVisible();
  const admin = await signInByWire(gateway.url, 'admin', PASSWORD);
  await admin.call('PUT', 'users', { name: 'loses-a-right', roles: ['access'] });
  await press(page, 'g', 'u');
  await expect(page.getByRole('alert')).toContainText('access denied: no role gives you "list" on "user"');
  await expect(page).toHaveURL(`${gateway.url}/web/users`);
  await press(page, 'g', 's');
  await expect(page.locator('tbody tr').first()).toBeVisible();
});

// Rule 9: spinners wait
test('whoever waits for the gateway sees that something is on its way, and then the page with its rows', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  const { letGo } = await hold(page, '**/v1/webapi/sites/-current-/context');
  await page.reload({ waitUntil: 'commit' });
  await expect(page.getByRole('status').getByText('Loading')).toBeAttached();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0);
  letGo();
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await expect(page.getByText('Loading')).toHaveCount(0);
});

test('the page that a load is led to leaves the keys where they were; a page that is gone to has them', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  const holder = () => page.evaluate<string>('document.activeElement.id || document.activeElement.tagName');
  await expect(page).toHaveURL(/\/nodes$/);
  expect(await holder()).toBe('BODY');
  await press(page, 'g', 'd');
  await expect(page.getByRole('heading', { name: 'Databases', exact: true })).toBeVisible();
  await expect.poll(holder).toBe('page');
});

// Rule 2.3: letter, name, entries
test('the user menu shows the letter of the name, and its entries go where they say', async ({ page, gateway }) => {
  await enter(page, gateway);
  const button = page.getByTitle('User menu');
  await expect(button.locator('span').first()).toHaveText('A');
  const entries = page.getByRole('menuitem');
  for (const [at, title, url] of [
    [0, 'Account Settings', /\/web\/account$/],
    [1, 'Help & Support', /\/web\/support$/],
  ] as const) {
    await button.focus();
    await press(page, 'Enter');
    await expect(entries).toHaveText([
      /^Account Settings/,
      /^Help & Support/,
      /^Switch to (Dark|Light) Theme/,
      /^Logout/,
    ]);
    await expect(entries.nth(at)).toContainText(title);
    await entries.nth(at).focus();
    await press(page, 'Enter');
    await expect(page).toHaveURL(url);
  }
});

// Rule 2.5: copied for a second
// Rule 9: what was copied is said for 1000 ms
test('a line to copy says that it was copied, for a second', async ({ page, gateway }) => {
  await page.clock.install();
  await enter(page, gateway);
  await press(page, 'g', 'h');
  const copy = page.getByRole('button', { name: 'Copy the cluster information' });
  const copied = page.getByRole('button', { name: 'Copied' });
  await copy.focus();
  await page.clock.pauseAt(Date.now() + 60_000);
  await press(page, 'Enter');
  await expect(copied).toBeVisible();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('Gateway Version');
  await page.clock.runFor(990);
  await expect(copied).toBeVisible();
  await page.clock.runFor(20);
  await expect(copy).toBeVisible();
  await page.clock.resume();
});

// Rule 2.4: render errors can be tried again
// Rule 2.4: Internal Error shows its message and can be tried again
// Rule 8: 'something went wrong' where a page cannot be drawn without a message
test('a page that cannot be drawn says so inside the frame, and can be tried again', async ({ browser, gateway }) => {
  // A page of its own: this one complains on purpose.
  const page = await browser.newPage();
  // A file that is missing has the page loaded anew, once: as if that had just been done.
  await page.addInitScript(() => sessionStorage.setItem('postern:reloaded', String(Date.now())));
  await page.route(/\/assets\/Screen-[^/]*\.js$/, route => route.abort());
  await enter(page, gateway);
  await press(page, 'g', 'h');
  await expect(page.getByRole('heading', { name: 'Internal Error' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('alert')).not.toBeEmpty();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await page.unroute(/\/assets\/Screen-[^/]*\.js$/);
  await page.getByRole('button', { name: 'Try again' }).focus();
  await press(page, 'Enter');
  await expect(page.getByText('Cluster Information')).toBeVisible();
  await page.close();
});
