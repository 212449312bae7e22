// A list that the gateway pages: the newest question wins, and the way back is remembered (ui-facts: server tables).
import { proxy } from 'valtio/vanilla';
import type { ApiError } from '../../contract/failure.ts';
import type { Page } from '../../contract/shapes.ts';
import { toApiError } from '../api/errors.ts';

/** Rows per page of a server table (specification: resource lists). */
const PAGE_ROWS = 15;

export interface ListAsked {
  readonly search?: string;
  readonly query?: string;
  readonly sort?: string;
}
export interface PagerState<Row> {
  status: 'initial' | 'processing' | 'success' | 'failed';
  rows: readonly Row[];
  /** 1-based number of the first row shown. */
  from: number;
  total: number;
  nextKey: string;
  hasPrevious: boolean;
  error: ApiError | null;
}
export type FetchPage<Row> = (
  asked: ListAsked & { readonly limit: number; readonly startKey?: string },
) => Promise<Page<Row>>;

/** A pager over one list. A late answer to an older question is dropped. */
export function createPager<Row>(fetchPage: FetchPage<Row>, limit = PAGE_ROWS) {
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
  /** Start keys of the pages before the one shown, the first page's being ''. */
  let before: string[] = [];
  let current = '';

  async function ask(startKey: string, path: string[]): Promise<void> {
    asked += 1;
    const mine = asked;
    state.status = 'processing';
    try {
      const page = await fetchPage({ ...question, limit, ...(startKey === '' ? {} : { startKey }) });
      if (mine !== asked) return;
      before = path;
      current = startKey;
      Object.assign(state, {
        status: 'success',
        rows: page.items,
        from: page.items.length === 0 ? 0 : path.length * limit + 1,
        total: page.totalCount,
        nextKey: page.startKey,
        hasPrevious: path.length > 0,
        error: null,
      });
    } catch (error) {
      // The old rows stay: they are still the last thing known.
      if (mine === asked) Object.assign(state, { status: 'failed', error: toApiError(error) });
    }
  }

  return {
    state,
    /** A new question starts at its first page. */
    load: (next: ListAsked): Promise<void> => {
      question = next;
      return ask('', []);
    },
    reload: (): Promise<void> => ask(current, before),
    next: (): Promise<void> => (state.nextKey === '' ? Promise.resolve() : ask(state.nextKey, [...before, current])),
    previous: (): Promise<void> =>
      before.length === 0 ? Promise.resolve() : ask(before.at(-1) ?? '', before.slice(0, -1)),
  };
}
