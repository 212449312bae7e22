// Every list of the console: the rows near what is seen are in memory. Pages come by their keys; after a jump, by their place.
import { proxy, ref } from 'valtio/vanilla';
import { toApiError } from '../../client/errors.ts';
import type { ApiError } from '../../contract/failure.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Answered } from './answers.ts';

export interface ListAsked {
  readonly search?: string;
  readonly query?: string;
  /** `field:asc` or `field:desc`; without it, in the order that the list has by itself. */
  readonly sort?: string;
}

/**
 * Answers one page of a list: after `startKey`, the key that the page before it ended with, or from row `offset` on. `isFresh` asks for the
 * list as it is now: nothing that was kept may answer.
 */
export type FetchPage<Row> = (
  asked: ListAsked & { readonly limit: number; readonly startKey?: string; readonly offset?: number },
  isFresh: boolean,
) => Promise<Page<Row>>;

/** Rows of one page, rows brought beyond each edge of the view, and pages that stay in memory. */
export const PAGE_ROWS = 100;
const AHEAD_ROWS = 100;
const PAGES_MOST = 50;

export interface PagedState<Row> {
  status: 'initial' | 'processing' | 'success' | 'failed';
  /** The rows in memory around the view, without a gap; the first one's place, from 0. */
  rows: readonly Row[];
  start: number;
  total: number;
  /** Changes with every answer to another question, or to the same one asked again. */
  asked: number;
  error: ApiError | null;
}

interface CachedPage<Row> {
  readonly rows: readonly Row[];
  /** Where the page after it begins; '' after the last. */
  readonly nextKey: string;
}
type Pages<Row> = Map<number, CachedPage<Row>>;

/** One page is asked for at a time, nearest to the view first, so that a long jump asks for nothing on its way. */
export function createPagedList<Row>(fetchPage: FetchPage<Row>, answered?: Answered<Page<Row>>) {
  const state = proxy<PagedState<Row>>({ status: 'initial', rows: [], start: 0, total: 0, asked: 0, error: null });
  let question: ListAsked = {};
  /** Which rows are seen, from 0; a store of its own, since it changes with every few rows scrolled. */
  const view = proxy({ first: 0, end: 1 });
  let pages: Pages<Row> = new Map();
  let shown = '';
  /** Number of the newest question, and of the one for which pages are being fetched. */
  let asked = 0;
  let filling = 0;

  const pageOf = (row: number): number => Math.max(0, Math.floor(row / PAGE_ROWS));
  /** Pages in view first, then those ahead. */
  function missing(known: Pages<Row>): number | undefined {
    const [first, end] = [pageOf(view.first), pageOf(view.end - 1)];
    const around = [pageOf(view.end - 1 + AHEAD_ROWS), pageOf(view.first - AHEAD_ROWS)];
    const last = pageOf(state.total - 1);
    return [first, end, ...around].find(page => page <= last && !known.has(page));
  }
  /** Shows the pages around the view that stand without a gap; none when the view's own are not there yet. */
  function show(): void {
    const [first, end] = [pageOf(view.first), pageOf(view.end - 1)];
    const middle = pages.has(first) ? first : end;
    if (!pages.has(middle)) return;
    let [low, high] = [middle, middle];
    while (low > first - 2 && pages.has(low - 1)) low--;
    while (high < end + 2 && pages.has(high + 1)) high++;
    const name = `${state.asked} ${low} ${high} ${pages.get(high)?.rows.length}`;
    if (name === shown) return;
    shown = name;
    const rows: Row[] = [];
    for (let page = low; page <= high; page++) rows.push(...(pages.get(page)?.rows ?? []));
    state.start = low * PAGE_ROWS;
    // A reference: rows are never changed, and watching each of them would cost more than it gives.
    state.rows = ref(rows);
  }
  /** Brings one page. False when it failed, or when a newer question was asked meanwhile. */
  async function fetchInto(page: number, into: Pages<Row>, mine: number, isFresh = false): Promise<boolean> {
    // What is fetched ahead is nobody's business.
    if (into !== pages || page === pageOf(view.first) || page === pageOf(view.end - 1)) state.status = 'processing';
    const key = into.get(page - 1)?.nextKey;
    try {
      const answer = await fetchPage(
        {
          ...question,
          limit: PAGE_ROWS,
          ...(page === 0 ? {} : key === undefined ? { offset: page * PAGE_ROWS } : { startKey: key }),
        },
        isFresh,
      );
      if (mine !== asked) return false;
      if (page === 0) answered?.keep(JSON.stringify(question), answer);
      into.set(page, { rows: answer.items, nextKey: answer.startKey });
      // A gateway that has not counted the rows answers 0: then there are those that came, and one more as long as it goes on.
      const least = page * PAGE_ROWS + answer.items.length + (answer.startKey === '' ? 0 : 1);
      const isCounted = answer.totalCount > 0 || answer.items.length === 0;
      const total = isCounted ? answer.totalCount : Math.max(into === pages ? state.total : 0, least);
      Object.assign(state, { status: 'success', total, error: null });
      return true;
    } catch (error) {
      // The old rows stay: they are still the last thing known.
      if (mine === asked) Object.assign(state, { status: 'failed', error: ref(toApiError(error)) });
      return false;
    }
  }
  function forget(): void {
    const middle = pageOf(view.first);
    const far = [...pages.keys()].toSorted((one, other) => Math.abs(other - middle) - Math.abs(one - middle));
    for (const page of far.slice(0, Math.max(0, pages.size - PAGES_MOST))) pages.delete(page);
  }
  async function fill(): Promise<void> {
    if (filling === asked) return;
    const mine = asked;
    filling = mine;
    for (let page = missing(pages); page !== undefined; page = missing(pages)) {
      if (!(await fetchInto(page, pages, mine))) break;
      forget();
      show();
    }
    if (filling === mine) filling = 0;
  }
  /** Asks anew for what is in view; the old rows stay until it is answered. */
  async function begin(isFresh: boolean): Promise<void> {
    asked += 1;
    const mine = asked;
    const found: Pages<Row> = new Map();
    for (const page of new Set([pageOf(view.first), pageOf(view.end - 1)]))
      if (
        (found.size === 0 || page <= pageOf(state.total - 1)) &&
        !(await fetchInto(page, found, mine, isFresh && found.size === 0))
      )
        return;
    pages = found;
    state.asked = mine;
    // Fewer rows than before: what was in view is gone, the last ones are.
    if (view.first >= state.total) Object.assign(view, { first: Math.max(0, state.total - 1), end: state.total });
    if (!pages.has(pageOf(view.first))) await fetchInto(pageOf(view.first), pages, mine);
    show();
    if (state.total === 0) Object.assign(state, { rows: ref([]), start: 0 });
    await fill();
  }

  return {
    state,
    view,
    /** A new question is seen from its first row, unless a link names another one (from 0). */
    load: (next: ListAsked, at = 0): Promise<void> => {
      const isFirst = asked === 0;
      question = next;
      Object.assign(view, { first: at, end: at + 1 });
      const known = at === 0 ? answered?.read(JSON.stringify(next)) : undefined;
      if (known !== undefined) Object.assign(state, { rows: ref([...known.items]), start: 0, total: known.totalCount });
      return begin(isFirst);
    },
    /** Asks the gateway for the same rows as they are now; the old ones stay until it has answered. */
    reload: (): Promise<void> => begin(true),
    /** Asks once more for what could not be brought; the rows and their marks stay. */
    retry: (): Promise<void> => (state.asked === asked ? fill() : begin(true)),
    /** Which rows are seen: they and those around them are brought. */
    see: (first: number, end: number): void => {
      Object.assign(view, { first: Math.max(0, first), end: Math.max(first + 1, end) });
      if (state.asked !== asked) return;
      show();
      void fill();
    },
  };
}
export type PagedRows<Row> = ReturnType<typeof createPagedList<Row>>;
