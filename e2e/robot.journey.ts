// A robot with a keyboard and no mouse reaches every page: nothing is out of reach, nothing traps, the focus is seen. What has
// no chord it reaches as one of the commands (robot-commands.journey.ts).

import type { Page } from 'playwright/test';
import { features } from '../src/features/table.ts';
import { enter, expect, press, test } from './rigs/journey.ts';
import { chordIds } from './rigs/pages.ts';
import { addressOf, atRest, expectFocus, overlay, settle, tabs } from './rigs/robot.ts';

/** More stops than any page has: a walk that long goes in circles. */
const STOPS_MOST = 400;
/** Keys pressed before it is looked where they led: more than most pages have stops. */
const AT_ONCE = 50;
/** Walks the page with Tab until it comes round. Answers what is wrong: a stop that cannot be seen, or one that holds the focus. */
async function walk(page: Page, where: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  const seen: string[] = [];
  for (let pressed = 0; pressed < STOPS_MOST; pressed += AT_ONCE)
    for (const now of await tabs(page, AT_ONCE)) {
      // Behind the last stop the browser has the focus, and the page nothing.
      if (now.id !== '' && !now.isShown) wrong.push(`${where}: the focus cannot be seen on ${now.name}`);
      if (now.id !== '' && now.id === seen.at(-1)) return [...wrong, `${where}: Tab stays on ${now.name}`];
      // Round: out of the page's end, or back at the first stop.
      if (seen.length > 0 && (now.id === '' || now.id === seen[0])) return wrong;
      if (now.id !== '' && seen.includes(now.id)) return [...wrong, `${where}: Tab goes in a circle at ${now.name}`];
      if (now.id !== '') seen.push(now.id);
    }
  return [...wrong, `${where}: Tab never comes round`];
}

test('every page is reached by its chord, has the focus, and Tab walks through it and out again', async ({
  page,
  gateway,
}) => {
  test.setTimeout(120_000);
  await enter(page, gateway);
  const wrong: string[] = [];
  for (const id of chordIds) {
    const { keys, title } = features[id];
    if (keys === undefined) continue;
    await page.getByRole('main').focus();
    await press(page, ...(keys.split(', ')[0] ?? '').split(' '));
    await expect(page, `${keys} goes to ${title}`).toHaveURL(addressOf(id));
    await expect(page.getByRole('main')).toBeVisible();
    await atRest(page);
    await expectFocus(page, `${keys}, which goes to ${title}`);
    wrong.push(...(await walk(page, title)));
  }
  expect(wrong).toEqual([]);
});

test('every key of a list does what it says, on every page that has one', async ({ page, gateway }) => {
  test.setTimeout(90_000);
  await enter(page, gateway);
  for (const id of chordIds) {
    const keys = features[id].keys;
    if (keys === undefined) continue;
    await press(page, ...keys.split(' '));
    await expect(page).toHaveURL(addressOf(id));
    await atRest(page);
    // Where a page gives the keys to its search, the next chord would be typed there.
    if ((await page.locator('tbody tr').count()) === 0) {
      await press(page, 'Escape');
      continue;
    }
    await press(page, 'End', 'Home');
    await press(page, 'j', 'k');
    await expect(page.locator('tbody tr:focus'), `j and k are on a row of ${id}`).toHaveCount(1);
    await press(page, 'x', 'x');
    await press(page, '/');
    await expect(page.locator('input:focus, textarea:focus'), `/ filters ${id}`).toHaveCount(1);
    await press(page, 'Escape');
    await page.getByRole('main').focus();
    await press(page, 'j', '.');
    await overlay(page)
      .waitFor({ timeout: 1000 })
      .catch(() => undefined);
    await settle(page, `the menu of ${id}`);
    await page.getByRole('main').focus();
  }
});
