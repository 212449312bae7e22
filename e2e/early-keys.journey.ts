// No key is lost while a page is being loaded: known keys are pressed at every part of that moment.
import { hostname } from 'node:os';
import type { Page } from 'playwright/test';
import { enter, expect, hold, press, test, typeText } from './rigs/journey.ts';

/** Moments after the change began at which keys are pressed, ms: close together where most happens. */
const moments = [0, 5, 20, 50, 120, 350];
/** A machine that is busy with other work. */
const SLOWER = 3;

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

/** Asks for the palette and goes to a page by it, without waiting for anything in between. */
async function goBlindly(page: Page, title: string): Promise<void> {
  await press(page, 'Control+k');
  await typeText(page, `>Go to ${title}`);
  await press(page, 'Enter');
}

// Every moment is a page load or more, on a machine that is made slow.
test.beforeEach(() => test.setTimeout(240_000));

const isAt = (page: Page, path: RegExp, when: number) => expect(page, `keys pressed after ${when} ms`).toHaveURL(path);

test('a page that is still being loaded', async ({ page, gateway }) => {
  await enter(page, gateway);
  await slowDown(page);
  for (const when of moments) {
    await page.goto(`${gateway.url}/web/cluster/-current-/databases`, { waitUntil: 'domcontentloaded' });
    await page.waitForTimeout(when);
    await goBlindly(page, 'Users');
    await isAt(page, /\/web\/users$/, when);
  }
});

test('bare keys on a page that is still being loaded', async ({ page, gateway }) => {
  await enter(page, gateway);
  await slowDown(page);
  for (const when of moments) {
    await page.goto(`${gateway.url}/web/cluster/-current-/nodes`, { waitUntil: 'domcontentloaded' });
    await page.waitForTimeout(when);
    await press(page, 'g', 'o');
    await isAt(page, /\/web\/roles$/, when);
  }
  // The list stands before all commands are known: until then no key may be heard as if there were no others.
  const commands = await hold(page, /\/assets\/commands-[\w-]+\.js$/);
  await page.goto(`${gateway.url}/web/cluster/-current-/nodes`);
  await page.locator('tbody tr').first().waitFor();
  await expect.poll(commands.count).toBeGreaterThan(0);
  await press(page, 'g', 'o');
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(page.url()).toMatch(/\/nodes$/);
  commands.letGo();
  await expect(page).toHaveURL(/\/web\/roles$/);
});

/** Moments of a change at which known keys are pressed: each of its first so many milliseconds, in an order that a seed gives. */
const EACH_MS = 20;
/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('known keys at every millisecond of what comes and goes: none is lost, doubled or heard by something else', async ({
  page,
  gateway,
}, { annotations }) => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  annotations.push({ type: 'seed', description: String(seed) });
  process.stdout.write(`early keys: SEED=${seed}\n`);
  const random = randomOf(seed);
  const moments = Array.from({ length: EACH_MS }, (_one, ms) => ({ ms, order: random() })).toSorted(
    (one, other) => one.order - other.order,
  );
  const letters = (): string =>
    Array.from({ length: 6 }, () => 'abcdefhlmnopqrstuvwxyz'[Math.floor(random() * 22)]).join('');

  await enter(page, gateway);
  const session = await page.context().newCDPSession(page);
  /** Presses a key and waits for nothing. */
  const strike = (key: string, modifiers = 0): Promise<unknown> => {
    const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key;
    const windowsVirtualKeyCode =
      { Escape: 27, Enter: 13 }[key] ?? (/^[a-z\d ]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0);
    const text = modifiers !== 0 || key === 'Escape' ? undefined : key === 'Enter' ? '\r' : key;
    const event = { key, code, windowsVirtualKeyCode, modifiers };
    return Promise.all([
      session.send('Input.dispatchKeyEvent', {
        ...event,
        type: text === undefined ? 'rawKeyDown' : 'keyDown',
        ...(text && { text, unmodifiedText: text }),
      }),
      session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' }),
    ]);
  };
  const [CONTROL, SHIFT] = [2, 8];
  const palette = () => strike('k', CONTROL);
  const goTo = (letter: string) => Promise.all([strike('g'), strike(letter)]);
  const typed = (text: string) => Promise.all([...text].map(letter => strike(letter)));
  /** The field that has the keys holds exactly this text. */
  const isTyped = (label: RegExp, text: string) =>
    page.waitForFunction(
      ([name, value]) => {
        const field = document.activeElement as HTMLInputElement;
        return (
          new RegExp(name).test(
            `${field.getAttribute('aria-label')} ${field.role ?? field.getAttribute('role')} ${field.labels?.[0]?.textContent}`,
          ) && field.value === value
        );
      },
      [label.source, text] as const,
      { timeout: 5000 },
    );
  const isOn = (path: string) => page.waitForFunction(at => location.pathname.endsWith(at), path, { timeout: 5000 });
  const isGone = (selector: string) => page.waitForFunction(what => document.querySelector(what) === null, selector);

  interface Passing {
    /** Waits until it stands as it was before. */
    readonly ready: () => Promise<unknown>;
    readonly change: () => Promise<unknown>;
    readonly keys: (text: string) => Promise<unknown>;
    readonly arrived: (text: string) => Promise<unknown>;
    readonly back: () => Promise<unknown>;
  }
  const closePalette = async () => {
    await strike('Escape');
    await isGone('[cmdk-root]');
  };
  const changes: Readonly<Record<string, Passing>> = {
    'the palette comes': {
      ready: async () => {},
      change: palette,
      keys: typed,
      arrived: text => isTyped(/combobox/, text),
      back: closePalette,
    },
    'the palette goes': {
      ready: async () => {
        await palette();
        await isTyped(/combobox/, '');
      },
      change: () => strike('Escape'),
      keys: () => goTo('o'),
      arrived: () => isOn('/web/roles'),
      back: async () => {
        await goTo('s');
        await isOn('/nodes');
      },
    },
    'a menu goes': {
      ready: async () => {
        await page.getByRole('button', { name: /^Cluster:/ }).press('Enter');
        await page.getByRole('menu').waitFor();
      },
      change: () => strike('Escape'),
      keys: text => Promise.all([palette(), typed(text)]),
      arrived: text => isTyped(/combobox/, text),
      back: closePalette,
    },
    'a page comes': {
      ready: async () => {},
      change: () => goTo('u'),
      keys: text => Promise.all([strike('/'), typed(text)]),
      arrived: text => isTyped(/Filter Users/, text),
      back: async () => {
        await strike('Escape');
        await strike('Escape');
        await goTo('s');
        await isOn('/nodes');
      },
    },
    'a dialog comes': {
      ready: async () => {},
      change: () => strike('?', SHIFT),
      keys: typed,
      arrived: text => isTyped(/Search keys/, text),
      back: async () => {
        await strike('Escape');
        await strike('Escape');
        await isGone(':modal');
      },
    },
    'a dialog goes': {
      ready: async () => {
        await strike('?', SHIFT);
        await page.getByRole('dialog').waitFor();
      },
      change: () => strike('Escape'),
      keys: text => Promise.all([palette(), typed(text)]),
      arrived: text => isTyped(/combobox/, text),
      back: closePalette,
    },
    'a terminal comes': {
      ready: async () => {},
      change: () => Promise.all([palette(), typed(`ssh root@${hostname()}`), strike('Enter')]),
      keys: text => Promise.all([typed(`echo "$((40+2))" ${text}`), strike('Enter')]),
      arrived: text =>
        page.waitForFunction(said => document.querySelector('.xterm-rows')?.textContent?.includes(said), `42 ${text}`, {
          timeout: 10_000,
        }),
      back: async () => {
        await Promise.all([typed('exit'), strike('Enter')]);
        await isGone('.xterm');
      },
    },
  };
  // A terminal takes longer, and each costs a shell.
  for (const [name, passing] of Object.entries(changes))
    for (const { ms } of name === 'a terminal comes'
      ? moments.slice(0, 5).map(({ ms }) => ({ ms: 10 * ms }))
      : moments) {
      const text = letters();
      await passing.ready();
      const changed = passing.change();
      await new Promise(done => setTimeout(done, ms));
      await Promise.all([changed, passing.keys(text)]);
      await passing.arrived(text).catch(async () => {
        const seen = await page.evaluate(() => {
          const field = document.activeElement as HTMLInputElement;
          return `${location.pathname}, ${field.tagName} ${field.getAttribute('aria-label')} "${field.value}"`;
        });
        throw new Error(`${name}: keys "${text}" ${ms} ms later (SEED=${seed}) led to ${seen}`);
      });
      await passing.back();
    }
});

test('a menu whose files are still being fetched', async ({ page, gateway }) => {
  let arrive = (): void => {};
  const arrived = new Promise<void>(done => {
    arrive = done;
  });
  await page.route(/\/(FloatingPopup|ColumnsPanel)-[\w-]+\.js$/, async route => {
    await arrived;
    await route.continue();
  });
  await enter(page, gateway);
  await press(page, 'c', 'ArrowDown', 'Enter');
  arrive();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Labels', exact: true })).not.toBeChecked();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Address', exact: true })).toBeChecked();
});
