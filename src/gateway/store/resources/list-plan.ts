// A list query, read once: what both engines then turn into SQL.
import { Failure } from '../../../contract/failure.ts';
import type { Expression } from '../../../contract/predicate.ts';
import type { ResourceKind, ResourceQuery, SortField } from '../store.ts';
import { type Clause, every } from './clause.ts';
import type { SqlDialect } from './dialect.ts';
import { compileQuery, conjuncts } from './expression.ts';
import { type PageEnd, type PageSort, readPageKey } from './page-key.ts';
import { keyword, searchWords } from './search-words.ts';
import { compileSelection, labelToStartFrom } from './selection.ts';

const LIMIT_MOST = 5000;

export interface ListPlan {
  readonly kind: ResourceKind;
  readonly limit: number;
  readonly sort: PageSort;
  readonly after: PageEnd | null;
  /** Passed over before the first of the page. */
  readonly offset: number;
  readonly count: boolean;
  /** Folded keywords that must all be found. */
  readonly words: readonly string[];
  /** Every resource on the list has one of these values under this key: a place to start from. */
  readonly start: { readonly key: string; readonly values: readonly string[] } | null;
  /** Everything but the words, the kind and the time. */
  readonly rest: (dialect: SqlDialect) => Clause;
  readonly now: number;
}

const sortFields: readonly SortField[] = ['name', 'title', 'address', 'description', 'subtype'];

/** Throws Failure bad_request. */
export function planList(kind: ResourceKind, query: ResourceQuery, now: Date): ListPlan {
  const { limit, startKey, offset = 0, search, query: expression, selection, sort: order, count } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MOST)
    throw new Failure('bad_request', `limit: a whole number from 1 to ${LIMIT_MOST}`, {
      limit: `a whole number from 1 to ${LIMIT_MOST}`,
    });
  if (!Number.isInteger(offset) || offset < 0)
    throw new Failure('bad_request', 'offset: a whole number from 0', { offset: 'a whole number from 0' });
  const sort: PageSort = { kind, field: order?.field ?? 'name', descending: order?.descending ?? false };
  if (!sortFields.includes(sort.field))
    throw new Failure('bad_request', `sort: one of ${sortFields.join(', ')}`, {
      sort: `one of ${sortFields.join(', ')}`,
    });
  const parts = expression ? conjuncts(expression) : [];
  const searched = parts.filter(isSearch);
  const compared = parts.filter(part => !isSearch(part));
  return {
    kind,
    limit,
    sort,
    after: startKey ? readPageKey(startKey, sort) : null,
    offset,
    count,
    words: [
      ...new Set([
        ...(search ? searchWords(search) : []),
        ...searched.flatMap(part => part.args.flatMap(word => (word.kind === 'literal' ? keyword(word.value) : []))),
      ]),
    ].filter(word => word !== ''),
    start:
      compared.map(labelCompared).find(found => found !== null) ?? (selection ? labelToStartFrom(selection) : null),
    rest: dialect =>
      every([
        ...(selection ? [compileSelection(selection, dialect)] : []),
        ...compared.map(part => compileQuery(part, kind, dialect)),
      ]),
    now: now.getTime(),
  };
}

type Call = Extract<Expression, { kind: 'call' }>;
const isSearch = (part: Expression): part is Call =>
  part.kind === 'call' &&
  part.name === 'search' &&
  part.args.length > 0 &&
  part.args.every(word => word.kind === 'literal');

/** `labels["k"] == "v"`, the comparison that a click on a label makes. */
function labelCompared(part: Expression): ListPlan['start'] {
  if (part.kind !== 'equal') return null;
  const [left, right] = part.left.kind === 'field' ? [part.left, part.right] : [part.right, part.left];
  const key = left.kind === 'field' && left.path.length === 2 && left.path[0] === 'labels' ? left.path[1] : undefined;
  return key !== undefined && right.kind === 'literal' && right.value !== '' ? { key, values: [right.value] } : null;
}
