// Files between this computer and servers: beside the shell that is open there, and in two panes.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright/test';
import { enter, expect, leaveShell, openShell, press, protocolOf, test, typeText } from './rigs/journey.ts';

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

test('two panes: a folder is made, a file copied, changed while somebody else changes it, and deleted, by keyboard', async ({
  page,
  gateway,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-journey-panes-'));
  const here = await mkdtemp(join(tmpdir(), 'postern-journey-here-'));
  try {
    await writeFile(`${folder}/notes.txt`, 'one\n');
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff])]), 'odd');
    await mkdir(`${folder}/box/inner`, { recursive: true });
    await writeFile(`${folder}/box/inner/deep.txt`, 'deep\n');
    await enter(page, gateway);
    await press(page, 'Control+k');
    await typeText(page, `files ${userInfo().username}@${hostname()}\n`);
    const left = page.getByRole('region', { name: /^Left pane: / });
    const right = page.getByRole('region', { name: /^Right pane: / });
    const rows = (pane: Locator) => pane.locator('tbody tr');
    await expect(rows(left).first()).toBeVisible();
    const go = async (pane: Locator, path: string): Promise<void> => {
      await pane.getByRole('textbox').first().fill(path);
      await press(page, 'Enter');
      await expect(pane.getByRole('textbox').first()).toHaveValue(path);
    };
    // Folders of this computer, one that is chosen and one that is dropped, come with all that is in them.
    for (const name of ['chosen', 'dropped']) {
      await mkdir(`${here}/${name}/sub/none`, { recursive: true });
      await writeFile(`${here}/${name}/sub/deep.txt`, name);
    }
    await mkdir(`${here}/there`);
    await go(left, `${here}/there`);
    const chooser = page.waitForEvent('filechooser');
    await right.getByRole('button', { name: 'Upload a folder…' }).press('Enter');
    await (await chooser).setFiles(`${here}/chosen`);
    await expect(rows(left)).toHaveText([/^chosen\//]);
    const { x = 0, y = 0, width = 0, height = 0 } = (await left.boundingBox()) ?? {};
    const protocol = await protocolOf(page);
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await protocol.send('Input.dispatchDragEvent', {
        type,
        x: x + width / 2,
        y: y + height / 2,
        data: { items: [], files: [`${here}/dropped`], dragOperationsMask: 1 },
      });
    await expect(rows(left)).toHaveText([/^chosen\//, /^dropped\//]);
    for (const name of ['chosen', 'dropped'])
      await expect.poll(() => readFile(`${here}/there/${name}/sub/deep.txt`, 'utf8').catch(String)).toBe(name);
    // Browsers tell of a folder without files only where it is dropped.
    await expect.poll(() => readdir(`${here}/there/dropped/sub`)).toEqual(['deep.txt', 'none']);
    await go(left, folder);
    await expect(rows(left)).toHaveText([/^box\//, /^a\\xff/, /^notes\.txt/]);

    // The same address shows the same folder in both panes, as a link does.
    const shown = new URL(page.url());
    shown.searchParams.set('right', shown.searchParams.get('left') ?? '');
    await page.goto(String(shown));
    await expect(rows(right)).toHaveCount(3);
    await rows(right).first().focus();
    await press(page, 'Enter');
    await expect(rows(right)).toHaveText([/^inner\//]);

    // Marked by Space, copied by F5, into the folder of the other pane.
    await press(page, 'Tab');
    await expect(rows(left).first()).toBeFocused();
    await press(page, 'ArrowDown', 'Space', 'F5');
    await expect(page.getByRole('list', { name: 'File transfers' }).getByLabel('Done')).toHaveCount(1);
    await expect(rows(right)).toHaveText([/^inner\//, /^a\\xff/]);
    expect((await readdir(`${folder}/box`, { encoding: 'latin1' })).sort()).toEqual(['a\xff', 'inner']);

    await press(page, 'F6');
    await page.getByRole('textbox', { name: 'New name or place' }).fill('box/moved.txt');
    await press(page, 'Enter');
    await expect(rows(left)).toHaveCount(2);
    await expect(rows(right)).toHaveText([/^inner\//, /^a\\xff/, /^moved\.txt/]);
    await expect(left.locator('tr:focus')).toHaveCount(1);
    await press(page, 'Tab', 'End', 'F3');
    await expect(page.getByRole('dialog', { name: /^View moved\.txt/ }).locator('.cm-content')).toHaveText('one');
    await press(page, 'Escape', 'F6');
    await page.getByRole('textbox', { name: 'New name or place' }).fill(`${folder}/notes.txt`);
    await press(page, 'Enter');
    await expect(rows(left)).toHaveCount(3);
    await expect(right.locator('tr:focus')).toHaveCount(1);
    await press(page, 'Tab', 'F7');
    await page.getByRole('textbox', { name: 'Name of the folder' }).fill('made');
    await press(page, 'Enter');
    await expect(rows(left)).toHaveText([/^box\//, /^made\//, /^a\\xff/, /^notes\.txt/]);

    // Changed meanwhile: nothing is saved before somebody has looked.
    await rows(left).last().focus();
    await press(page, 'F4');
    const dialog = page.getByRole('dialog', { name: /^Edit notes\.txt/ });
    await expect(dialog.locator('.cm-content')).toBeFocused();
    await typeText(page, 'mine ');
    await writeFile(`${folder}/notes.txt`, 'theirs, and longer\n');
    await press(page, 'Control+Enter');
    await expect(dialog).toContainText('was changed on the server');
    expect(await readFile(`${folder}/notes.txt`, 'utf8')).toBe('theirs, and longer\n');
    await dialog.getByRole('button', { name: 'Look at the difference' }).press('Enter');
    await expect(dialog.getByRole('region', { name: /^From the file/ })).toContainText('mine one');
    await dialog.getByRole('button', { name: 'Overwrite' }).press('Enter');
    await expect(dialog).toHaveCount(0);
    expect(await readFile(`${folder}/notes.txt`, 'utf8')).toBe('mine one\n');

    await rows(left).first().focus();
    await press(page, 'F8');
    await expect(page.getByRole('heading', { name: 'Delete box?' })).toBeVisible();
    await page.getByRole('button', { name: 'Delete', exact: true }).last().press('Enter');
    await expect(rows(left)).toHaveText([/^made\//, /^a\\xff/, /^notes\.txt/]);
    await expect(right.getByRole('alert')).toContainText(`There is no ${folder}/box`);
  } finally {
    await rm(here, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
});
