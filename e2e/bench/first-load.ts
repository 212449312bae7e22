// What a person waits for before anything can be done: bytes of first load, and a cold start. Each load is a browser profile of its own.
import { setTimeout } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { CHROMIUM, cookiesOf, PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn } from '../rigs/client.ts';
import { type Fetched, requestsOf, weigh } from '../rigs/fetched.ts';
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

/** How long the first second is, ms, from when what is waited for is there and works. */
const FIRST_SECOND_MS = 1000;

interface Cold {
  readonly paintedMs: number;
  readonly readyMs: number;
  /** All that is asked for until what is waited for is there and works. */
  readonly ready: Fetched;
  /** The same and what is asked for in the second after it. */
  readonly firstSecond: Fetched;
}

async function cold(
  browser: Browser,
  prepare: (context: BrowserContext) => Promise<void>,
  url: string,
  selector: string,
): Promise<Cold> {
  const open = async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await prepare(context);
    const page = await context.newPage();
    await page.addInitScript(watchFor(selector));
    return { context, page };
  };
  const load = async (page: Page): Promise<readonly [number, number]> => {
    await untilAtRest(browser);
    await page.goto(url);
    await page.waitForFunction(() => (window as Measured).ready !== undefined);
    return page.evaluate<[number, number]>('[window.painted, window.ready]');
  };
  const times: (readonly [number, number])[] = [];
  for (let run = 0; run < COLD_RUNS; run++) {
    const { context, page } = await open();
    times.push(await load(page));
    await context.close();
  }
  // Reading bodies takes time of the page's own, so bytes are counted in a load that is not timed.
  const { context, page } = await open();
  const requests = requestsOf(page);
  await load(page);
  await setTimeout(FIRST_SECOND_MS);
  const within = async (ms: number): Promise<Fetched> => {
    const asked = new Set(
      await page.evaluate<string[]>(
        `performance.getEntriesByType('resource').filter(one => one.startTime <= window.ready + ${ms}).map(one => one.name)`,
      ),
    );
    return weigh(requests.filter(request => request.resourceType() === 'document' || asked.has(request.url())));
  };
  const [ready, firstSecond] = [await within(0), await within(FIRST_SECOND_MS)];
  await context.close();
  return {
    paintedMs: median(times.map(([painted]) => painted)),
    readyMs: median(times.map(([, readyAt]) => readyAt)),
    ready,
    firstSecond,
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
    const both = (bytes: number, requests: number): string => `${kilobytes(bytes)} / ${requests}`;
    return [
      {
        what: 'sign-in page until the form: JS + CSS, gzip / requests',
        target: '≤ 110 kB / 8',
        measured: both(login.ready.codeBytes, login.ready.requests),
        reference: 'best-known console: 203 kB',
      },
      {
        what: 'servers list until the table: JS + CSS, gzip / requests',
        target: '≤ 180 kB / 14',
        measured: both(list.ready.codeBytes, list.ready.requests),
        reference: 'best-known console: 218 kB',
      },
      {
        what: 'servers list, all that is fetched until a second after: gzip / requests',
        target: '≤ 260 kB / 30',
        measured: both(list.firstSecond.allBytes, list.firstSecond.requests),
        reference: '',
      },
      {
        what: 'cold: sign-in form visible, median of 7',
        target: '≤ 0.6 × best-known console',
        measured: `${milliseconds(login.paintedMs)} (sends at ${milliseconds(login.readyMs)})`,
        reference: `an empty page of the same gateway: ${milliseconds(empty)}`,
      },
      {
        what: 'cold: servers table visible, median of 7',
        target: '≤ 0.6 × best-known console',
        measured: milliseconds(list.paintedMs),
        reference: `an empty page of the same gateway: ${milliseconds(empty)}`,
      },
    ];
  } finally {
    await browser.close();
    await gateway.dispose();
  }
}
