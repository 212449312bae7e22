// `npm run shots`: a picture of every page in both themes and at both widths of the design, and one contact sheet, into shots/.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { chromium, type Page } from 'playwright';
import { acceptInvite, signIn } from './rigs/client.ts';
import { openGateway } from './rigs/gateway.ts';
import { pages } from './rigs/pages.ts';

const PASSWORD = 'correct horse battery staple';
const folder = resolve(import.meta.dirname, '../shots');
const sizes = [
  { name: 'wide', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const;
const executablePath =
  process.env.POSTERN_CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync) ?? '';

const gateway = await openGateway();
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
await mkdir(folder, { recursive: true });
const taken: string[] = [];
try {
  const invite = new URL(gateway.invite()).pathname;
  const visitor = await browser.newContext({ reducedMotion: 'reduce' });
  const publicPage = await visitor.newPage();
  const shoot = async (page: Page, name: string) => {
    for (const theme of ['light', 'dark']) {
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        await page.waitForLoadState('networkidle');
        // Terminals and canvases draw a new theme in a later frame; resizes are waited out by the pane itself (200 ms).
        await page.waitForTimeout(400);
        const file = `${name}.${theme}.${size.name}.png`;
        await page.screenshot({ path: resolve(folder, file) });
        taken.push(file);
      }
    }
  };
  for (const [name, path] of [
    ['welcome', invite],
    ['set-password', `${invite}/continue`],
    ['expired', `/web/invite/${'0'.repeat(64)}/continue`],
  ] as const) {
    await publicPage.goto(`${gateway.url}${path}`);
    await publicPage.getByRole('heading').first().waitFor();
    await shoot(publicPage, name);
  }
  const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  const wire = await signIn(gateway.url, user, PASSWORD);
  for (const { id, path } of pages(wire.cluster, 'public')) {
    await publicPage.goto(`${gateway.url}${path}`);
    await shoot(publicPage, id);
  }

  const context = await browser.newContext({ reducedMotion: 'reduce' });
  await context.addCookies(
    wire.cookie.split('; ').map(pair => {
      const at = pair.indexOf('=');
      return {
        name: pair.slice(0, at),
        value: pair.slice(at + 1),
        url: gateway.url.replace('http:', 'https:'),
        secure: true,
        httpOnly: true,
      };
    }),
  );
  const page = await context.newPage();
  await page.setViewportSize(sizes[0]);
  await page.goto(`${gateway.url}/web`);
  await page.locator('tbody tr').first().waitFor();
  const type = async (words: string) => {
    await page.setViewportSize(sizes[0]);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').first().waitFor();
    await page.keyboard.type(words);
  };
  await type('se');
  await shoot(page, 'palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await type(`ssh root@${hostname()}`);
  await page.keyboard.press('Enter');
  await page.locator('.xterm:visible').first().waitFor();
  await page.waitForTimeout(800);
  await page.keyboard.type('ls --color=always / && uname -a\n');
  await page.waitForTimeout(800);
  await shoot(page, 'shell');
  await page.keyboard.type('exit\n');
  await page.locator('.xterm:visible').first().waitFor({ state: 'hidden' });
  for (const { id, path } of pages(wire.cluster, 'private')) {
    await page.goto(`${gateway.url}${path}`);
    await page.getByRole('main').waitFor();
    await shoot(page, id);
  }
  await page.setViewportSize(sizes[0]);
  await page.goto(`${gateway.url}/web/cluster/${wire.cluster}/recordings`);
  await page.locator('tbody tr').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.locator('.xterm:visible').first().waitFor();
  await page.waitForTimeout(1500);
  await shoot(page, 'player');
  await page.setViewportSize(sizes[0]);
  await page.goto(`${gateway.url}/web/cluster/${wire.cluster}/nodes`);
  await page.locator('tbody tr').first().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await shoot(page, 'help');

  const cells = taken.map(
    file =>
      `<figure><img src="${file}" width="${file.includes('phone') ? 130 : 460}"><figcaption>${file}</figcaption></figure>`,
  );
  await writeFile(
    resolve(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><style>body{display:flex;flex-wrap:wrap;font:12px sans-serif}</style>${cells.join('')}`,
  );
  const sheet = await context.newPage();
  await sheet.setViewportSize({ width: 1960, height: 1000 });
  await sheet.goto(`file://${folder}/index.html`);
  await sheet.screenshot({ path: resolve(folder, 'contact-sheet.png'), fullPage: true });
  console.log(`${taken.length} pictures in ${folder}, together in contact-sheet.png`);
} finally {
  await browser.close();
  await gateway.dispose();
}
