// A robot's hands and eyes: what it names in the palette, what has the focus and whether that can be seen, and how it leaves what opened.
import type { Page } from 'playwright/test';
import { type FeatureId, features } from '../../src/features/table.ts';
import { expect, press, protocolOf } from './journey.ts';

export const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or run' });

/** The address of a page, whatever stands for its parameters. */
export function addressOf(id: FeatureId): RegExp {
  const path = features[id].path.replaceAll(/\/:[A-Za-z]+\?/g, '').replaceAll(/:[A-Za-z]+/g, '[^/?]+');
  // Home leads on to the first page that the person can use, and the console to the terminal in front.
  if (id === 'root') return /\/web\/cluster\/[^/]+\/nodes/;
  return new RegExp(`${path}${id === 'console' ? '(/session/[^/]+)?' : ''}(\\?|$)`);
}

export interface Focused {
  /** The same for the same element as long as the page lives; '' when nothing has the focus. */
  readonly id: string;
  readonly name: string;
  /** Something is drawn for it: an outline, a ring around the field it is in, a terminal's border, the page's line. */
  readonly isShown: boolean;
  readonly isTerminal: boolean;
}

/** What has the focus; runs in the page, where each element gets a number of its own the first time it is met. */
function lookAtFocus(): Focused {
  const at = document.activeElement;
  if (at === null || at === document.body) return { id: '', name: 'the body', isShown: false, isTerminal: false };
  // Lists are drawn anew while the robot walks: what counts is the element.
  const walker = globalThis as { met?: WeakMap<Element, string> };
  const met = walker.met ?? new WeakMap<Element, string>();
  walker.met = met;
  if (!met.has(at)) met.set(at, crypto.randomUUID());
  const drawn = (element: Element): boolean => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  };
  const { width, height } = at.getBoundingClientRect();
  const frame = at.closest('label, search, form, [role=search], [role=row], [role=grid]');
  const isTerminal = at.closest('.xterm') !== null;
  const isShown =
    isTerminal ||
    (width > 0 && height > 0 && (drawn(at) || getComputedStyle(at, '::after').content !== 'none')) ||
    (frame !== null && drawn(frame));
  const text = at.getAttribute('aria-label') ?? at.textContent?.trim().slice(0, 30) ?? '';
  return { id: met.get(at) ?? '', name: `${at.tagName.toLowerCase()} "${text}"`, isShown, isTerminal };
}

/** What has the focus now. */
export const focused = (page: Page): Promise<Focused> => page.evaluate(lookAtFocus);

/** Presses Tab so often, as fast as the browser takes it. Answers what had the focus when each was let go. */
export async function tabs(page: Page, count: number): Promise<readonly Focused[]> {
  const session = await protocolOf(page);
  await page.evaluate(`{
    const look = ${lookAtFocus};
    globalThis.stops = [];
    addEventListener('keyup', globalThis.heard = ({ key }) => key === 'Tab' && stops.push(look()), true);
  }`);
  const event = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  await Promise.all(
    Array.from({ length: count }, () => [
      session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...event }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event }),
    ]).flat(),
  );
  return page.evaluate(`removeEventListener('keyup', heard, true), stops`);
}

/** Waits until nothing on the page says that it is being loaded. */
export const atRest = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelector('main h1, main h2, [role=alert]') !== null &&
      document.querySelector('[aria-busy=true]') === null &&
      // A spinner is empty until it is shown.
      [...document.querySelectorAll('div[role=status]')].every(({ textContent }) => !/^(Loading)?$/.test(textContent)),
  );

/** Something that can be seen has the keys: a part of the page, a dialog's field, a terminal. */
export async function expectFocus(page: Page, after: string): Promise<void> {
  await expect
    .poll(async () => ((at: Focused) => (at.isShown ? '' : at.name))(await focused(page)), {
      message: `the focus can be seen after ${after}`,
      intervals: [20, 50, 100],
    })
    .toBe('');
}

/** Types a command's name into the palette; its row is under the cursor. Over a terminal the palette has a key of its own. */
export async function name(page: Page, title: string, key = 'Control+k'): Promise<void> {
  await press(page, key);
  await palette(page).locator('[role=combobox]:focus').waitFor();
  // At once, as an input method or a paste puts it there: other journeys type letter by letter, and a list is drawn for each.
  await page.keyboard.insertText(`>${title.replace('…', '')}`);
}

/** What lies over the page, or over a terminal. */
export const overlay = (page: Page) =>
  page.locator(
    'dialog[open], [role=menu]:visible, [role=dialog]:visible, [data-terminals] search:visible, [data-terminals] section:visible',
  );

/** Leaves whatever a command has opened, as a person does: with Escape, or where a question must be answered, with Cancel. */
export async function settle(page: Page, after: string): Promise<void> {
  for (let tries = 0; tries < 12 && (await overlay(page).count()) > 0; tries++) {
    const on = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    await press(page, /^(Cancel|Close|Done|Stay)/.test(on) ? 'Enter' : tries % 2 === 0 ? 'Escape' : 'Tab');
  }
  await expect(overlay(page), `the keyboard leaves what ${after} opened`).toHaveCount(0);
}
