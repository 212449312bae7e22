// What a page fetches, counted as the budgets count it: bytes as gzip at level 9 makes them, and requests. The same on every machine.
import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright';

export interface Fetched {
  readonly requests: number;
  /** Scripts and styles, those that stand in the page too, bytes. */
  readonly codeBytes: number;
  /** Everything: the page, code, fonts and answers, bytes. */
  readonly allBytes: number;
}

const isCode = (request: Request): boolean => ['script', 'stylesheet'].includes(request.resourceType());
const short = (text: string | Buffer): number => gzipSync(text, { level: 9 }).length;

/**
 * Every request that a page makes from now on, in order; the array grows. Sockets are not among them, nor what the browser fetches for
 * itself, such as the icon of the tab.
 */
export function requestsOf(page: Page): readonly Request[] {
  const requests: Request[] = [];
  page.on('request', request => {
    if (request.resourceType() !== 'other') requests.push(request);
  });
  return requests;
}

/** Weighs requests; those that are still on their way are waited for. */
export async function weigh(requests: readonly Request[]): Promise<Fetched> {
  const weighed = await Promise.all(
    requests.map(async request => {
      const body = (await (await request.response())?.body()) ?? Buffer.alloc(0);
      // Fonts are compressed as they are.
      const all = request.resourceType() === 'font' ? body.length : short(body);
      if (request.resourceType() !== 'document') return { all, code: isCode(request) ? all : 0 };
      const inPage = body.toString().matchAll(/<script>([\s\S]*?)<\/script>/g);
      return { all, code: [...inPage].reduce((sum, [, text = '']) => sum + short(text), 0) };
    }),
  );
  return {
    requests: requests.length,
    codeBytes: weighed.reduce((sum, { code }) => sum + code, 0),
    allBytes: weighed.reduce((sum, { all }) => sum + all, 0),
  };
}
