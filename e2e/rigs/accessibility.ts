// What axe finds in what is on screen. An ordinary run looks once, as the page stands; `npm run test:full` looks in every theme and width.
import axe from 'axe-core';
import type { Page } from 'playwright/test';

const widths = [1440, 900, 390] as const;
/** What a root element wears; the custom theme has colours of its own and no other shapes, so one width shows them. */
const themes = [
  { name: 'light', worn: { theme: 'light' }, at: widths },
  { name: 'dark', worn: { theme: 'dark' }, at: widths },
  { name: 'custom', worn: { theme: 'dark', brand: 'orange' }, at: [1440] },
] as const;

const isFull = process.env.POSTERN_TEST_FULL !== undefined;

/** What axe finds in what is on screen; `shownAt` are the widths at which it is there. The page is left as it was. */
export async function breaches(
  page: Page,
  what: string,
  shownAt: readonly number[] = widths,
): Promise<readonly string[]> {
  if (!isFull) return look(page, what);
  const found: string[] = [];
  const before = page.viewportSize();
  for (const width of shownAt) {
    await page.setViewportSize({ width, height: 900 });
    for (const { name, worn, at } of themes) {
      if (!at.some(one => one === width)) continue;
      await wear(page, worn);
      found.push(...(await look(page, `${what} ${name} ${width}`)));
    }
  }
  if (before !== null) await page.setViewportSize(before);
  await wear(page, { theme: 'light' });
  return found;
}

const wear = (page: Page, worn: { readonly theme: string; readonly brand?: string }): Promise<void> =>
  page.evaluate(({ theme, brand }: { theme: string; brand?: string }) => {
    const { dataset } = document.documentElement;
    dataset.theme = theme;
    if (brand === undefined) delete dataset.brand;
    else dataset.brand = brand;
  }, worn);

/** Axe as it stands in the page once it has been put there. */
type WithAxe = { readonly axe?: Pick<typeof import('axe-core'), 'run'> };

async function look(page: Page, what: string): Promise<readonly string[]> {
  // A page that was just led to is looked at when it is drawn; of one that never gets its heading axe says so itself.
  await page
    .locator('h1')
    .first()
    .waitFor({ state: 'attached', timeout: 3000 })
    .catch(() => undefined);
  // What still slides in is half transparent, and axe would take that for its colours.
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(one => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    return Promise.allSettled(ending.map(one => one.finished)).then(() => undefined);
  });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  // All rules, also the one that axe leaves off. Not preloaded: axe would copy style sheets into <style> elements of its own, which the
  // page's content policy refuses and complains of.
  const violations = await page.evaluate(async () => {
    const found = await (globalThis as WithAxe).axe?.run({
      preload: false,
      resultTypes: ['violations'],
      rules: { 'target-size': { enabled: true } },
    });
    return found?.violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(' ')) }));
  });
  if (violations === undefined) throw new Error('axe is not in the page');
  return violations.map(({ id, at }) => `${what}: ${id} at ${at.slice(0, 3).join(' | ')}`);
}

/** What is wider than its place, or lies outside of the window: only lists, terminals and code may scroll sideways, each for itself. */
export const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const parts = [...document.querySelectorAll('main > div, header, footer, dialog[open], [role=dialog]')];
    return [
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : []),
      ...parts
        .filter(part => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== 'visible')
        .map(part => `${part.tagName.toLowerCase()} holds ${part.scrollWidth} in ${part.clientWidth}`),
      ...[...document.querySelectorAll('dialog[open], [role=dialog], [role=menu]:not([role=dialog] *)')]
        .map(part => part.getBoundingClientRect())
        .filter(({ left, right, top, bottom }) => left < 0 || right > innerWidth || top < 0 || bottom > innerHeight)
        .map(
          ({ left, top, right, bottom }) => `a dialog is at ${[left, top, right, bottom].map(Math.round).join(' ')}`,
        ),
    ];
  });
