// Tabs as places to live in: splits, moving about, zoom, and a reload that leaves everything where it was.
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Locator, Page } from 'playwright/test';
import { breaches } from './rigs/accessibility.ts';
import { enter, expect, openShell, press, protocolOf, run, test, typeText } from './rigs/journey.ts';

/** Lines that a shell counts while its terminal is moved about. */
const LINES = 4000;
const text = Array.from({ length: LINES }, (_, index) => `line-${index + 1}\n`).join('');

const cells = (page: Page): Locator => page.locator('[data-terminals] [role=tabpanel]:visible');
const shellOf = (cell: Locator): Locator => cell.locator('.xterm-rows');
const hasKeys = (cell: Locator): Promise<void> => expect(cell.locator('.xterm-helper-textarea')).toBeFocused();
/** All that a terminal has printed, as the console reads it aloud. */
async function printed(page: Page): Promise<string> {
  await press(page, 'Control+Shift+l');
  const field = page.getByRole('textbox', { name: /^Text of/ });
  await expect(field).toBeFocused();
  const value = await field.inputValue();
  await press(page, 'Escape');
  return value;
}

/** Names a command in the palette, from a terminal, and answers what it asks. */
async function say(page: Page, ...words: readonly string[]): Promise<void> {
  await press(page, 'Control+Shift+k');
  await page.locator('[role=combobox]:focus').waitFor();
  for (const word of words) {
    await typeText(page, word);
    await expect(page.getByRole('option').first()).toContainText(new RegExp(word, 'i'));
    await press(page, 'Enter');
  }
}
async function command(page: Page, ...words: readonly string[]): Promise<void> {
  await say(page, ...words);
  await expect(page.locator('dialog[open]')).toHaveCount(0);
}

/** Ends the shells of the tab in front. */
async function leaveAll(page: Page, open = 3): Promise<void> {
  for (let count = open; count > 0; count--) {
    await expect(cells(page)).toHaveCount(count);
    await expect(page.locator('[data-terminals] .xterm-helper-textarea:focus')).toBeVisible();
    await typeText(page, 'exit\n');
  }
  await expect(page.locator('.xterm:visible')).toHaveCount(0);
}

test('terminals share a tab, are moved, zoomed and found again, and no byte of their output is lost', async ({
  page,
  gateway,
}) => {
  test.setTimeout(120_000);
  await enter(page, gateway);
  await page.evaluate(`localStorage.setItem('postern:pane_height', '600')`);
  await openShell(page);
  await press(page, 'Control+Shift+d');
  await expect(cells(page)).toHaveCount(2);
  const [left, right] = [cells(page).nth(0), cells(page).nth(1)];
  await hasKeys(right);
  await expect(shellOf(right)).toContainText('#');
  await press(page, 'Control+Shift+s');
  await expect(cells(page)).toHaveCount(3);
  const below = cells(page).nth(2);
  await hasKeys(below);
  await expect(shellOf(below)).toContainText('#');

  // Output goes on while its terminal is zoomed, swapped and resized.
  await typeText(page, `for n in $(seq ${LINES}); do echo line-$n; done; echo over-$((1+1))\n`);
  await press(page, 'Control+Shift+z');
  await expect(cells(page)).toHaveCount(1);
  await press(page, 'Control+Shift+z', 'Control+Alt+Shift+ArrowUp', 'Control+Alt+Shift+ArrowLeft');
  await expect(cells(page)).toHaveCount(3);
  await expect(shellOf(below)).toContainText('over-2');
  const lines =
    (await printed(page))
      .match(/^line-\d+\n/gm)
      ?.slice(-800)
      .join('') ?? '';
  const hash = (what: string): string => createHash('sha256').update(what).digest('hex');
  expect(hash(lines)).toBe(hash(text.split('\n').slice(-801).join('\n')));

  await press(page, 'Control+Alt+ArrowLeft');
  await hasKeys(left);
  await typeText(page, 'echo "here is $((40+2))"\n');
  await expect(shellOf(left)).toContainText('here is 42');
  // An input method composes: what it settles on is typed once, and nothing of the way there, however soon the next key comes.
  const method = await protocolOf(page);
  const compose = async (...steps: readonly string[]): Promise<void> => {
    for (const text of steps)
      await method.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  };
  await typeText(page, 'echo ');
  await compose('n', 'ni', '日', '日本');
  await Promise.all([method.send('Input.insertText', { text: '日本' }), typeText(page, '-$((1+1))\n')]);
  await expect(shellOf(left)).toContainText(/(?<!o )日本-2/);
  await expect(shellOf(left)).toContainText('echo 日本-$((1+1))');
  // Whoever goes to another terminal in the middle leaves what was composed so far where it was begun.
  await typeText(page, 'echo ');
  await compose('g', 'go', '語');
  await right.locator('.xterm').click();
  await hasKeys(right);
  await left.locator('.xterm').click();
  await hasKeys(left);
  await typeText(page, '-$((2+2))\n');
  await expect(shellOf(left)).toContainText(/(?<!o )語-4/);
  await command(page, 'choose the colours', 'gruvbox');
  await expect(page.locator('.xterm').first()).toBeVisible();
  await command(page, 'rename the tab', 'build');
  await expect(page.getByRole('tab', { name: /^build/ })).toBeVisible();
  // Out into a tab of its own, along the bar, and back beside the others.
  await command(page, 'move the split into a tab');
  await expect(page.getByRole('tab')).toHaveCount(2);
  await hasKeys(cells(page).first());
  await press(page, 'Alt+Shift+PageUp');
  await expect(page.getByRole('tab').first()).toHaveAttribute('aria-selected', 'true');
  // Dragged by the mouse, which takes the keys: the shell has them again where the tab is dropped.
  await page.getByRole('tab').first().dragTo(page.getByRole('tab').last());
  await expect(page.getByRole('tab').last()).toHaveAttribute('aria-selected', 'true');
  await hasKeys(cells(page).first());
  await command(page, 'move this terminal beside', 'build', 'to the right');
  await expect(page.getByRole('tab')).toHaveCount(1);
  await expect(cells(page)).toHaveCount(3);
  await command(page, 'swap the split');

  // The leader key: one chord is the page's, and the shell hears none of it.
  await press(page, 'Control+Shift+Space');
  const hint = page.getByRole('complementary', { name: 'Keys that can follow' });
  await expect(hint).toContainText('Open a shell');
  await press(page, 'Escape');
  await expect(hint).toHaveCount(0);
  await press(page, 'Control+Shift+Space', 'g', 'v');
  await expect(page.getByRole('heading', { name: 'Active Sessions' })).toBeVisible();
  await press(page, 'i');
  // Into a window of its own and back while it prints: the session is the same, and each line is there once.
  await typeText(page, 'clear; for n in $(seq 300); do echo row-$n; sleep 0.01; done; echo end-$((1+1))\n');
  await expect(cells(page).filter({ hasText: /row-\d/ })).toHaveCount(1);
  const opening = page.waitForEvent('popup');
  await command(page, 'window of its own');
  const own = await opening;
  await expect(page.getByText('is in a window of its own')).toBeVisible();
  await expect(cells(own)).toContainText(/row-\d/);
  await expect(own.locator('footer')).toContainText('keys → shell');
  await Promise.all([own.waitForEvent('close'), say(own, 'window of its own').catch(() => undefined)]);
  await expect(page.getByText('is in a window of its own')).toHaveCount(0);
  const back = cells(page).filter({ hasText: 'end-2' });
  await expect(back).toHaveCount(1);
  await back.locator('.xterm-helper-textarea').focus();
  const rows = (await printed(page)).match(/^row-\d+$/gm) ?? [];
  expect(hash(rows.join())).toBe(hash(Array.from({ length: 300 }, (_, index) => `row-${index + 1}`).join()));

  /** Where terminals stand, whichever was opened first. */
  const boxes = async () => {
    const found = await Promise.all([0, 1, 2].map(index => cells(page).nth(index).boundingBox()));
    return found.map(box => JSON.stringify(box)).sort();
  };
  const before = await boxes();

  await page.reload();
  await expect(cells(page)).toHaveCount(3);
  await expect(cells(page).filter({ hasText: 'end-2' })).toHaveCount(1);
  await expect(page.getByRole('tab', { name: /^build/ })).toBeVisible();
  await expect.poll(boxes).toEqual(before);
  await command(page, 'save the terminals as', 'nightly');
  await expect(page.getByRole('log')).toContainText('nightly is saved');
  await leaveAll(page);

  // Saved at the gateway, opened by its name: new sessions, standing as they stood.
  await press(page, 'Control+k');
  await page.locator('[role=combobox]:focus').waitFor();
  await typeText(page, 'workspace nightly');
  await press(page, 'Enter');
  await expect(cells(page)).toHaveCount(3);
  await expect(page.getByRole('tab', { name: /^build/ })).toBeVisible();
  await expect.poll(boxes).toEqual(before);
  for (const index of [0, 1, 2]) await expect(shellOf(cells(page).nth(index))).toContainText('#');
  await leaveAll(page);
});

/** Notes what the page asks of the browser's lock of the keyboard; where the page's address says so, there is none. */
const LOCK_NOTED = `
  globalThis.asked = [];
  if (location.search.includes('no-lock'))
    Object.defineProperty(Navigator.prototype, 'keyboard', { value: undefined });
  else
    for (const name of ['lock', 'unlock']) {
      const real = navigator.keyboard[name].bind(navigator.keyboard);
      navigator.keyboard[name] = (...words) => (asked.push(name), real(...words));
    }
`;

test('a terminal in full screen has every key where the browser lends them, gives them back, and says where it has none', async ({
  page,
  gateway,
}) => {
  test.setTimeout(120_000);
  await page.addInitScript(LOCK_NOTED);
  await enter(page, gateway);
  await openShell(page);
  const full = () => page.evaluate('[document.fullscreenElement !== null, ...asked]');
  const footer = page.locator('footer');
  const kept = page.getByText('This browser keeps some keys for itself, also in full screen');
  await say(page, 'full screen with every key');
  await expect.poll(full).toEqual([true, 'lock']);
  await expect(footer).toContainText('every key → shell');
  await say(page, 'full screen with every key');
  await expect.poll(full).toEqual([false, 'lock', 'unlock']);
  await expect(footer).not.toContainText('every key → shell');
  await expect(kept).toHaveCount(0);

  await page.goto(`${page.url()}${page.url().includes('?') ? '&' : '?'}no-lock`);
  await expect(shellOf(cells(page).first())).toContainText('#');
  await cells(page).first().locator('.xterm-helper-textarea').focus();
  await say(page, 'full screen with every key');
  await expect.poll(full).toEqual([true]);
  await expect(kept).toBeVisible();
  await expect(footer).not.toContainText('every key → shell');
  await say(page, 'full screen with every key');
  await expect.poll(full).toEqual([false]);
  await leaveAll(page, 1);
});

test('what is typed goes to two terminals in full screen, is one entry of the audit log, and a snippet asks for its blanks', async ({
  page,
  gateway,
}) => {
  test.setTimeout(120_000);
  await enter(page, gateway);
  await openShell(page);
  await press(page, 'Control+Shift+d');
  await expect(cells(page)).toHaveCount(2);
  for (const index of [0, 1]) await expect(shellOf(cells(page).nth(index))).toContainText('#');
  const isFull = () => page.evaluate<boolean>('document.fullscreenElement !== null');
  await say(page, 'full screen with every key');
  await expect.poll(isFull).toBe(true);
  await press(page, 'Control+Shift+b');
  await expect(page.getByRole('dialog', { name: 'Type into several terminals' })).toBeVisible();
  expect(await breaches(page, 'choosing terminals')).toEqual([]);
  await press(page, 'Enter');
  await expect(page.locator('footer')).toContainText('typing into 2 terminals');
  expect(await breaches(page, 'a broadcast in full screen')).toEqual([]);
  await typeText(page, 'echo both-$((1+1))\n');
  for (const index of [0, 1]) await expect(shellOf(cells(page).nth(index))).toContainText('both-2');
  await press(page, 'Control+Shift+b');
  await say(page, 'full screen with every key');
  await expect.poll(isFull).toBe(false);
  // The page is back as it was.
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  expect(await breaches(page, 'after full screen')).toEqual([]);

  // The palette asks what to open, and names no row that is gone.
  await say(page, 'new terminal');
  await expect(page.getByRole('option', { name: hostname() })).toBeVisible();
  expect(await breaches(page, 'a new terminal')).toEqual([]);
  await press(page, 'Escape');
  await say(page, 'write a snippet');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await typeText(page, 'greet');
  await press(page, 'Tab');
  await typeText(page, 'echo {{word=hello}}-{{kind=red|green}}-{{n}}');
  await press(page, 'Control+Enter');
  await expect(page.getByRole('list', { name: 'Snippets' })).toContainText('greet');
  await cells(page).last().locator('.xterm-helper-textarea').focus();
  await press(page, 'Control+Shift+e');
  await page.locator('[role=combobox]:focus').waitFor();
  await typeText(page, 'greet');
  await expect(page.getByRole('option').first()).toContainText('greet');
  await press(page, 'Enter');
  const blanks = page.getByRole('dialog', { name: 'Snippet greet' });
  await expect(blanks.getByLabel('word')).toBeFocused();
  await typeText(page, 'bye\ngreen\n7\n');
  await expect(blanks).toHaveCount(0);
  await press(page, 'Enter');
  await expect(shellOf(cells(page).last())).toContainText(/(?<!echo )bye-green-7/);
  await expect(shellOf(cells(page).first())).not.toContainText('bye');
  await leaveAll(page, 2);
  await run(page, 'Go to Audit Log');
  await press(page, '/');
  await typeText(page, 'type:session.broadcast\n');
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await expect(page.locator('tbody')).toContainText('typed into several sessions at once');
});
