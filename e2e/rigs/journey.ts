// What every journey starts from: a gateway, a browser that draws terminals as text, and hands that only use the keyboard.
import { hostname } from 'node:os';
import { test as base, type CDPSession, expect, type Page } from 'playwright/test';
import { breaches } from './accessibility.ts';
import { cookiesOf, PASSWORD } from './browser.ts';
import { acceptInvite as acceptByWire, signIn as signInByWire } from './client.ts';
import { type GatewayRig, openGateway } from './gateway.ts';
import { openPreparedGateway } from './prepared.ts';

/** A browser says these itself when a call is refused or the network is cut, which journeys do on purpose. */
const expected = /^Failed to load resource|^WebSocket connection to/;

/** Keeps what a page complains of: scripts that throw, errors on the console, breaches of the content policy. */
function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(`${page.url()}: ${error.stack ?? error.message}`));
  page.on('console', message => {
    if (message.type() === 'error' && !expected.test(message.text()))
      complaints.push(`${page.url()}: ${message.text()}`);
  });
  return complaints;
}

interface Fixtures {
  /** Has its first administrator and is shared by the journeys of one file, in their order; the next file gets another. */
  readonly gateway: GatewayRig;
  /** Has its first administrator, for one journey alone. */
  readonly ownGateway: GatewayRig;
  /** Has nobody yet. */
  readonly newGateway: GatewayRig;
  /** A file that a page asks its person for is `saved.` and its ending, in the folder of its origin. */
  readonly files: undefined;
  /** A page that complains fails its journey, however well the rest went. */
  readonly quiet: undefined;
  /** What a journey leaves on screen when it has gone well breaks no accessibility rule. */
  readonly accessible: undefined;
}

export const test = base.extend<Fixtures, { gatewayOf: (file: string) => Promise<GatewayRig> }>({
  gatewayOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      let opened: { readonly file: string; readonly gateway: GatewayRig } | undefined;
      await use(async file => {
        if (opened?.file !== file) {
          await opened?.gateway.dispose();
          opened = { file, gateway: await openPreparedGateway() };
        }
        return opened.gateway;
      });
      await opened?.gateway.dispose();
    },
    { scope: 'worker' },
  ],
  gateway: async ({ gatewayOf }, use, { file }) => use(await gatewayOf(file)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  ownGateway: async ({}, use) => {
    const gateway = await openPreparedGateway();
    await use(gateway);
    await gateway.dispose();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  newGateway: async ({}, use) => {
    const gateway = await openGateway();
    await use(gateway);
    await gateway.dispose();
  },
  files: [
    async ({ page }, use) => {
      // A browser without a window has no dialog to choose a file in, and answers that nobody chose one: each is one of its own folder.
      await page.addInitScript(() =>
        Object.assign(window, {
          showSaveFilePicker: async ({ suggestedName }: { readonly suggestedName: string }) =>
            (await navigator.storage.getDirectory()).getFileHandle(suggestedName.replace(/.*\./, 'saved.'), {
              create: true,
            }),
        }),
      );
      await use(undefined);
    },
    { auto: true },
  ],
  quiet: [
    async ({ page }, use) => {
      const complaints = complaintsOf(page);
      await use(undefined);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  accessible: [
    async ({ page }, use, journey) => {
      await use(undefined);
      const { status, title } = journey;
      if (status === 'passed' && !page.isClosed() && page.url().startsWith('http'))
        expect(await breaches(page, `the end of "${title}"`)).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Presses keys one after the other: `press(page, 'g', 's')`. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();
/** A page by the protocol of its browser: its keyboard takes the next key there while the one before it is still being drawn. */
export function protocolOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
}

/** Keys that desktops are told of by their place alone. */
const places: Readonly<Record<string, string>> = { ' ': 'Space', '-': 'Minus', ';': 'Semicolon', '.': 'Period' };

/**
 * Types a text as fast as a browser takes keys: each goes down and up in order, and none waits until the one before it has been drawn.
 * `\n` is Enter. Throws for what the keyboard of a journey has no key for.
 */
export async function typeText(page: Page, text: string): Promise<void> {
  const session = await protocolOf(page);
  const sent = [...text].flatMap(one => {
    if (!/^[\x20-\x7e\n]$/.test(one)) throw new Error(`no key types ${JSON.stringify(one)}`);
    const key = one === '\n' ? 'Enter' : one;
    const typed = one === '\n' ? '\r' : one;
    const code = /[a-z]/i.test(one) ? `Key${one.toUpperCase()}` : /\d/.test(one) ? `Digit${one}` : (places[one] ?? '');
    const windowsVirtualKeyCode = one === '\n' ? 13 : /[a-z\d ]/i.test(one) ? one.toUpperCase().charCodeAt(0) : 0;
    const event = { key, code: one === '\n' ? 'Enter' : code, windowsVirtualKeyCode };
    return [
      session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event, text: typed, unmodifiedText: typed }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event }),
    ];
  });
  await Promise.all(sent);
}

/** The first administrator takes the invite link and lands on the servers. Keyboard only. */
export async function acceptInvite(page: Page, gateway: GatewayRig): Promise<void> {
  await page.goto(gateway.invite());
  const start = page
    .getByRole('link', { name: /get started|continue/i })
    .or(page.getByRole('button', { name: /get started|continue/i }));
  const password = page.getByLabel('Password', { exact: true });
  await expect(start.or(password).first()).toBeVisible();
  if (await start.isVisible()) {
    await start.focus();
    await press(page, 'Enter');
  }
  await expect(password).toBeFocused();
  await typeText(page, PASSWORD);
  await press(page, 'Tab');
  await typeText(page, PASSWORD);
  await press(page, 'Enter');
  const done = page
    .getByRole('button', { name: /Go to (Cluster|Dashboard)/ })
    .or(page.getByRole('link', { name: /Go to (Cluster|Dashboard)/ }));
  await expect(done).toBeFocused();
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
}

/** A page load replaces a session's cookie once half of its bearer token's ten minutes are gone: until then one sign-in serves all journeys. */
const SHARED_MS = 4 * 60_000;
const shared = new WeakMap<GatewayRig, { readonly cookie: Promise<string>; readonly until: number }>();
/** The first administrator's cookie. */
function cookieOf(gateway: GatewayRig): Promise<string> {
  const kept = shared.get(gateway);
  if (kept !== undefined && kept.until > Date.now()) return kept.cookie;
  const cookie = signInByWire(gateway.url, 'admin', PASSWORD).then(client => client.cookie);
  shared.set(gateway, { cookie, until: Date.now() + SHARED_MS });
  return cookie;
}

/** Puts a signed-in person's cookies into a browser. */
export const carry = (page: Page, gateway: GatewayRig, cookie: string): Promise<void> =>
  page.context().addCookies(cookiesOf(gateway.url, cookie));

/** Goes to a page. Resolves once it also hears from the gateway what changes, and why a session is over. */
export async function gotoListening(page: Page, address: string): Promise<void> {
  const listens = page.waitForEvent('websocket', socket => socket.url().includes('/webapi/changes?'));
  await page.goto(address);
  await listens;
}

/** A user with a password, signed in over the wire: for journeys that end sessions. */
export async function addPerson(gateway: GatewayRig, name: string, ...flags: readonly string[]) {
  const said = await gateway.command('users', 'add', name, ...flags);
  await acceptByWire(gateway.url, /http\S+/.exec(said)?.[0] ?? '', PASSWORD);
  return signInByWire(gateway.url, name, PASSWORD);
}

/** Is the first administrator, signed in already, at the list of servers. Do not sign out: journeys share the session. */
export async function enter(page: Page, gateway: GatewayRig): Promise<void> {
  await carry(page, gateway, await cookieOf(gateway));
  await page.goto(`${gateway.url}/web`);
  await page.getByRole('heading', { name: 'Servers' }).waitFor();
  await page.locator('tbody tr').first().waitFor();
}

/** Opens a shell on the machine of the gateway by typing the command whole. */
export async function openShell(page: Page): Promise<void> {
  await run(page, `ssh root@${hostname()}`);
  await page.locator('.xterm-rows:visible', { hasText: '#' }).waitFor();
  await page.locator('.xterm-helper-textarea:focus').waitFor();
}

/** Ends the shell that has the keys, and waits until its terminal is gone. */
export async function leaveShell(page: Page): Promise<void> {
  await typeText(page, 'exit\n');
  await page.locator('.xterm:visible').waitFor({ state: 'detached' });
}

/**
 * The browser keeps nothing of who used it. The page goes first: a console that finds its session gone leads to the login page by
 * itself, and a journey that goes somewhere at that moment is interrupted.
 */
export async function forget(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  await page.goto('about:blank');
  await page.context().clearCookies();
  const session = await protocolOf(page);
  if (origin !== 'null') await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
}

/** Keeps requests to an address waiting until they are let go, and counts them. */
export async function hold(page: Page, address: string | RegExp, method = 'GET') {
  let count = 0;
  let letGo = (): void => {};
  const held = new Promise<void>(done => {
    letGo = done;
  });
  await page.route(address, async route => {
    if (route.request().method() !== method) return route.fallback();
    count += 1;
    await held;
    await route.continue();
  });
  return { letGo, count: () => count };
}

/** Signs in on the login page. */
export async function signIn(page: Page, gateway: GatewayRig, user: string, password: string): Promise<void> {
  await page.goto(`${gateway.url}/web/login`);
  await page.getByLabel('Username').fill(user);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Enter');
}

/** What the terminal that has the keys shows, as text (journeys run without WebGL, so the rows are elements). */
export const screen = (page: Page) => page.locator('.xterm-rows:visible').first();

/** Types into the palette and takes the first row. */
export async function run(page: Page, ...words: readonly string[]): Promise<void> {
  await press(page, 'Control+k');
  await page.locator('[role=combobox]:focus').waitFor();
  for (const word of words) {
    await typeText(page, word);
    await press(page, 'Enter');
  }
}
