// From Enter in the palette to a prompt on the screen: of SQL over a real PostgreSQL on loopback, and of a shell in a container of a real
// API server.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { CHROMIUM, cookiesOf, PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn, type WireClient } from '../rigs/client.ts';
import { filesByWire, openOrders, ordersDocument, role } from '../rigs/databases.ts';
import { openGateway } from '../rigs/gateway.ts';
import { apiServerProgram, openCluster } from '../rigs/kubernetes.ts';
import { clusterDocument, EVERYTHING, kubernetesRole } from '../rigs/kubernetes-gateway.ts';
import { milliseconds } from './browser.ts';
import { median, percentile, type Row } from './row.ts';

const ROUNDS = 20;

/** What is typed into the palette, what then stands on the screen, and how it is left. */
interface Opened {
  readonly typed: string;
  readonly shows: RegExp;
  readonly left: string;
}
const SQL: Opened = { typed: 'db orders', shows: /orders=>/, left: '\\q\n' };
const SHELL: Opened = { typed: 'kube web-0', shows: /[#$] /, left: 'exit\n' };

/** Opens it and leaves it. Answers the time from the key going down to the frame after the prompt is there, ms. */
async function open(page: Page, { typed, shows, left }: Opened): Promise<number> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(typed);
  await page.getByRole('option').first().waitFor();
  await page.evaluate(`(() => {
    let began = 0;
    window.waited = null;
    document.addEventListener('keydown', () => { began = performance.now(); }, { capture: true, once: true });
    const observer = new MutationObserver(() => {
      if (!${shows}.test(document.querySelector('.xterm-rows')?.textContent ?? '')) return;
      observer.disconnect();
      requestAnimationFrame(() => { window.waited = performance.now() - began; });
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  })()`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => (window as Window & { waited?: number | null }).waited != null);
  const waited = await page.evaluate<number>('window.waited');
  await page.locator('.xterm-helper-textarea:focus').waitFor();
  await page.keyboard.type(left);
  await page.locator('.xterm:visible').waitFor({ state: 'detached' });
  return waited;
}

interface Site {
  /** Resources of the gateway, as YAML. */
  readonly documents: readonly string[];
  readonly dispose: () => Promise<unknown>;
}
/** Opens so many, at a gateway of its own with what `site` makes; its person has these roles. */
async function measure(
  what: string,
  target: string,
  of: Opened,
  roles: readonly string[],
  site: (url: string, wire: WireClient) => Promise<Site>,
): Promise<readonly Row[]> {
  const gateway = await openGateway();
  const opened: { dispose(): Promise<unknown> }[] = [gateway];
  try {
    const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    const wire = await signIn(gateway.url, user, PASSWORD);
    const { documents, dispose } = await site(gateway.url, wire);
    opened.push({ dispose });
    const file = join(gateway.folder, 'site.yaml');
    const person = `kind: user
version: v2
metadata: { name: ${user} }
spec: { roles: [access, editor, ${roles.join(', ')}] }
`;
    await writeFile(file, [...documents, person].join('\n---\n'));
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
    const first = await open(page, of);
    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round++) waits.push(await open(page, of));
    return [
      {
        what: `Enter in the palette to ${what}, p95`,
        target,
        measured: milliseconds(percentile(waits, 95)),
        reference: `median ${milliseconds(median(waits))}, the first, with all that is loaded for it: ${milliseconds(first)}`,
      },
    ];
  } finally {
    for (const one of opened.reverse()) await one.dispose();
  }
}

/** Rows of the speed table about prompts of databases. */
export const benchPrompt = (): Promise<readonly Row[]> =>
  measure('an SQL prompt', '≤ 400 ms', SQL, ['shop'], async (url, wire) => {
    const postgres = await openOrders(await filesByWire(url, wire));
    return { documents: [role('shop', 'app'), ordersDocument(postgres)], dispose: () => postgres.dispose() };
  });

/** Rows of the speed table about shells in containers; none where there is no API server. */
export const benchContainer = async (): Promise<readonly Row[]> =>
  apiServerProgram() === null
    ? []
    : measure("a container's shell", '≤ 500 ms', SHELL, ['dev'], async () => {
        const cluster = await openCluster();
        await cluster.addPod('web-0');
        return {
          documents: [kubernetesRole('dev', EVERYTHING), clusterDocument(cluster, 'prod')],
          dispose: () => cluster.dispose(),
        };
      });
