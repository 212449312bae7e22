// A list's question in the URL, so that every filtered list is a link.
import type { Sort } from '../ui/table-column.ts';
import { HELD_MOST_ROWS } from '../ui/table-window.ts';
import type { ListAsked } from './paged-list.ts';

/** Which rows: all of them, the pinned ones, or those used lately. */
type Show = 'all' | 'pinned' | 'recent';

export interface ListQueryState {
  /** What stands in the filter. */
  readonly text: string;
  /** The filter is a predicate, not plain words. */
  readonly isAdvanced: boolean;
  /** Undefined: the order that the list has by itself. */
  readonly sort: Sort | undefined;
  readonly show?: Show;
}

/** `field:asc` or `field:desc`; undefined for anything else. */
export function readSort(text: string | undefined): Sort | undefined {
  const [, key, direction] = /^([A-Za-z_]{1,32}):(asc|desc)$/.exec(text ?? '') ?? [];
  return key === undefined ? undefined : { key, down: direction === 'desc' };
}

/** Reads `?search=` or `?query=`, `sort=field:dir` and `show=`; anything malformed counts as absent. */
export function readListQuery(query: Readonly<Record<string, string>>, first?: Sort): ListQueryState {
  const isAdvanced = query.query !== undefined;
  const { show } = query;
  return {
    text: query.query ?? query.search ?? '',
    isAdvanced,
    sort: readSort(query.sort) ?? first,
    ...(show === 'pinned' || show === 'recent' ? { show } : {}),
  };
}

/** What goes into the URL; the default sort is left out, and another question begins at its first row. */
export function writeListQuery(
  { text, isAdvanced, sort, show }: ListQueryState,
  first?: Sort,
): Readonly<Record<string, string | undefined>> {
  const isFirst = sort?.key === first?.key && sort?.down === first?.down;
  return {
    search: isAdvanced ? undefined : text,
    query: isAdvanced ? text : undefined,
    sort: isFirst || sort === undefined ? undefined : sortText(sort),
    show: show === 'all' ? undefined : show,
    ...writeRow(0),
  };
}

/** Which row a list begins at, from 0, as far as one can scroll: `?row=`, counted from 1. */
export const readRow = ({ row }: Readonly<Record<string, string>>): number =>
  /^[1-9]\d{0,8}$/.test(row ?? '') ? Math.min(Number(row), HELD_MOST_ROWS) - 1 : 0;
export const writeRow = (row: number): Readonly<Record<string, string | undefined>> => ({
  row: row === 0 ? undefined : String(row + 1),
});

/** `field:dir`, as the gateway reads it. */
const sortText = ({ key, down }: Sort): string => `${key}:${down ? 'desc' : 'asc'}`;

/** What the gateway is asked. */
export function askedOf({ text, isAdvanced, sort }: ListQueryState): ListAsked {
  return {
    ...(sort && { sort: sortText(sort) }),
    ...(text === '' ? {} : isAdvanced ? { query: text } : { search: text }),
  };
}

/** Characters a predicate may have (listQuery of src/contract/shapes.ts). */
const QUERY_MOST_CHARACTERS = 4096;

/** A question narrowed to certain names. Names that no longer fit are left out. */
export function narrowedTo(asked: ListAsked, names: readonly string[]): ListAsked {
  const own = asked.query === undefined ? '' : `(${asked.query}) && `;
  const conditions: string[] = [];
  let length = own.length + 2;
  for (const name of names) {
    const condition = `resource.metadata.name == ${JSON.stringify(name)}`;
    length += condition.length + 4;
    if (length > QUERY_MOST_CHARACTERS) break;
    conditions.push(condition);
  }
  return { ...asked, query: `${own}(${conditions.join(' || ')})` };
}

/** A label as a condition of the filter language. */
function labelCondition({ name, value }: { readonly name: string; readonly value: string }): string {
  return `labels[${JSON.stringify(name)}] == ${JSON.stringify(value)}`;
}

/** Adds a label to a predicate that may be empty; one that is there already is not added again. */
export function withLabel(text: string, label: { readonly name: string; readonly value: string }): string {
  const condition = labelCondition(label);
  if (text === '') return condition;
  return text.includes(condition) ? text : `${text} && ${condition}`;
}

/** Where a predicate could not be read, characters from 0, as the gateway's answer names it; undefined when it names no place. */
export function faultAt(message: string): number | undefined {
  const found = /\(character (\d{1,5})\)/.exec(message);
  return found === null ? undefined : Number(found[1]) - 1;
}
