// What all lists of stored things share: reading the query, reading all of them, and showing labels.
import { Failure } from '../../contract/failure.ts';
import { type Expression, parsePredicate } from '../../contract/predicate.ts';
import type { Label, ListQuery } from '../../contract/shapes.ts';
import type { Selection } from '../ports/rights.ts';
import type { Resource, ResourceKind, ResourceQuery, Resources, SortField } from '../store/store.ts';

/** Items of a page when the caller does not say. */
const LIMIT_DEFAULT = 1000;
/** What the wire's lists sort by; each list by some of them. */
const SORT_FIELDS = ['hostname', 'name', 'address', 'description', 'publicAddress', 'type'] as const;
/** The fields that one list sorts by, with the columns behind them. */
export type SortFields = Readonly<Partial<Record<(typeof SORT_FIELDS)[number], SortField>>>;
/** Labels with these prefixes are for the gateway's own use and never shown. */
const HIDDEN_PREFIXES = ['postern.internal/', 'postern.hidden/'] as const;

/**
 * A list's query for the store. Throws Failure bad_request for a predicate that cannot be read and for a sort field that no list has,
 * unsupported for one that only other lists have.
 */
export function resourceQuery(query: ListQuery, fields: SortFields, selection: Selection | null): ResourceQuery {
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

function sortOf(sort: string, fields: SortFields): { field: SortField; descending: boolean } {
  const [given = '', direction] = sort.split(':');
  const name = SORT_FIELDS.find(one => one === given);
  const field = name && fields[name];
  if (!field) {
    const known = Object.keys(fields);
    const allowed = known.length === 0 ? 'this list cannot be sorted' : `one of ${known.join(', ')}`;
    throw new Failure(name ? 'unsupported' : 'bad_request', `sort: ${allowed}`, { sort: allowed });
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
