// A list's question in the URL, so that every filtered list is a link (ui-facts: search panel).
import type { Sort } from '../ui/Table.tsx';
import type { ListAsked } from './pager.ts';

export interface ListQueryState {
  /** What stands in the filter. */
  readonly text: string;
  /** The filter is a predicate, not plain words. */
  readonly isAdvanced: boolean;
  readonly sort: Sort;
}

const SORT = /^([A-Za-z_]{1,32}):(asc|desc)$/;

/** Reads `?search=` or `?query=`, and `sort=field:dir`; anything malformed counts as absent. */
export function readListQuery(query: Readonly<Record<string, string>>, first: Sort): ListQueryState {
  const isAdvanced = query.query !== undefined;
  const [, key, direction] = SORT.exec(query.sort ?? '') ?? [];
  return {
    text: query.query ?? query.search ?? '',
    isAdvanced,
    sort: key === undefined ? first : { key, down: direction === 'desc' },
  };
}

/** What goes into the URL; the default sort is left out. */
export function writeListQuery(
  { text, isAdvanced, sort }: ListQueryState,
  first: Sort,
): Readonly<Record<string, string | undefined>> {
  const isFirst = sort.key === first.key && sort.down === first.down;
  return {
    search: isAdvanced ? undefined : text,
    query: isAdvanced ? text : undefined,
    sort: isFirst ? undefined : sortText(sort),
  };
}

/** `field:dir`, as the gateway reads it. */
const sortText = ({ key, down }: Sort): string => `${key}:${down ? 'desc' : 'asc'}`;

/** What the gateway is asked. */
export function askedOf({ text, isAdvanced, sort }: ListQueryState): ListAsked {
  return { sort: sortText(sort), ...(text === '' ? {} : isAdvanced ? { query: text } : { search: text }) };
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
