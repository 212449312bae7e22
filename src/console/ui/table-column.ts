// What a table is told about its columns.
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly draw: (row: Row) => ReactNode;
  readonly sorts?: boolean;
  /** CSS width; the rest is shared. */
  readonly width?: string;
  readonly mono?: boolean;
  /** On a phone: the first line of a row, the second, what is left of the second, or not at all. */
  readonly phone?: 'first' | 'second' | 'rest' | 'action' | 'hidden';
  /** On a phone, where there are no headings, its title stands before its value. */
  readonly isNamed?: boolean;
  /** Not a heading anyone needs to see, such as that of the actions. */
  readonly quiet?: boolean;
}
export interface Sort {
  readonly key: string;
  readonly down: boolean;
}

/** The column of what can be done with a row, as wide as its buttons (CSS). */
export const actionsColumn = <Row>(width: string, draw: Column<Row>['draw']): Column<Row> => ({
  key: 'actions',
  title: 'Actions',
  quiet: true,
  width,
  phone: 'action',
  draw,
});

/** What a click on a header asks for: another column upwards, the same one the other way round. */
export const sortedBy = (key: string, now: Sort | undefined): Sort => ({ key, down: now?.key === key && !now.down });

/** The column after the one that is sorted by, around the end; undefined when none sorts. */
export function nextSort(
  columns: readonly Pick<Column<never>, 'key' | 'sorts'>[],
  now: Sort | undefined,
): Sort | undefined {
  const keys = columns.filter(column => column.sorts === true).map(column => column.key);
  const key = keys[(keys.indexOf(now?.key ?? '') + 1) % Math.max(1, keys.length)];
  return key === undefined ? undefined : { key, down: false };
}
