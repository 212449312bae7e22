// Files between this computer and a server, beside the shell that is open there: by keyboard, by dragging, and after a change of mind.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enter, expect, leaveShell, openShell, press, test, typeText } from './rigs/journey.ts';

test('files go up and come down beside the shell, and the keys return to it', async ({ page, gateway }) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-journey-files-'));
  try {
    const bytes = randomBytes(3_000_000);
    await writeFile(`${folder}/here.bin`, bytes);
    await enter(page, gateway);
    await openShell(page);
    // Whatever asks for files gets this one.
    page.on('filechooser', chooser => void chooser.setFiles(`${folder}/here.bin`));
    const shell = page.locator('.xterm-helper-textarea:visible');

    await press(page, 'Control+Shift+k');
    await typeText(page, 'upload files\n');
    const panel = page.getByRole('dialog', { name: /^Upload to / });
    const path = panel.getByRole('textbox');
    await expect(path).toBeFocused();
    await expect(path).toHaveValue('~/');
    await path.fill(`${folder}/there.bin`);
    await press(page, 'Enter');
    const rows = panel.getByRole('listitem');
    await expect(rows.first()).toContainText('100 %');
    await expect(rows.first().getByLabel('Done')).toBeVisible();
    expect((await readFile(`${folder}/there.bin`)).equals(bytes)).toBe(true);

    // What the host refuses is said in its row, and can be tried again.
    await path.fill(`${folder}/none/`);
    await press(page, 'Enter');
    await expect(rows.nth(1).getByRole('alert')).toContainText(`There is no ${folder}/none`);
    expect((await readdir(folder)).sort()).toEqual(['here.bin', 'there.bin']);
    await press(page, 'Escape');
    await expect(panel).toHaveCount(0);
    await expect(shell).toBeFocused();

    await page.getByRole('button', { name: 'Download a file' }).focus();
    await press(page, 'Enter');
    const down = page.getByRole('dialog', { name: /^Download from / });
    await expect(down.getByRole('button', { name: 'Download' })).toBeDisabled();
    await down.getByRole('textbox').fill(`${folder}/there.bin`);
    const saved = page.waitForEvent('download');
    await press(page, 'Enter');
    const download = await saved;
    expect(download.suggestedFilename()).toBe('there.bin');
    expect((await readFile(await download.path())).equals(bytes)).toBe(true);
    await expect(down.getByLabel('Done')).toBeVisible();
    await press(page, 'Escape');
    await expect(shell).toBeFocused();

    // Dropped onto the terminal, a file goes home: the drop is made by hand, since no keyboard drags.
    await page.evaluate(`{
      const given = new DataTransfer();
      given.items.add(new File(['dropped'], '.postern-journey-${bytes.toString('hex', 0, 4)}'));
      document.querySelector('.xterm:not([hidden])').dispatchEvent(
        new DragEvent('drop', { dataTransfer: given, bubbles: true, cancelable: true }));
    }`);
    await expect(panel.getByLabel('Done')).toBeVisible();
    await press(page, 'Escape');
    await expect(panel).toHaveCount(0);
    await typeText(page, `cat ~/.postern-journey-${bytes.toString('hex', 0, 4)}; rm ~/.postern-journey-*\n`);
    await expect(page.locator('.xterm-rows:visible')).toContainText('dropped');
    await leaveShell(page);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
