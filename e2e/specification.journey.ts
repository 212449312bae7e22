// What the specification says of the console that no other journey comes by: words for what goes wrong, and what is drawn where.

import { beginLink, linkIn, plugIn, setPassword } from './rigs/factors.ts';
import { openGateway } from './rigs/gateway.ts';
import { enter, expect, press, run, test } from './rigs/journey.ts';

// Rule 2.5: on Firefox a warning before a passkey is registered
// Rule 2.5: recovery codes with their count, COPY and PRINT, confirmed by name
// Rule 8: what cannot be copied says so, with the keys that copy
// Rule 9: a QR code is 145 by 145 px
// Rule 9: the page of codes is 584 to 1024 px wide
test('recovery codes are shown with their count, copied, printed and confirmed by name; what cannot be copied says so; Firefox is warned of passkeys', async ({
  page,
  browser,
}) => {
  // A key is made, and two people come in one after the other.
  test.setTimeout(180_000);
  const gateway = await openGateway({ flags: ['--second-factor', 'on', '--passwordless', 'allowed'] });
  try {
    await page.addInitScript(() => {
      Object.assign(window, { printed: 0 });
      window.print = () => Object.assign(window, { printed: (window as unknown as { printed: number }).printed + 1 });
    });
    await plugIn(page);
    await beginLink(page, gateway.invite());
    await setPassword(page);
    await page.getByLabel('Two-Factor Method').selectOption('Authenticator App');
    // As it is laid out: a box on the screen is a hair wider or narrower while the step still slides in.
    const picture = page.getByRole('img', { name: 'QR code for an authenticator app' });
    expect(await picture.evaluate((image: HTMLElement) => [image.offsetWidth, image.offsetHeight])).toEqual([145, 145]);
    await page.getByLabel('Two-Factor Method').selectOption('Hardware Key');
    await page.getByLabel('Device Name').press('Enter');
    await expect(page.getByText('Recovery codes (3 total)')).toBeVisible();
    const { width = 0 } =
      (await page
        .getByRole('main')
        .locator('section, article, div')
        .filter({ has: page.getByText('Why do I need these codes?') })
        .last()
        .boundingBox()) ?? {};
    expect(width).toBeGreaterThanOrEqual(584);
    expect(width).toBeLessThanOrEqual(1024);
    await page.evaluate(() => {
      Object.assign(window, { copied: '' });
      navigator.clipboard.writeText = text => Promise.resolve(void Object.assign(window, { copied: text }));
    });
    await page.getByRole('button', { name: 'COPY' }).press('Enter');
    await expect(page.getByText('Copied')).toBeVisible();
    expect(String(await page.evaluate('window.copied')).split('\n')).toHaveLength(3);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('it is closed'));
    });
    await page.getByRole('button', { name: 'COPY' }).press('Enter');
    await expect(page.getByText('Cannot copy to clipboard. Use Ctrl/Cmd + C. it is closed')).toBeVisible();
    await page.getByRole('button', { name: 'PRINT' }).press('Enter');
    expect(await page.evaluate('window.printed')).toBe(1);
    // The day stands on paper alone.
    const created = page.getByText(/^Recovery codes of admin, created on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    await expect(created).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(created).toBeVisible();
    await page.emulateMedia({ media: null });
    await page.getByRole('button', { name: 'I have saved my Recovery Codes (admin)' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Go to Cluster' })).toBeFocused();

    const firefox = await browser.newContext({
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
    const warned = await firefox.newPage();
    await beginLink(warned, linkIn(await gateway.command('users', 'add', 'ann', '--roles', 'access')));
    await warned.getByRole('button', { name: 'Go Passwordless' }).press('Enter');
    await expect(
      warned.getByText('Firefox may not support passwordless register. Please try Chrome or Safari.'),
    ).toBeVisible();
    await expect(warned.getByLabel('Device Name')).toHaveValue('passwordless-device');
    await firefox.close();
  } finally {
    await gateway.dispose();
  }
});

// Rule 2.1: the cluster selector is hidden, and the top bar shows the title, where the URL has no cluster
// Rule 8: clusters that cannot be loaded: 'Error: {message}'
test('where the address has no cluster the selector is hidden and the bar has the title; clusters that cannot be loaded say why', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  const bar = page.getByRole('banner');
  const selector = bar.getByRole('button', { name: /^Cluster: / });
  await expect(selector).toBeVisible();
  await expect(bar.getByText('Servers', { exact: true })).toHaveCount(0);
  await page.route(/\/v1\/webapi\/sites$/, route => route.abort());
  await selector.press('Enter');
  await expect(page.getByText('Error: Network request failed')).toBeVisible();
  await press(page, 'Escape');
  await page.unroute(/\/v1\/webapi\/sites$/);
  await run(page, '>Go to Users');
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
  await expect(selector).toHaveCount(0);
  await expect(bar.getByText('Users', { exact: true })).toBeVisible();
});

// Rule 9: a dialog closes neither on its backdrop nor on Escape by default
test('a dialog that asks closes neither on Escape nor by a click beside it', async ({ page, gateway }) => {
  await gateway.command('users', 'add', 'leaving', '--roles', 'access');
  await enter(page, gateway);
  await run(page, '>Delete a user', 'leaving');
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await press(page, 'Escape');
  await page.mouse.click(3, 300);
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(question).toHaveCount(0);
});

// Rule 1: a failed on-demand load raises a preload-error event
// Rule 1: its error is thrown on unless the event is cancelled
test('a file that a page needs and cannot have raises a preload error on the window, and is an error of that page until it comes', async ({
  browser,
  gateway,
}) => {
  // A page of its own: the error is thrown on, which is a complaint on any other.
  const page = await browser.newPage();
  await page.addInitScript(() => {
    const raised: string[] = [];
    Object.assign(window, { raised });
    addEventListener('vite:preloadError', event => raised.push(event.type));
  });
  await page.route('**/assets/Screen-*', route => route.abort());
  await enter(page, gateway);
  await run(page, '>Go to Locks');
  await expect(page.getByRole('main').getByRole('button', { name: /again/ })).toBeVisible();
  expect(await page.evaluate<string[]>('window.raised')).toContain('vite:preloadError');
  await page.unroute('**/assets/Screen-*');
  await page.getByRole('main').getByRole('button', { name: /again/ }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Session & Identity Locks' })).toBeVisible();
  await page.context().close();
});
