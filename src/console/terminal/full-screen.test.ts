import { expect, test } from 'vitest';
import { createFullScreen } from './full-screen.ts';

type Lock = () => Promise<void>;

/** A page of a browser with this way to lock its keyboard, or none, and what was heard of it. */
function rig(lock: Lock | null, mayFill = true) {
  const heard: string[] = [];
  const page = Object.assign(new EventTarget(), {
    fullscreenElement: null as object | null,
    documentElement: {
      async requestFullscreen() {
        if (!mayFill) throw new TypeError('not now');
        page.fullscreenElement = page.documentElement;
      },
    },
    async exitFullscreen() {
      page.fullscreenElement = null;
      page.dispatchEvent(new Event('fullscreenchange'));
    },
    defaultView: {
      navigator: lock && {
        keyboard: {
          async lock() {
            heard.push('lock');
            await lock();
          },
          unlock: () => heard.push('unlock'),
        },
      },
    },
  });
  const toggle = createFullScreen(
    page as unknown as Document,
    text => heard.push(text),
    has => heard.push(has ? 'has the keys' : 'has not the keys'),
    isFull => heard.push(isFull ? 'full' : 'not full'),
  );
  return { page, toggle, heard };
}
const KEPT = 'This browser keeps some keys for itself, also in full screen';

test('a full screen asks for every key, and gives them back when it ends, however it does', async () => {
  const { page, toggle, heard } = rig(async () => undefined);
  await toggle();
  await toggle();
  const once = ['full', 'lock', 'has the keys', 'unlock', 'has not the keys', 'not full'];
  expect(heard).toEqual(once);
  await toggle();
  // By the browser's own key.
  await page.exitFullscreen();
  expect(heard).toEqual([...once, ...once]);
});

test('a browser that has no lock, or refuses it, fills the screen and is said to keep some keys', async () => {
  const without = rig(null);
  await without.toggle();
  expect(without.heard).toEqual(['full', 'has not the keys', KEPT]);
  const refusing = rig(() => Promise.reject(new Error('no')));
  await refusing.toggle();
  expect(refusing.heard).toEqual(['full', 'lock', 'has not the keys', KEPT]);
});

test('a screen that is left before its keys came gives them back', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { page, toggle, heard } = rig(() => promise);
  const filling = toggle();
  await Promise.resolve();
  await page.exitFullscreen();
  resolve();
  await filling;
  expect(heard).toEqual(['full', 'lock', 'unlock', 'has not the keys', 'not full', 'unlock']);
});

test('a browser that refuses the full screen is asked for no keys', async () => {
  const { toggle, heard } = rig(async () => undefined, false);
  await toggle();
  expect(heard).toEqual(['The browser refused the full screen']);
});
