// Lists that come whole: filtered, sorted and paged here (ui-facts: client tables).
import type { Sort } from '../ui/Table.tsx';

export interface Searched<Row> {
  /** What a row can be found by: names, addresses, dates as displayed, labels. */
  readonly words: (row: Row) => string;
  /** What it is sorted by, per column. */
  readonly sortBy: (row: Row, key: string) => string | number;
}

/** Rows that hold every word, in order. Equal rows keep the order they came in. */
export function arranged<Row>(
  rows: readonly Row[],
  text: string,
  sort: Sort | undefined,
  { words, sortBy }: Searched<Row>,
): readonly Row[] {
  const wanted = text
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  const found =
    wanted.length === 0
      ? rows
      : rows.filter(row => {
          const held = words(row).toLowerCase();
          return wanted.every(word => held.includes(word));
        });
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

/** One page of rows; a page beyond the end is the last one. */
export function pageOf<Row>(
  rows: readonly Row[],
  page: number,
  size: number,
): {
  readonly rows: readonly Row[];
  readonly from: number;
  readonly to: number;
  readonly page: number;
  readonly last: number;
} {
  const last = Math.max(0, Math.ceil(rows.length / size) - 1);
  const at = Math.min(Math.max(0, page), last);
  const shown = rows.slice(at * size, (at + 1) * size);
  return { rows: shown, from: shown.length === 0 ? 0 : at * size + 1, to: at * size + shown.length, page: at, last };
}
