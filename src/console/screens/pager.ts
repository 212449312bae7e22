// A list that the gateway pages: the newest question wins, and the way back is remembered (ui-facts: server tables).
import { proxy, ref } from 'valtio/vanilla';
import { toApiError } from '../../client/errors.ts';
import type { ApiError } from '../../contract/failure.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Answered } from './answers.ts';

/** Rows per page of a server table (specification: resource lists). */
const PAGE_ROWS = 15;

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
  asked: ListAsked & { readonly limit: number; readonly startKey?: string; readonly offset?: number },
) => Promise<Page<Row>>;

interface Way {
  /** Pages before the one shown, the first page first. */
  readonly before: readonly PagePlace[];
  readonly place: PagePlace;
  readonly limit: number;
}

/** A pager over one list. A late answer to an older question is dropped; what was answered before is shown until then. */
export function createPager<Row>(fetchPage: FetchPage<Row>, first = PAGE_ROWS, answered?: Answered<Page<Row>>) {
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

  async function ask(startKey: string, way: Way): Promise<void> {
    asked += 1;
    const mine = asked;
    const wanted = { ...question, limit: way.limit, ...(startKey === '' ? {} : { startKey }) };
    const name = JSON.stringify(wanted);
    const show = (page: Page<Row>, status: 'processing' | 'success'): void => {
      before = way.before;
      place = way.place;
      Object.assign(state, {
        status,
        // A reference: rows are never changed, and watching each of them would cost more than it gives.
        rows: ref([...page.items]),
        from: page.items.length === 0 ? 0 : place.from,
        total: page.totalCount,
        nextKey: page.startKey,
        hasPrevious: before.length > 0,
        error: null,
      });
    };
    const known = answered?.read(name);
    if (known === undefined) state.status = 'processing';
    else show(known, 'processing');
    try {
      const page = await fetchPage(wanted);
      if (mine !== asked) return;
      answered?.keep(name, page);
      show(page, 'success');
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
      return ask(at.key, { before: at.key === '' ? [] : [FIRST_PAGE], place: at, limit });
    },
    /** The same page again. */
    reload: (): Promise<void> =>
      ask(place.key, {
        before,
        place,
        limit,
      }),
    next: (): Promise<void> =>
      state.nextKey === ''
        ? Promise.resolve()
        : ask(state.nextKey, {
            before: [...before, place],
            place: { key: state.nextKey, from: place.from + state.rows.length },
            limit,
          }),
    previous: (): Promise<void> => {
      const to = before.at(-1);
      return to === undefined ? Promise.resolve() : ask(to.key, { before: before.slice(0, -1), place: to, limit });
    },
    /** Where the page shown begins, for the URL. */
    place: (): PagePlace => place,
  };
}
