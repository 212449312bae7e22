// A list that is scrolled through: the rows near what is seen are in memory. Pages come by their keys; after a jump, by their place.
import { proxy, ref } from 'valtio/vanilla';
import { toApiError } from '../../client/errors.ts';
import type { ApiError } from '../../contract/failure.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Answered } from './answers.ts';
import type { FetchPage, ListAsked } from './pager.ts';

/** Rows of one page, rows brought beyond each edge of the view, and pages that stay in memory. */
const PAGE_ROWS = 100;
const AHEAD_ROWS = 100;
const PAGES_MOST = 50;

export interface ScrolledState<Row> {
  status: 'initial' | 'processing' | 'success' | 'failed';
  /** The rows in memory around the view, without a gap; the first one's place, from 0. */
  rows: readonly Row[];
  start: number;
  total: number;
  /** Changes with every answer to another question, or to the same one asked again. */
  asked: number;
  error: ApiError | null;
}

interface KeptPage<Row> {
  readonly rows: readonly Row[];
  /** Where the page after it begins; '' after the last. */
  readonly nextKey: string;
}
type Pages<Row> = Map<number, KeptPage<Row>>;

/** One page is asked for at a time, nearest to the view first, so that a long jump asks for nothing on its way. */
export function createScrolled<Row>(fetchPage: FetchPage<Row>, answered?: Answered<Page<Row>>) {
  const state = proxy<ScrolledState<Row>>({ status: 'initial', rows: [], start: 0, total: 0, asked: 0, error: null });
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
  async function bring(page: number, into: Pages<Row>, mine: number): Promise<boolean> {
    // What is fetched ahead is nobody's business.
    if (into !== pages || page === pageOf(view.first) || page === pageOf(view.end - 1)) state.status = 'processing';
    const key = into.get(page - 1)?.nextKey;
    try {
      const answer = await fetchPage({
        ...question,
        limit: PAGE_ROWS,
        ...(page === 0 ? {} : key === undefined ? { offset: page * PAGE_ROWS } : { startKey: key }),
      });
      if (mine !== asked) return false;
      if (page === 0) answered?.keep(JSON.stringify(question), answer);
      into.set(page, { rows: answer.items, nextKey: answer.startKey });
      Object.assign(state, { status: 'success', total: answer.totalCount, error: null });
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
      if (!(await bring(page, pages, mine))) break;
      forget();
      show();
    }
    if (filling === mine) filling = 0;
  }
  /** Asks anew for what is in view; the old rows stay until it is answered. */
  async function begin(): Promise<void> {
    asked += 1;
    const mine = asked;
    const fresh: Pages<Row> = new Map();
    for (const page of new Set([pageOf(view.first), pageOf(view.end - 1)]))
      if ((fresh.size === 0 || page <= pageOf(state.total - 1)) && !(await bring(page, fresh, mine))) return;
    pages = fresh;
    state.asked = mine;
    // Fewer rows than before: what was in view is gone, the last ones are.
    if (view.first >= state.total) Object.assign(view, { first: Math.max(0, state.total - 1), end: state.total });
    if (!pages.has(pageOf(view.first))) await bring(pageOf(view.first), pages, mine);
    show();
    if (state.total === 0) Object.assign(state, { rows: ref([]), start: 0 });
    await fill();
  }

  return {
    state,
    view,
    /** A new question is seen from its first row, unless a link names another one (from 0). */
    load: (next: ListAsked, at = 0): Promise<void> => {
      question = next;
      Object.assign(view, { first: at, end: at + 1 });
      const known = at === 0 ? answered?.read(JSON.stringify(next)) : undefined;
      if (known !== undefined) Object.assign(state, { rows: ref([...known.items]), start: 0, total: known.totalCount });
      return begin();
    },
    reload: begin,
    /** Asks once more for what could not be brought; the rows and their marks stay. */
    retry: (): Promise<void> => (state.asked === asked ? fill() : begin()),
    /** Which rows are seen: they and those around them are brought. */
    see: (first: number, end: number): void => {
      Object.assign(view, { first: Math.max(0, first), end: Math.max(first + 1, end) });
      if (state.asked !== asked) return;
      show();
      void fill();
    },
  };
}
export type Scrolled<Row> = ReturnType<typeof createScrolled<Row>>;
