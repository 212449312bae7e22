// From Enter in the palette to an SQL prompt on the screen, over a real PostgreSQL on loopback.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { CHROMIUM, cookiesOf, PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn } from '../rigs/client.ts';
import { filesByWire, openOrders, ordersDocument, role } from '../rigs/databases.ts';
import { openGateway } from '../rigs/gateway.ts';
import { milliseconds } from './browser.ts';
import { median, percentile, type Row } from './row.ts';

const ROUNDS = 20;

/** Opens a prompt and leaves it. Answers the time from the key going down to the frame after the prompt is there, ms. */
async function open(page: Page): Promise<number> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('db orders');
  await page.getByRole('option').first().waitFor();
  await page.evaluate(`(() => {
    let began = 0;
    window.waited = null;
    document.addEventListener('keydown', () => { began = performance.now(); }, { capture: true, once: true });
    const observer = new MutationObserver(() => {
      if (!document.querySelector('.xterm-rows')?.textContent?.includes('orders=>')) return;
      observer.disconnect();
      requestAnimationFrame(() => { window.waited = performance.now() - began; });
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  })()`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => (window as Window & { waited?: number | null }).waited != null);
  const waited = await page.evaluate<number>('window.waited');
  await page.locator('.xterm-helper-textarea:focus').waitFor();
  await page.keyboard.type('\\q\n');
  await page.locator('.xterm:visible').waitFor({ state: 'detached' });
  return waited;
}

/** Rows of the speed table about prompts. */
export async function benchPrompt(): Promise<readonly Row[]> {
  const gateway = await openGateway();
  const opened: { dispose(): Promise<unknown> }[] = [gateway];
  try {
    const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    const wire = await signIn(gateway.url, user, PASSWORD);
    const postgres = await openOrders(await filesByWire(gateway.url, wire));
    opened.push(postgres);
    const file = join(gateway.folder, 'orders.yaml');
    const person = `kind: user
version: v2
metadata: { name: ${user} }
spec: { roles: [access, editor, shop] }
`;
    await writeFile(file, [role('shop', 'app'), ordersDocument(postgres), person].join('---\n'));
    await gateway.command('resources', 'apply', file);
    const again = await signIn(gateway.url, user, PASSWORD);
    const browser = await chromium.launch(CHROMIUM);
    opened.push({ dispose: () => browser.close() });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies(cookiesOf(gateway.url, again.cookie));
    const page = await context.newPage();
    await page.goto(`${gateway.url}/web/cluster/${again.cluster}/nodes`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    // The first loads what terminals and the engine need.
    const first = await open(page);
    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round++) waits.push(await open(page));
    return [
      {
        what: 'Enter in the palette to an SQL prompt, p95',
        target: '≤ 400 ms',
        measured: milliseconds(percentile(waits, 95)),
        reference: `median ${milliseconds(median(waits))}, the first, with all that is loaded for it: ${milliseconds(first)}`,
      },
    ];
  } finally {
    for (const one of opened.reverse()) await one.dispose();
  }
}
