// A list of 100,000 servers that goes on while scrolling: frames by wheel, by PageDown, by End and Home, and by dragging the scrollbar.
import type { CDPSession, Page } from 'playwright';
import { median, percentile, type Row } from './row.ts';
import { openSite, servers } from './site.ts';

const SERVERS = 100_000;
const ROUNDS = 3;
const GESTURE_MS = 2500;
/** From the end of a scrollbar to its thumb, past the arrow. */
const GRIP_PX = 22;

interface Frames {
  /** From one frame to the next, ms. */
  readonly apart: readonly number[];
  /** What the main thread did within a frame: scripts, style, layout, painting, ms. */
  readonly work: readonly number[];
}

/** Records until `stop` is called: a frame's work ends when its first message is heard after it has been painted. */
const record = `(() => {
  const frames = { apart: [], work: [] };
  const channel = new MessageChannel();
  let last = 0, began = 0, going = true;
  channel.port1.onmessage = () => frames.work.push(performance.now() - began);
  const tick = now => {
    if (last !== 0) frames.apart.push(now - last);
    last = now;
    began = performance.now();
    channel.port2.postMessage(0);
    if (going) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  window.stopFrames = () => { going = false; return frames; };
})()`;

type Hand = (page: Page, cdp: CDPSession) => Promise<void>;
const middle = { x: 800, y: 500 };
const keys =
  (key: string, times: number, everyMs: number): Hand =>
  async page => {
    for (let time = 0; time < times; time++) {
      await page.keyboard.press(key);
      await page.waitForTimeout(everyMs);
    }
  };

const hands: Readonly<Record<string, Hand>> = {
  wheel: async (_page, cdp) => {
    for (const speed of [1500, 6000])
      await cdp.send('Input.synthesizeScrollGesture', {
        ...middle,
        yDistance: -(speed * GESTURE_MS) / 2000,
        speed,
        gestureSourceType: 'mouse',
      });
  },
  PageDown: keys('PageDown', 60, 33),
  'End and Home': async (page, cdp) => {
    for (const key of ['End', 'Home', 'End', 'Home']) await keys(key, 1, 500)(page, cdp);
  },
  dragging: async page => {
    const bar = await page.evaluate<{ x: number; top: number; bottom: number }>(`(() => {
      const box = window.scroller.getBoundingClientRect();
      return { x: box.right - 7, top: box.top, bottom: box.bottom };
    })()`);
    await page.mouse.move(bar.x, bar.top + GRIP_PX);
    await page.mouse.down();
    for (let step = 0; step <= 120; step++) {
      await page.mouse.move(bar.x, bar.top + GRIP_PX + ((bar.bottom - bar.top - 2 * GRIP_PX) * step) / 120);
      await page.waitForTimeout(16);
    }
    await page.mouse.up();
  },
};

async function measure(page: Page, hand: Hand): Promise<Frames> {
  const cdp = await page.context().newCDPSession(page);
  const all: { apart: number[]; work: number[] } = { apart: [], work: [] };
  for (let round = 0; round < ROUNDS; round++) {
    await page.evaluate('window.scroller.scrollTop = 0; window.first().focus()');
    await page.waitForTimeout(400);
    await page.evaluate(record);
    await hand(page, cdp);
    const { apart, work } = await page.evaluate<Frames>('window.stopFrames()');
    all.apart.push(...apart);
    all.work.push(...work);
  }
  await cdp.detach();
  return all;
}

/** The least that any page could do: plain lines, of which only those in view are there. */
const plain = `<!doctype html><title>plain</title><style>
  body { margin: 0; font: 13px/32px sans-serif } #box { height: 100vh; overflow: auto }
  #all { position: relative; height: ${SERVERS * 32}px } #all div { position: absolute; height: 32px; left: 0; right: 0; outline: 0 }
</style><div id="box"><div id="all"></div></div>`;
const plainScript = `(() => {
  const box = document.getElementById('box'), all = document.getElementById('all'), lines = new Map();
  const draw = () => {
    const first = Math.floor(box.scrollTop / 32), end = Math.min(${SERVERS}, first + 30);
    for (const [at, line] of lines) if (at < first || at >= end) { line.remove(); lines.delete(at); }
    for (let at = first; at < end; at++) {
      if (lines.has(at)) continue;
      const line = document.createElement('div');
      line.style.top = at * 32 + 'px';
      line.textContent = 'server ' + at + '   10.0.0.1:22   env: prod';
      all.append(line);
      lines.set(at, line);
    }
  };
  box.addEventListener('scroll', () => requestAnimationFrame(draw));
  draw();
  box.tabIndex = 0;
  window.scroller = box;
  window.first = () => box;
})()`;

const shown = ({ apart, work }: Frames): string =>
  `${percentile(apart, 95).toFixed(1)} ms (work ${median(work).toFixed(1)} / ${percentile(work, 95).toFixed(1)} ms)`;

/** Rows of the speed table about scrolling. */
export async function benchScroll(): Promise<readonly Row[]> {
  const site = await openSite(servers(SERVERS));
  try {
    const kept = (await site.wire.call('GET', 'user/preferences')) as { readonly console: object };
    await site.wire.call('PUT', 'user/preferences', { ...kept, console: { ...kept.console, pageRows: 0 } });
    const context = await site.context();
    const page = await context.newPage();
    await page.goto(`${site.gateway.url}/web/cluster/${site.wire.cluster}/nodes`);
    await page.locator('tbody tr[aria-rowindex]').first().waitFor();
    await page.evaluate(`(() => {
      const table = document.querySelector('[role=grid]');
      for (let at = table; at; at = at.parentElement) if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) { window.scroller = at; break; }
      window.first = () => document.querySelector('tbody tr[aria-rowindex]');
    })()`);
    const reference = await context.newPage();
    await reference.setContent(plain);
    await reference.evaluate(plainScript);
    const rows: Row[] = [];
    for (const [name, hand] of Object.entries(hands)) {
      await page.bringToFront();
      const ours = await measure(page, hand);
      await reference.bringToFront();
      const least = await measure(reference, hand);
      rows.push({
        what: `${SERVERS.toLocaleString('en')} servers, ${name}: frame p95 (main thread p50 / p95)`,
        target: '≤ 16.7 ms',
        measured: shown(ours),
        reference: `plain lines in a window: ${shown(least)}`,
      });
    }
    return rows;
  } finally {
    await site.dispose();
  }
}
