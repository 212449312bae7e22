// What a person waits for in the browser: the palette, and Ctrl-C against a flood.
import { hostname } from 'node:os';
import { chromium, type Page } from 'playwright';
import { openStore } from '../../src/gateway/store/open.ts';
import { CHROMIUM, cookiesOf, PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn } from '../rigs/client.ts';
import { type GatewayRig, openGateway } from '../rigs/gateway.ts';
import { milliseconds } from './browser.ts';
import { median, percentile, type Row } from './row.ts';

/** 1 200 keys a minute: nobody types faster for long. */
const KEY_EVERY_MS = 50;

/** What the measuring scripts leave on the page, ms. Functions only: the page's policy forbids evaluating text while waiting. */
type Measured = Window & { lastChange?: number };

const SERVERS = 10_000;
const jobs = ['web', 'db', 'cache', 'queue', 'api', 'batch', 'mail', 'proxy', 'search', 'log'];
const regions = ['eu-west-1', 'us-east-1', 'ap-south-2', 'eu-north-1', 'us-west-2'];
const pick = (words: readonly string[], index: number): string => words[index % words.length] ?? '';
const serverName = (index: number): string =>
  `${pick(jobs, index)}-${String(index).padStart(5, '0')}.${pick(regions, index >> 4)}.example.com`;

/** Gives the gateway as many servers as a large site has, while it is not running. */
async function addServers(gateway: GatewayRig): Promise<void> {
  await gateway.kill('SIGTERM');
  const store = await openStore({ kind: 'sqlite', folder: gateway.folder });
  try {
    for (let from = 0; from < SERVERS; from += 5000)
      await store.resources.putMany(
        Array.from({ length: 5000 }, (_, at) => {
          const index = from + at;
          return {
            kind: 'node',
            name: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
            title: serverName(index),
            description: '',
            address: `10.0.${index >> 8}.${index & 255}:22`,
            subtype: 'openssh',
            labels: { env: pick(['prod', 'staging', 'dev'], index), region: pick(regions, index >> 4) },
            words: [],
            spec: { hostKeys: [] },
            expires: null,
          };
        }),
      );
  } finally {
    await store.close();
  }
  await gateway.start();
}

/** What is looked for: a command, servers by the beginning and by the middle of their name, a command typed whole. */
const searches = (round: number): readonly string[] => [
  'open',
  serverName(round * 137).slice(0, 8),
  `${pick(regions, round)} ${pick(jobs, round)}`,
  `ssh root@${serverName(round * 211).slice(0, 7)}`,
];

/** From a key going down to the frame after the palette's rows have changed for it, ms, at the speed of a fast typist. */
async function palette(page: Page): Promise<number[]> {
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox').first();
  await input.waitFor();
  await page.evaluate(`(() => {
    window.keyed = [];
    let began = 0;
    document.addEventListener('keydown', () => { began = performance.now(); }, true);
    document.addEventListener('input', () => {
      requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => window.keyed.push(performance.now() - began); channel.port2.postMessage(0); });
    }, true);
  })()`);
  for (let round = 0; round < 6; round++)
    for (const search of searches(round)) {
      await page.keyboard.type(search, { delay: KEY_EVERY_MS });
      for (const _letter of search) await page.keyboard.press('Backspace', { delay: KEY_EVERY_MS });
    }
  return page.evaluate('window.keyed');
}

/** From Ctrl-C to the last change on screen, while `yes` floods the terminal, ms. */
async function interrupt(page: Page, times: number): Promise<number[]> {
  const stopped: number[] = [];
  await page.evaluate(`(() => {
    window.lastChange = 0;
    new MutationObserver(() => { window.lastChange = performance.now(); }).observe(document.querySelector('.xterm-rows'), { childList: true, subtree: true, characterData: true });
  })()`);
  for (let run = 0; run < times; run++) {
    await page.keyboard.type('yes\n');
    await page.waitForTimeout(1500);
    const pressed = await page.evaluate<number>('performance.now()');
    await page.keyboard.press('Control+c');
    await page.waitForFunction(() => performance.now() - ((window as Measured).lastChange ?? 0) > 800);
    stopped.push((await page.evaluate<number>('window.lastChange')) - pressed);
  }
  return stopped;
}

/** Rows of the speed table that need a browser. */
export async function benchConsole(): Promise<readonly Row[]> {
  const gateway = await openGateway();
  const browser = await chromium.launch(CHROMIUM);
  try {
    const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    const wire = await signIn(gateway.url, user, PASSWORD);
    const servers = `${gateway.url}/web/cluster/${wire.cluster}/nodes`;
    await addServers(gateway);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies(cookiesOf(gateway.url, wire.cookie));
    const page = await context.newPage();
    await page.goto(servers);
    await page.locator('tbody tr').first().waitFor();
    const keyed = await palette(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`ssh root@${hostname()}`);
    await page.keyboard.press('Enter');
    await page.locator('.xterm-rows').waitFor();
    await page.waitForFunction(() => document.querySelector('.xterm-rows')?.textContent?.trim());
    const stops = await interrupt(page, 10);
    return [
      {
        what: `palette over ${SERVERS.toLocaleString('en')} servers: key to painted results, p95`,
        target: '≤ 32 ms',
        measured: milliseconds(percentile(keyed, 95)),
        reference: `median ${milliseconds(median(keyed))}`,
      },
      {
        what: '`yes`, then Ctrl-C: output stops on screen, p95',
        target: '≤ 300 ms',
        measured: milliseconds(percentile(stops, 95)),
        reference: `median ${milliseconds(median(stops))}`,
      },
    ];
  } finally {
    await browser.close();
    await gateway.dispose();
  }
}
