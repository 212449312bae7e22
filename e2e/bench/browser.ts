// What the parts that need a browser share.
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright';

const LOOK_EVERY_MS = 150;
const REST_WITHIN_MS = 30_000;
/** Processor time that a browser at rest takes in between, seconds. */
const REST_SECONDS = 0.012;
/**
 * Waits until the browser has nothing to do. A new profile opens a new window, for which Chromium loads pages of its own (the address
 * bar's) for about a second on one processor: measured meanwhile, a page is charged for those. Throws when it does not come to rest.
 */
export async function untilAtRest(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const spent = async (): Promise<number> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const from = Date.now();
  let before = await spent();
  for (;;) {
    await setTimeout(LOOK_EVERY_MS);
    const now = await spent();
    if (now - before < REST_SECONDS) break;
    if (Date.now() - from > REST_WITHIN_MS)
      throw new Error(
        `The browser still takes ${(now - before).toFixed(3)} s of processor time per ${LOOK_EVERY_MS} ms`,
      );
    before = now;
  }
  await session.detach();
}

export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
export const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
