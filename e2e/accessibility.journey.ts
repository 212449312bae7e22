// axe finds nothing on any page, in both themes and at three widths.

import { hostname } from 'node:os';
import AxeBuilder from '@axe-core/playwright';
import { enter, expect, openShell, press, test } from './rigs/journey.ts';
import { pages } from './rigs/pages.ts';

const widths = [1440, 900, 390];

test('no page breaks an accessibility rule, in both themes and at three widths', async ({ page, gateway }) => {
  test.setTimeout(300_000);
  await enter(page, gateway);
  const cluster = /cluster\/([^/]+)/.exec(page.url())?.[1] ?? hostname();
  await openShell(page);
  await page.keyboard.type('exit\n');
  await expect(page.locator('.xterm:visible')).toHaveCount(0);
  const found: string[] = [];
  const check = async (what: string): Promise<void> => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    for (const violation of violations)
      found.push(
        `${what}: ${violation.id} at ${violation.nodes
          .map(node => node.target.join(' '))
          .slice(0, 3)
          .join(' | ')}`,
      );
  };
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const { id, path } of [...pages(cluster, 'private'), ...pages(cluster, 'public')]) {
      await page.goto(`${gateway.url}${path}`);
      await page.waitForLoadState('networkidle');
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await check(`${id} ${theme} ${width}`);
      }
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${gateway.url}/web`);
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await press(page, 'Control+k');
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await check('palette');
  expect(found).toEqual([]);
});
