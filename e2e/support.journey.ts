// Diagnostics for whoever helps: shown by keyboard, saved as what was shown.
import { readFile } from 'node:fs/promises';
import { enter, expect, press, run, test } from './rigs/journey.ts';

test('diagnostics are read before they are saved, and hold no secret of the gateway', async ({ page, gateway }) => {
  await enter(page, gateway);
  await run(page, 'collect diagnostics');
  await expect(page.getByRole('heading', { name: 'Diagnostics' })).toBeVisible();
  const shown = page.locator('.cm-content');
  await expect(shown).toContainText('"readiness"');
  const save = page.getByRole('button', { name: 'Save as a file' });
  await save.focus();
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Enter')]);
  const saved = await readFile(await download.path(), 'utf8');
  expect(JSON.parse(saved)).toMatchObject({
    readiness: { store: 'ok', recordings: 'ok', signing_keys: 'ok' },
    store: { dialect: 'sqlite', users: expect.any(Number) },
  });
  await page.getByRole('button', { name: 'Close' }).focus();
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Diagnostics' })).toBeHidden();
});
