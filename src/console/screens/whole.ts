// Lists that one call answers whole: filtered, sorted and handed out page by page here, as the gateway does with longer ones.
import { wordsFilter } from '../../contract/words.ts';
import type { Sort } from '../ui/table-column.ts';
import { readSort } from './list-query.ts';
import type { FetchPage } from './paged-list.ts';

export interface Searched<Row> {
  /** What a row can be found by: names, addresses, dates as displayed, labels. Without it rows are not filtered here. */
  readonly words?: (row: Row) => string;
  /** What it is sorted by, per column. */
  readonly sortBy: (row: Row, key: string) => string | number;
}

/** Pages of a list that came whole. It is asked for when the list is asked anew; filtering, sorting and scrolling ask nothing. */
export function pagesOfWhole<Row>(
  fetchRows: () => Promise<readonly Row[]> | readonly Row[],
  searched: Searched<Row>,
): FetchPage<Row> {
  let held: readonly Row[] | null = null;
  return async ({ search = '', sort, limit, startKey, offset = 0 }, isFresh) => {
    if (isFresh || held === null) held = await fetchRows();
    const found = arranged(held, search, readSort(sort), searched);
    const first = startKey === undefined ? offset : Number(startKey);
    const end = first + limit;
    return {
      items: found.slice(first, end),
      startKey: end < found.length ? String(end) : '',
      totalCount: found.length,
    };
  };
}

/** Rows that hold every word, in order. Equal rows keep the order they came in. */
export function arranged<Row>(
  rows: readonly Row[],
  text: string,
  sort: Sort | undefined,
  { words, sortBy }: Searched<Row>,
): readonly Row[] {
  const fits = wordsFilter(text);
  const found = text.trim() === '' || words === undefined ? rows : rows.filter(row => fits(words(row)));
  if (sort === undefined) return found;
  const sign = sort.down ? -1 : 1;
  return found
    .map(row => ({ row, by: sortBy(row, sort.key) }))
    .toSorted((one, other) => sign * compare(one.by, other.by))
    .map(({ row }) => row);
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other));
}
