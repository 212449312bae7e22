// A list that the gateway pages: the newest question wins, and the way back is remembered (ui-facts: server tables).
import { proxy, ref } from 'valtio/vanilla';
import type { ApiError } from '../../contract/failure.ts';
import type { Page } from '../../contract/shapes.ts';
import { toApiError } from '../api/errors.ts';

/** Rows per page of a server table (specification: resource lists). */
const PAGE_ROWS = 15;
/** Most rows one question may ask for (contract listQuery). */
const ASKED_MOST_ROWS = 5000;

export interface ListAsked {
  readonly search?: string;
  readonly query?: string;
  readonly sort?: string;
}
/** Where a page begins: its start key, and the 1-based number of its first row. */
export interface PagePlace {
  readonly key: string;
  readonly from: number;
}
export const FIRST_PAGE: PagePlace = { key: '', from: 1 };

export interface PagerState<Row> {
  status: 'initial' | 'processing' | 'success' | 'failed';
  rows: readonly Row[];
  /** 1-based number of the first row shown; 0: there is none. */
  from: number;
  total: number;
  nextKey: string;
  hasPrevious: boolean;
  error: ApiError | null;
}
export type FetchPage<Row> = (
  asked: ListAsked & { readonly limit: number; readonly startKey?: string },
) => Promise<Page<Row>>;

interface Way<Row> {
  /** Pages before the one shown, the first page first. */
  readonly before: readonly PagePlace[];
  readonly place: PagePlace;
  /** Rows that stay above those that come, when the list goes on. */
  readonly kept: readonly Row[];
  readonly limit: number;
}

/** A pager over one list. A late answer to an older question is dropped. */
export function createPager<Row>(fetchPage: FetchPage<Row>, first = PAGE_ROWS, keyOf?: (row: Row) => string) {
  const state = proxy<PagerState<Row>>({
    status: 'initial',
    rows: [],
    from: 0,
    total: 0,
    nextKey: '',
    hasPrevious: false,
    error: null,
  });
  let asked = 0;
  let question: ListAsked = {};
  let limit = first;
  let before: readonly PagePlace[] = [];
  let place: PagePlace = FIRST_PAGE;

  async function ask(startKey: string, way: Way<Row>): Promise<void> {
    asked += 1;
    const mine = asked;
    state.status = 'processing';
    try {
      const page = await fetchPage({ ...question, limit: way.limit, ...(startKey === '' ? {} : { startKey }) });
      if (mine !== asked) return;
      before = way.before;
      place = way.place;
      const rows = way.kept.length === 0 ? page.items : without(way.kept, page.items, keyOf);
      Object.assign(state, {
        status: 'success',
        // A reference: rows are never changed, and watching each of them would cost more than it gives.
        rows: ref([...rows]),
        from: rows.length === 0 ? 0 : place.from,
        total: page.totalCount,
        nextKey: page.startKey,
        hasPrevious: before.length > 0,
        error: null,
      });
    } catch (error) {
      // The old rows stay: they are still the last thing known.
      if (mine === asked) Object.assign(state, { status: 'failed', error: ref(toApiError(error)) });
    }
  }

  return {
    state,
    /** A new question starts at its first page, unless a link names another one. */
    load: (next: ListAsked, options: { readonly limit?: number; readonly at?: PagePlace } = {}): Promise<void> => {
      question = next;
      limit = options.limit ?? limit;
      const at = options.at ?? FIRST_PAGE;
      return ask(at.key, { before: at.key === '' ? [] : [FIRST_PAGE], place: at, kept: [], limit });
    },
    /** The same rows again, as many as are shown. */
    reload: (): Promise<void> =>
      ask(place.key, {
        before,
        place,
        kept: [],
        limit: Math.min(ASKED_MOST_ROWS, Math.max(limit, state.rows.length)),
      }),
    next: (): Promise<void> =>
      state.nextKey === ''
        ? Promise.resolve()
        : ask(state.nextKey, {
            before: [...before, place],
            place: { key: state.nextKey, from: place.from + state.rows.length },
            kept: [],
            limit,
          }),
    previous: (): Promise<void> => {
      const to = before.at(-1);
      return to === undefined
        ? Promise.resolve()
        : ask(to.key, { before: before.slice(0, -1), place: to, kept: [], limit });
    },
    /** Adds the rows that follow; nothing while an answer is awaited. */
    more: (): Promise<void> =>
      state.nextKey === '' || state.status === 'processing'
        ? Promise.resolve()
        : ask(state.nextKey, { before, place, kept: state.rows as readonly Row[], limit }),
    /** Where the page shown begins, for the URL. */
    place: (): PagePlace => place,
  };
}

/** The kept rows and those that follow. A row that moved meanwhile is shown once, where it was seen first. */
function without<Row>(
  kept: readonly Row[],
  added: readonly Row[],
  keyOf: ((row: Row) => string) | undefined,
): readonly Row[] {
  if (keyOf === undefined) return [...kept, ...added];
  const known = new Set(kept.map(keyOf));
  return [...kept, ...added.filter(row => !known.has(keyOf(row)))];
}
