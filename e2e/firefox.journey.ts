// Debian's Firefox goes the main way too: sign in, list, palette, shell, recording, audit log, and every page by its chord.
import { hostname } from 'node:os';
import { features } from '../src/features/table.ts';
import { PASSWORD } from './rigs/browser.ts';
import { openFirefox } from './rigs/firefox.ts';
import { expect, test } from './rigs/journey.ts';
import { chordIds } from './rigs/pages.ts';

const quoted = (text: string): string => JSON.stringify(text);
const heading = (text: string): string =>
  `[...document.querySelectorAll('h1, h2')].some(one => one.textContent.trim() === ${quoted(text)})`;
const focusedOn = (selector: string): string => `document.activeElement?.matches(${quoted(selector)}) === true`;
const screenHolds = (text: string): string =>
  `[...document.querySelectorAll('.xterm-rows')].some(one => one.checkVisibility() && one.textContent.replaceAll('\\u00a0', ' ').includes(${quoted(text)}))`;

test('Firefox signs in, opens a shell from the palette, plays its recording and reads the audit log, by keyboard alone', async ({
  gateway,
}) => {
  test.setTimeout(120_000);
  const firefox = await openFirefox();
  try {
    await firefox.goto(`${gateway.url}/web/users`);
    expect(await firefox.evaluate('document.hasFocus()')).toBe(true);
    await firefox.until(`location.pathname === '/web/login' && document.querySelector('input') !== null`);
    if (!(await firefox.evaluate(focusedOn('input'))))
      await firefox.evaluate(`document.querySelector('input').focus()`);
    await firefox.type('admin');
    await firefox.press('Tab');
    await firefox.until(focusedOn('input[type=password]'));
    await firefox.type(PASSWORD);
    await firefox.press('Enter');
    await firefox.until(heading('Users'));

    await firefox.press('g', 's');
    await firefox.until(heading('Servers'));
    await firefox.until(`document.querySelector('tbody tr') !== null`);

    await firefox.press('Control+k');
    await firefox.until(focusedOn('[role=combobox]'));
    await firefox.type(`ssh root@${hostname()}`);
    await firefox.press('Enter');
    await firefox.until(screenHolds('#'));
    await firefox.type('echo "fire $((6*7)) fox"\n');
    await firefox.until(screenHolds('fire 42 fox'));
    await firefox.type('exit\n');
    await firefox.until(`[...document.querySelectorAll('.xterm')].every(one => !one.checkVisibility())`);

    await firefox.press('g', 'r');
    await firefox.until(heading('Session Recordings'));
    await firefox.until(`document.querySelector('tbody tr') !== null`);
    await firefox.press('Home', 'Enter');
    await firefox.until(screenHolds('fire 42 fox'));

    for (const id of chordIds) {
      const { keys, path } = features[id];
      if (keys === undefined || keys.includes(',')) continue;
      await firefox.press(...keys.split(' '));
      const pattern = `^${path.replaceAll(/\/:[A-Za-z]+\?/g, '(/[^/]+)?').replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`;
      await firefox.until(`new RegExp(${quoted(pattern)}).test(location.pathname)`);
      // Where a page gives the keys to its search, the next chord would be typed there.
      await firefox.press('Escape');
    }
    await firefox.press('g', 'l');
    await firefox.until(`document.querySelector('tbody')?.textContent.includes('Session Ended') === true`);
    expect(firefox.complaints()).toEqual([]);
  } finally {
    await firefox.dispose();
  }
});
