// What all lists of stored things share: reading the query, reading all of them, and showing labels.
import { Failure } from '../../contract/failure.ts';
import { type Expression, parsePredicate } from '../../contract/predicate.ts';
import type { Label, ListQuery } from '../../contract/shapes.ts';
import type { Selection } from '../ports/rights.ts';
import type { Resource, ResourceKind, ResourceQuery, Resources, SortField } from '../store/store.ts';

/** Items of a page when the caller does not say. */
const LIMIT_DEFAULT = 1000;
/** Labels with these prefixes are for the gateway's own use and never shown. */
const HIDDEN_PREFIXES = ['postern.internal/', 'postern.hidden/'] as const;

/**
 * A list's query for the store. `fields` maps the wire's sort fields to columns. Throws Failure bad_request for a predicate that
 * cannot be read, unsupported for a sort field that the list does not have.
 */
export function resourceQuery(
  query: ListQuery,
  fields: Readonly<Record<string, SortField>>,
  selection: Selection | null,
): ResourceQuery {
  const sort = query.sort ? sortOf(query.sort, fields) : undefined;
  return {
    limit: query.limit ?? LIMIT_DEFAULT,
    ...(query.startKey ? { startKey: query.startKey } : {}),
    ...(query.offset ? { offset: query.offset } : {}),
    ...(query.search ? { search: query.search } : {}),
    ...(query.query ? { query: readPredicate(query.query) } : {}),
    ...(sort ? { sort } : {}),
    selection,
    count: Boolean(query.sort || query.search || query.query),
  };
}

function sortOf(sort: string, fields: Readonly<Record<string, SortField>>): { field: SortField; descending: boolean } {
  const [name = '', direction] = sort.split(':');
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) {
    const known = Object.keys(fields);
    const allowed = known.length === 0 ? 'this list cannot be sorted' : `one of ${known.join(', ')}`;
    throw new Failure('unsupported', `sort: ${allowed}`, { sort: allowed });
  }
  return { field, descending: direction === 'desc' };
}

function readPredicate(text: string): Expression {
  try {
    return parsePredicate(text, 'query');
  } catch (error) {
    const why = error instanceof Error ? error.message : 'failed to parse predicate expression';
    throw new Failure('bad_request', why, { query: why });
  }
}

/** Labels as lists show them: sorted by name, without those of the gateway's own. */
export const shownLabels = (labels: Readonly<Record<string, string>>): Label[] =>
  Object.entries(labels)
    .filter(([name]) => !HIDDEN_PREFIXES.some(prefix => name.startsWith(prefix)))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => ({ name, value }));

/** Rows read at once, and most rows that a list without pages answers. */
const PAGE = 500;
const ROWS_MOST = 10_000;

/** Every resource of a kind, or those that a query selects, by name or title. */
export async function allOf(
  resources: Pick<Resources, 'list'>,
  kind: ResourceKind,
  { query, sort = 'name' }: { readonly query?: Expression; readonly sort?: 'name' | 'title' } = {},
): Promise<readonly Resource[]> {
  const found: Resource[] = [];
  let startKey = '';
  do {
    const page = await resources.list(kind, {
      limit: PAGE,
      startKey,
      selection: null,
      count: false,
      sort: { field: sort, descending: false },
      ...(query && { query }),
    });
    found.push(...page.items);
    startKey = page.startKey;
  } while (startKey !== '' && found.length < ROWS_MOST);
  return found;
}
