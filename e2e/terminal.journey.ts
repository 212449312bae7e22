// What hands that live in terminals expect of one: paste, copy, find, size, interrupt, a phone's missing keys.
import { hostname } from 'node:os';
import type { Page } from 'playwright/test';
import { enter, expect, leaveShell, openShell, press, screen, test, typeText } from './rigs/journey.ts';

// Rule 1: servers, databases, desktops, clusters and applications are reached from one console
test('four keystrokes lead to a shell: a key, two letters of a server, Enter', async ({ page, gateway }) => {
  await enter(page, gateway);
  await press(page, 'o');
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await typeText(page, hostname().slice(0, 2));
  await expect(page.getByRole('option').first()).toContainText(hostname());
  await press(page, 'Enter');
  // The only login there is needs no asking.
  await expect(screen(page)).toContainText('#');
  await leaveShell(page);
});

test('a login and a host typed whole are a shell; a host that is not there is said', async ({ page, gateway }) => {
  const launch = async (line: string): Promise<void> => {
    await press(page, 'Control+k');
    await expect(page.getByRole('combobox').first()).toBeFocused();
    await typeText(page, line);
    await press(page, 'Enter');
  };
  await enter(page, gateway);
  await launch('root@no-such-host');
  await expect(page.getByText('Nothing matches "no-such-host"')).toBeVisible();
  await press(page, 'Escape');
  await expect(page.getByRole('combobox')).toHaveCount(0);
  for (const host of [hostname(), `${hostname()}:22`]) {
    await launch(`root@${host}`);
    await expect(screen(page)).toContainText('#');
    await leaveShell(page);
  }
});

test('keys pressed while the terminal is still coming reach the shell, in order, and never the page', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await press(page, 'Control+k');
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await typeText(page, `ssh root@${hostname()}`);
  await press(page, 'Enter');
  await expect(page.getByRole('combobox')).toHaveCount(0);
  await typeText(page, 'echo "early $((20+3))"\n');
  await expect(screen(page)).toContainText('early 23');
  await expect(page).toHaveURL(/nodes|console/);
  await leaveShell(page);
});

test('a paste of several lines asks first, and one line goes straight in', async ({ page, gateway }) => {
  await enter(page, gateway);
  await openShell(page);
  await page.evaluate(`navigator.clipboard.writeText('echo one-line')`);
  await press(page, 'Control+Shift+v');
  await expect(screen(page)).toContainText('echo one-line');
  await press(page, 'Enter');
  await page.evaluate(`navigator.clipboard.writeText('echo first\\necho second\\n')`);
  await press(page, 'Control+Shift+v');
  const question = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await expect(question).toContainText('Paste several lines?');
  await expect(question).toContainText('2 lines');
  await expect(question).toContainText(`root@${hostname()}`);
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await press(page, 'Enter');
  await expect(question).toHaveCount(0);
  await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
  await expect(screen(page)).not.toContainText('second');
  await press(page, 'Control+Shift+v');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await press(page, 'o');
  await expect(screen(page)).toContainText('echo first echo second');
  await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
  await press(page, 'Control+c');
  // An interrupt throws away what is typed before the shell has asked again.
  await expect(screen(page)).toContainText(/second\^C.*#/s);
  await leaveShell(page);
});

test('what is selected is copied by Ctrl+Shift+C, and Ctrl+C without a selection interrupts', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'clear; echo copy-this-$((40+2))\n');
  const row = page.locator('.xterm-rows:visible > div').filter({ hasText: /^copy-this-42/ });
  await expect(row).toBeVisible();
  // Words are picked with a pointer in any terminal.
  const box = await row.boundingBox();
  await page.mouse.dblclick((box?.x ?? 0) + 20, (box?.y ?? 0) + 8);
  await press(page, 'Control+Shift+c');
  await expect.poll(() => page.evaluate(`navigator.clipboard.readText()`)).toBe('copy-this-42');
  // The shell itself waits: an interrupt that comes before a program has begun is nobody's.
  await typeText(page, 'echo waits-$((1+1)); read\n');
  await expect(screen(page)).toContainText('waits-2');
  await press(page, 'Control+c');
  // A terminal throws away what was typed before an interrupt.
  await expect(screen(page)).toContainText('^C');
  await typeText(page, 'echo interrupted-$?\n');
  await expect(screen(page)).toContainText('interrupted-130');
  await leaveShell(page);
});

test('find goes through the scrollback and says how many there are', async ({ page, gateway }) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'clear; seq 1 300 | sed s/^/needle-/\n');
  await expect(screen(page)).toContainText('needle-300');
  await press(page, 'Control+Shift+f');
  const field = page.getByLabel('Find in the terminal');
  await expect(field).toBeFocused();
  await typeText(page, 'needle-17');
  await expect(page.locator('search output')).toContainText(/of 11$/);
  await press(page, 'Enter', 'Shift+Enter');
  await expect(screen(page)).toContainText('needle-17');
  await field.fill('nothing-like-it');
  await expect(page.locator('search output')).toContainText('None found');
  await press(page, 'Escape');
  await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
  await leaveShell(page);
});

test('the shell knows the size of the window, also after it has changed', async ({ page, gateway }) => {
  await enter(page, gateway);
  await openShell(page);
  let asked = 0;
  const size = async (): Promise<readonly [number, number]> => {
    // Numbered: what an earlier one printed may still be on screen when this one clears it.
    asked += 1;
    await typeText(page, `clear; echo "size-${asked}=$(stty size)="\n`);
    const said = new RegExp(`size-${asked}=(\\d+) (\\d+)=`);
    await expect(screen(page)).toContainText(said);
    const found = said.exec((await screen(page).innerText()).replaceAll('\u00a0', ' '));
    return [Number(found?.[1]), Number(found?.[2])];
  };
  const before = await size();
  expect(before[0]).toBe(await page.locator('.xterm-rows:visible > div').count());
  await page.setViewportSize({ width: 900, height: 700 });
  await expect.poll(async () => (await size())[1]).toBeLessThan(before[1]);
  const after = await size();
  expect(after[0]).toBe(await page.locator('.xterm-rows:visible > div').count());
  await leaveShell(page);
});

test('a flood of output stops when Ctrl+C is pressed, and the shell answers at once', async ({ page, gateway }) => {
  await enter(page, gateway);
  await openShell(page);
  await typeText(page, 'yes flooding\n');
  await expect(screen(page)).toContainText('flooding');
  await press(page, 'Control+c');
  await typeText(page, 'echo "dry again"\n');
  await expect(page.locator('.xterm-rows:visible > div').filter({ hasText: /^dry again/ })).toBeVisible();
  await leaveShell(page);
});

test('on a phone a row of keys stands in for the ones its keyboard lacks', async ({ page, gateway }) => {
  await enter(page, gateway);
  await page.setViewportSize({ width: 390, height: 844 });
  await openShell(page);
  const keys = page.getByRole('toolbar', { name: 'Terminal keys' });
  await expect(keys).toBeVisible();
  await typeText(page, 'echo from-a-phone\n');
  await expect(screen(page)).toContainText('from-a-phone');
  await typeText(page, 'sleep 100\n');
  await keys.getByRole('button', { name: /Ctrl/ }).click();
  await typeText(page, 'c');
  await keys.getByRole('button', { name: 'Up' }).click();
  await keys.getByRole('button', { name: 'Up' }).click();
  await press(page, 'Enter');
  await expect.poll(async () => (await screen(page).innerText()).match(/from-a-phone/g)?.length).toBe(4);
  await leaveShell(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(keys).toHaveCount(0);
});

test('tabs that do not fit are in a menu, and the one in front is always in view', async ({ page, gateway }) => {
  await enter(page, gateway);
  await page.setViewportSize({ width: 300, height: 700 });
  const tabs = page.getByRole('tab');
  await openShell(page);
  for (let count = 2; count <= 3; count += 1) {
    await press(page, 'Control+Shift+k');
    await expect(page.getByRole('combobox').first()).toBeFocused();
    await typeText(page, `ssh root@${hostname()}`);
    await press(page, 'Enter');
    await expect(tabs).toHaveCount(count);
    await expect(screen(page)).toContainText('#');
  }
  await expect(tabs.last()).toBeInViewport({ ratio: 0.9 });
  const more = page.getByRole('button', { name: /more terminal/ });
  await press(page, 'Alt+1');
  await expect(tabs.first()).toBeInViewport({ ratio: 0.9 });
  await more.focus();
  await press(page, 'ArrowDown', 'End');
  await expect(page.getByRole('menuitem').last()).toContainText(`root@${hostname()}`);
  await press(page, 'Enter');
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
  await expect(tabs.last()).toBeInViewport({ ratio: 0.9 });
  await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
  for (let left = 3; left > 0; left -= 1) {
    await expect(tabs).toHaveCount(left);
    await typeText(page, 'exit\n');
  }
  await expect(tabs).toHaveCount(0);
});

test('a maximised terminal has all the room but the status line, docked and on its page, and gives it back', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await openShell(page);
  const sidebar = page.getByRole('navigation').first();
  const pane = page.getByRole('region', { name: 'Terminals' });
  const shown = async (isMaximised: boolean): Promise<void> => {
    await expect(page.locator('header')).toBeVisible({ visible: !isMaximised });
    await expect(sidebar).toBeVisible({ visible: !isMaximised });
    await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
    await expect(page.locator('footer')).toContainText('keys → shell');
  };
  for (const place of ['docked', 'its page']) {
    if (place === 'its page') await press(page, 'Control+Shift+j', 'g', 't');
    await shown(false);
    const before = (await pane.boundingBox())?.height ?? 0;
    await press(page, 'Control+Shift+Enter');
    await shown(true);
    await expect.poll(async () => (await pane.boundingBox())?.height ?? 0).toBeGreaterThan(before);
    await press(page, 'Control+Shift+Enter');
    await shown(false);
  }
  // Another page is opened to be seen.
  await press(page, 'Control+Shift+Enter', 'Control+Shift+k');
  await typeText(page, 'active sessions');
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Active Sessions' })).toBeVisible();
  await expect(sidebar).toBeVisible();
  await press(page, 'i');
  await leaveShell(page);
});

test('a program that copies asks in a bar that takes no keys, once for a server', async ({ page, gateway }) => {
  await enter(page, gateway);
  await openShell(page);
  await page.evaluate(`navigator.clipboard.writeText('mine')`);
  const clipboard = () => page.evaluate('navigator.clipboard.readText()');
  const copy = (text: string) =>
    typeText(page, `printf '\\033]52;c;${Buffer.from(text).toString('base64')}\\a'; echo done-$((1+1))\n`);
  await copy('theirs');
  const bar = page.getByText('wants to write your clipboard');
  await expect(bar).toBeVisible();
  await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
  expect(await clipboard()).toBe('mine');
  await press(page, 'Control+Shift+k');
  await typeText(page, 'let programs on this server');
  await press(page, 'Enter');
  await expect.poll(clipboard).toBe('theirs');
  await expect(bar).toHaveCount(0);
  await copy('again');
  await expect.poll(clipboard).toBe('again');
  await leaveShell(page);
});

/** What shows that a hint of the status line did what its words say. */
const done: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  palette: async page => {
    await expect(page.getByRole('combobox').first()).toBeFocused();
    await press(page, 'Escape');
    await expect(page.getByRole('combobox')).toHaveCount(0);
  },
  keys: async page => {
    await expect(page.getByRole('dialog')).toContainText('Keyboard help');
    await press(page, 'Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
  hide: page => expect(page.locator('.xterm:visible')).toHaveCount(0),
  find: async page => {
    await expect(page.getByLabel('Find in the terminal')).toBeFocused();
    await press(page, 'Escape');
  },
  terminals: page => expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused(),
  filter: page => expect(page.locator('#page input:focus')).toBeVisible(),
};

test('what the status line offers works, wherever it is offered', async ({ page, gateway }) => {
  const keysOf = (hint: string): string =>
    hint
      .split('+')
      .map(key => (key === 'Ctrl' ? 'Control' : key.length === 1 ? key.toLowerCase() : key))
      .join('+');
  const walk = async (expected: readonly string[]): Promise<void> => {
    const hints = page.locator('footer [data-hint]');
    await expect(hints).toHaveText(expected.map(text => new RegExp(`${text}$`)));
    for (const text of expected) {
      const keys = await hints
        .filter({ hasText: new RegExp(`${text}$`) })
        .locator('kbd')
        .innerText();
      await press(page, keysOf(keys));
      await done[text]?.(page);
    }
  };
  await enter(page, gateway);
  await walk(['palette', 'keys', 'filter']);
  // In half a window too: nothing else there says how to leave a shell.
  await page.setViewportSize({ width: 900, height: 700 });
  for (const hint of await page.locator('footer [data-hint]').all()) await expect(hint).toBeInViewport();
  await openShell(page);
  await typeText(page, 'marker=kept\n');
  await walk(['palette', 'find', 'hide']);
  await expect(page.locator('footer')).toContainText('keys → page');
  await walk(['palette', 'keys', 'terminals']);
  await press(page, 'Control+Shift+j', 'g', 't');
  await expect(page).toHaveURL(/console\/session/);
  await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
  await walk(['palette', 'find', 'hide']);
  // Back on the page that was open before, which has the keys: a root prompt hears none of the next ones.
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await press(page, 'g', 'v');
  await expect(page.getByRole('heading', { name: 'Active Sessions' })).toBeVisible();
  await press(page, 'i');
  await typeText(page, 'echo "$marker-$?"\n');
  await expect(screen(page)).toContainText('kept-0');
  await leaveShell(page);
});
