// What a signed-in page asks first, asked before the files that read the answers are here: see first.ts.

/** What is read of the browser's own answers; `body` is not of one that was read ahead. */
export type FetchedAnswer = Pick<Response, 'ok' | 'status' | 'text' | 'blob'> & Partial<Pick<Response, 'body'>>;
/** Asks the gateway, as the browser's own `fetch` does. */
type Fetch = (url: string, init: RequestInit) => Promise<FetchedAnswer>;

/** Paths of the user context and the preferences, spelled out because the contract is not loaded yet; a test holds them equal to it. */
const around = ['/v1/webapi/sites/-current-/context', '/v1/webapi/user/preferences'] as const;
const serversPage = /^\/web\/cluster\/([^/]+)\/nodes\/?$/;
/** Rows that a list asks for at once (screens/paged-list). */
const FIRST_ROWS = 100;
/** An answer that nobody took by then is old, ms. */
const EARLY_MOST_MS = 10_000;

/** Answers that are on their way, by address. */
export interface Early {
  readonly begun: number;
  readonly answers: Map<string, Promise<FetchedAnswer>>;
}

/** What is asked for a page: the same addresses that the console asks for, or the answer is nobody's. */
export function earlyPaths(pathname: string, search: string): readonly string[] {
  const [, cluster] = serversPage.exec(pathname) ?? [];
  // A list that is narrowed, sorted or scrolled is asked for by its page.
  if (cluster === undefined || search !== '') return around;
  return [...around, `/v1/webapi/sites/${cluster}/nodes?sort=hostname%3Aasc&limit=${FIRST_ROWS}`];
}

/** An answer with its text read: whoever takes it has it in the same turn, before the next frame. */
async function readWhole(answer: FetchedAnswer): Promise<FetchedAnswer> {
  const text = await answer.text();
  return { ok: answer.ok, status: answer.status, text: async () => text, blob: async () => new Blob([text]) };
}

/** Asks as the person whose bearer token the page came with. */
export function askEarly(paths: readonly string[], bearer: string, fetch: Fetch, now: number): Early {
  const headers = { Accept: 'application/json', Authorization: `Bearer ${bearer}` };
  const answers = new Map<string, Promise<FetchedAnswer>>();
  for (const path of paths) {
    const answer = fetch(path, { headers, credentials: 'same-origin', cache: 'no-store' }).then(readWhole);
    // Whoever takes it hears of the failure; an answer that nobody takes may fail in silence.
    answer.catch(() => undefined);
    answers.set(path, answer);
  }
  return { begun: now, answers };
}

/** When every early answer is here, or failed. */
export async function untilAnswered(early: Early | undefined): Promise<void> {
  await Promise.allSettled(early?.answers.values() ?? []);
}

/** A fetch that hands out each early answer once; everything else, and everything later, goes to the network. */
export function withEarly(early: Early | undefined, fetch: Fetch, now: () => number): Fetch {
  return (url, init) => {
    const waiting = init.method === 'GET' ? early?.answers.get(url) : undefined;
    if (early === undefined || waiting === undefined || now() - early.begun > EARLY_MOST_MS) return fetch(url, init);
    early.answers.delete(url);
    return waiting;
  };
}
