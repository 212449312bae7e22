// What a person waits for before anything can be done: bytes of first load, and a cold start. Each load is a browser profile of its own.
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium } from 'playwright';
import { CHROMIUM, cookiesOf, PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn } from '../rigs/client.ts';
import { openGateway } from '../rigs/gateway.ts';
import { kilobytes, milliseconds, untilAtRest } from './browser.ts';
import { median, type Row } from './row.ts';

const COLD_RUNS = 7;

/** What the measuring scripts leave on the page, ms. Functions only: the page's policy forbids evaluating text while waiting. */
type Measured = Window & { painted?: number; ready?: number };

/**
 * Notes, in ms since navigation began, when something that matches is painted (`window.painted`) and when React has taken it over
 * (`window.ready`): a form that came drawn with the page is seen before it is.
 */
const watchFor = (selector: string) => `(() => {
  const after = name => { const channel = new MessageChannel(); channel.port1.onmessage = () => { window[name] ??= performance.now(); }; channel.port2.postMessage(0); };
  const look = () => {
    const found = document.querySelector(${JSON.stringify(selector)});
    if (found) after('painted');
    if (found && Object.keys(found).some(key => key.startsWith('__react'))) after('ready');
    else requestAnimationFrame(look);
  };
  look();
})()`;

interface Cold {
  readonly paintedMs: number;
  readonly readyMs: number;
  /** Bytes of scripts and styles, in the page or asked for until what is waited for is there and works; gzip, level 9. */
  readonly code: number;
  readonly withFonts: number;
}

async function cold(
  browser: Browser,
  prepare: (context: BrowserContext) => Promise<void>,
  url: string,
  selector: string,
): Promise<Cold> {
  const load = async (counts: boolean) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await prepare(context);
    const page = await context.newPage();
    await page.addInitScript(watchFor(selector));
    const bodies = new Map<string, Promise<{ kind: string; size: number }>>();
    if (counts)
      page.on('response', response => {
        const kind = response.request().resourceType();
        if (kind !== 'script' && kind !== 'stylesheet' && kind !== 'font') return;
        bodies.set(
          response.url(),
          response
            .body()
            .then(body => ({ kind, size: kind === 'font' ? body.length : gzipSync(body, { level: 9 }).length })),
        );
      });
    await untilAtRest(browser);
    await page.goto(url);
    await page.waitForFunction(() => (window as Measured).ready !== undefined);
    const [paintedMs, readyMs] = await page.evaluate<[number, number]>('[window.painted, window.ready]');
    const asked = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').filter(one => one.startTime <= window.ready).map(one => one.name)",
    );
    const inPage = await page.evaluate<string[]>(
      "[...document.querySelectorAll('script:not([src])')].map(one => one.text)",
    );
    const sizes = [
      ...(await Promise.all(asked.flatMap(name => bodies.get(name) ?? []))),
      ...inPage.map(text => ({ kind: 'script', size: gzipSync(text, { level: 9 }).length })),
    ];
    await context.close();
    return { paintedMs, readyMs, sizes };
  };
  const timed = [];
  for (let run = 0; run < COLD_RUNS; run++) timed.push(await load(false));
  // Reading bodies takes time of the page's own, so bytes are counted in a load that is not timed.
  const { sizes } = await load(true);
  return {
    paintedMs: median(timed.map(one => one.paintedMs)),
    readyMs: median(timed.map(one => one.readyMs)),
    code: sizes.filter(({ kind }) => kind !== 'font').reduce((sum, { size }) => sum + size, 0),
    withFonts: sizes.reduce((sum, { size }) => sum + size, 0),
  };
}

/** The least that any page of this gateway takes in this browser: one small file shown as text, ms. */
async function floor(browser: Browser, url: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < COLD_RUNS; run++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(
      `(() => { const look = () => { if (!document.body) return requestAnimationFrame(look); const channel = new MessageChannel(); channel.port1.onmessage = () => { window.painted ??= performance.now(); }; channel.port2.postMessage(0); }; requestAnimationFrame(look); })()`,
    );
    await untilAtRest(browser);
    await page.goto(url);
    await page.waitForFunction(() => (window as Measured).painted !== undefined);
    times.push(await page.evaluate('window.painted'));
    await context.close();
  }
  return median(times);
}

/** Rows of the speed table about the first load. */
export async function benchFirstLoad(): Promise<readonly Row[]> {
  const gateway = await openGateway();
  const browser = await chromium.launch(CHROMIUM);
  try {
    const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    const wire = await signIn(gateway.url, user, PASSWORD);
    const cookies = cookiesOf(gateway.directUrl, wire.cookie);
    const empty = await floor(browser, `${gateway.directUrl}/web/config.js`);
    const login = await cold(browser, async () => undefined, `${gateway.directUrl}/web/login`, 'input[type=password]');
    const list = await cold(
      browser,
      context => context.addCookies([...cookies]),
      `${gateway.directUrl}/web/cluster/${wire.cluster}/nodes`,
      'tbody tr',
    );
    return [
      {
        what: 'first load, sign-in page (JS + CSS, gzip; with fonts)',
        target: '≤ 85 kB',
        measured: `${kilobytes(login.code)} (${kilobytes(login.withFonts)})`,
        reference: 'best-known console: 203 kB (592 kB)',
      },
      {
        what: 'first load, servers list (JS + CSS, gzip; with fonts)',
        target: '≤ 130 kB (≤ 200 kB)',
        measured: `${kilobytes(list.code)} (${kilobytes(list.withFonts)})`,
        reference: 'best-known console: 218 kB (607 kB)',
      },
      {
        what: 'cold: sign-in form visible, median of 7',
        target: '≤ 170 ms',
        measured: `${milliseconds(login.paintedMs)} (sends at ${milliseconds(login.readyMs)})`,
        reference: `an empty page of the same gateway: ${milliseconds(empty)}; best-known console: 338 ms`,
      },
      {
        what: 'cold: servers table visible, median of 7',
        target: '≤ 300 ms',
        measured: milliseconds(list.paintedMs),
        reference: `an empty page of the same gateway: ${milliseconds(empty)}; best-known console: 594 ms`,
      },
    ];
  } finally {
    await browser.close();
    await gateway.dispose();
  }
}
