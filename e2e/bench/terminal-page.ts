// A gibibyte through a terminal in a browser: what the page's heap grows to, and whether every byte came.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { chromium } from 'playwright';
import { CHROMIUM, cookiesOf, PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn } from '../rigs/client.ts';
import { openGateway } from '../rigs/gateway.ts';
import type { Row } from './row.ts';
import { begin } from './ssh.ts';

const BYTES = 2 ** 30;
/** Output is hashed in pieces of this size, and the hashes of the pieces together: a browser hashes only what it has whole. */
const PIECE_BYTES = 2 ** 22;
const LOOK_EVERY_MS = 500;
const WITHIN_MS = 600_000;

/** Lines that are all different. */
const command = `seq 200000000 | head -c ${BYTES}`;

async function expected(): Promise<string> {
  const { stdout } = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
  const all = createHash('sha256');
  let piece = createHash('sha256');
  let left = PIECE_BYTES;
  for await (const bytes of stdout as AsyncIterable<Buffer>)
    for (let at = 0; at < bytes.length; ) {
      const some = bytes.subarray(at, at + left);
      piece.update(some);
      at += some.length;
      left -= some.length;
      if (left > 0) continue;
      all.update(piece.digest());
      piece = createHash('sha256');
      left = PIECE_BYTES;
    }
  return all.digest('hex');
}

/** Runs in the page before anything of it: reads beside it what its terminal socket hears, from the mark on. */
const listen = `(() => {
  const mark = 'BEGIN-HERE\\n';
  const seen = window.heard = { bytes: 0, hash: '' };
  const piece = new Uint8Array(${PIECE_BYTES});
  let digests = Promise.resolve(new Uint8Array());
  let text = '';
  let begun = false;
  let filled = 0;
  const hear = bytes => {
    for (let at = 0; at < bytes.length && seen.bytes < ${BYTES}; ) {
      const some = bytes.subarray(at, at + ${PIECE_BYTES} - filled);
      piece.set(some, filled);
      at += some.length;
      filled += some.length;
      seen.bytes += some.length;
      if (filled < ${PIECE_BYTES}) continue;
      filled = 0;
      const digest = crypto.subtle.digest('SHA-256', piece.slice());
      digests = Promise.all([digests, digest]).then(([before, one]) => new Uint8Array([...before, ...new Uint8Array(one)]));
    }
    if (seen.bytes === ${BYTES} && seen.hash === '') digests.then(all => crypto.subtle.digest('SHA-256', all))
      .then(hash => { seen.hash = [...new Uint8Array(hash)].map(byte => byte.toString(16).padStart(2, '0')).join(''); });
  };
  const { addEventListener } = WebSocket.prototype;
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      if (!String(given[0]).includes('/connect?')) return;
      addEventListener.call(this, 'message', ({ data }) => {
        const bytes = new Uint8Array(data);
        if (bytes[5] !== 114) return;
        const raw = bytes.subarray(bytes[7] < 128 ? 8 : 9);
        if (begun) return hear(raw);
        text += new TextDecoder('latin1').decode(raw);
        const at = text.indexOf(mark);
        if (at < 0) return;
        begun = true;
        hear(Uint8Array.from(text.slice(at + mark.length), one => one.charCodeAt(0)));
      });
    }
  };
})()`;

/** The row of the speed table. Takes some minutes. */
export async function benchTerminalPage(): Promise<readonly Row[]> {
  const wanted = await expected();
  const gateway = await openGateway();
  const browser = await chromium.launch(CHROMIUM);
  try {
    const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    const wire = await signIn(gateway.url, user, PASSWORD);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies(cookiesOf(gateway.url, wire.cookie));
    const page = await context.newPage();
    await page.addInitScript(listen);
    await page.goto(`${gateway.url}/web/cluster/${wire.cluster}/nodes`);
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`ssh root@${hostname()}`);
    await page.keyboard.press('Enter');
    await page.locator('.xterm-helper-textarea:focus').waitFor();
    const protocol = await context.newCDPSession(page);
    /** All that the page's script holds, bytes: objects, what the browser keeps for them, and the memory behind arrays. */
    const heap = async (): Promise<number> => {
      const {
        usedSize,
        embedderHeapUsedSize = 0,
        backingStorageSize = 0,
      } = await protocol.send('Runtime.getHeapUsage');
      return usedSize + embedderHeapUsedSize + backingStorageSize;
    };
    const before = await heap();
    await page.keyboard.type(`${begin}; ${command}\n`);
    const began = performance.now();
    const heard = () => page.evaluate<{ bytes: number; hash: string }>('window.heard');
    let most = before;
    let now = await heard();
    while (now.hash === '') {
      if (performance.now() - began > WITHIN_MS) throw new Error(`${now.bytes} of ${BYTES} bytes in ${WITHIN_MS} ms`);
      await page.waitForTimeout(LOOK_EVERY_MS);
      most = Math.max(most, await heap());
      now = await heard();
    }
    const seconds = (performance.now() - began) / 1000;
    const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
    return [
      {
        what: '1 GiB through a terminal page: most heap, and the hash of what came',
        target: '≤ 300 MB, equal',
        measured: `${megabytes(most)}, ${now.hash === wanted ? 'equal' : 'other'}, ${(BYTES / 1e6 / seconds).toFixed(0)} MB/s`,
        reference: `the same page before: ${megabytes(before)}`,
      },
    ];
  } finally {
    await browser.close();
    await gateway.dispose();
  }
}
