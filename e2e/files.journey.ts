// Files between this computer and a server, beside the shell that is open there: dragged there, and by keyboard.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enter, expect, leaveShell, openShell, press, test, typeText } from './rigs/journey.ts';

test('files go up and come down beside the shell, and the keys return to it', async ({ page, gateway }) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-journey-files-'));
  try {
    const bytes = randomBytes(3_000_000);
    const dropped = `.postern-journey-${bytes.toString('hex', 0, 4)}`;
    await writeFile(`${folder}/here.bin`, bytes);
    await enter(page, gateway);
    await openShell(page);
    // Whatever asks for files gets this one.
    page.on('filechooser', chooser => void chooser.setFiles(`${folder}/here.bin`));
    const shell = page.locator('.xterm-helper-textarea:visible');

    // Dropped onto the terminal, a file goes home. No keyboard drags: the drop is made by hand.
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['dropped'], '${dropped}'));
      document.querySelector('.xterm').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }`);
    const panel = page.getByRole('dialog', { name: /^Upload to / });
    const path = panel.getByRole('textbox');
    const rows = panel.getByRole('listitem');
    await expect(path).toBeFocused();
    await expect(path).toHaveValue('~/');
    await expect(rows.first().getByLabel('Done')).toBeVisible();

    await path.fill(`${folder}/there.bin`);
    await press(page, 'Enter');
    await expect(rows.nth(1)).toContainText('100 %');
    await expect(rows.nth(1).getByLabel('Done')).toBeVisible();
    expect((await readFile(`${folder}/there.bin`)).equals(bytes)).toBe(true);

    // What the host refuses is said in its row.
    await path.fill(`${folder}/none/`);
    await press(page, 'Enter');
    await expect(rows.nth(2).getByRole('alert')).toContainText(`There is no ${folder}/none`);
    expect((await readdir(folder)).sort()).toEqual(['here.bin', 'there.bin']);
    await press(page, 'Escape');
    await expect(panel).toHaveCount(0);
    await expect(shell).toBeFocused();
    await typeText(page, `cat ~/${dropped} && rm ~/${dropped}\n`);
    await expect(page.locator('.xterm-rows:visible')).toContainText('dropped');

    await press(page, 'Control+Shift+k');
    await expect(page.getByRole('combobox').first()).toBeFocused();
    await typeText(page, 'download a file\n');
    const down = page.getByRole('dialog', { name: /^Download from / });
    await expect(down.getByRole('textbox')).toBeFocused();
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
    await leaveShell(page);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
