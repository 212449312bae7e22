// Lists over SQLite. Its planner has no idea how many resources hold a word, so the way through the indexes is chosen here, by counting.
import { type RawBuilder, sql } from 'kysely';
import type { Builder } from '../builder.ts';
import type { Engine } from '../engine.ts';
import { type Clause, every, toSql } from './clause.ts';
import { sqliteDialect } from './dialect.ts';
import { idRange } from './kinds.ts';
import type { ListPlan } from './list-plan.ts';
import { columns, type ReadRow } from './rows.ts';

/**
 * Up to so many candidates are fetched and sorted (about 1 ms per 1,000); with more, the index of the sort field is walked until the page is full,
 * which is short unless the matches stand at its far end.
 */
const SORTED_MOST = 5000;
/** The trigram index knows words from this length, characters. Shorter ones are looked for in the text itself. */
const INDEXED_LEAST_CHARACTERS = 3;

export interface Listed {
  /** One row more than the limit when there is a further page. */
  readonly rows: readonly ReadRow[];
  readonly total: number;
}

/** Where candidates come from: ids out of the search index or the label index; null: all of the kind. */
function candidates(plan: ListPlan, indexed: readonly string[]): RawBuilder<unknown> | null {
  const { kind, start } = plan;
  if (indexed.length > 0) {
    const { after, last } = idRange(kind);
    const match = indexed.map(word => `"${word.replaceAll('"', '""')}"`).join(' AND ');
    return sql`SELECT rowid AS id FROM resource_search WHERE resource_search MATCH ${match} AND rowid > ${after} AND rowid <= ${last}`;
  }
  return start
    ? sql`SELECT resource AS id FROM resource_labels WHERE kind = ${kind} AND key = ${start.key} AND value IN (${sql.join(start.values)})`
    : null;
}

/** `sortedMost` is a parameter so that tests can have few rows take the way of many. */
export async function listSqlite(
  engine: Engine,
  builder: Builder,
  plan: ListPlan,
  sortedMost = SORTED_MOST,
): Promise<Listed> {
  const indexed = plan.words.filter(word => [...word].length >= INDEXED_LEAST_CHARACTERS);
  const short = plan.words.filter(word => !indexed.includes(word)).map(word => sqliteDialect.contains(word));
  const rest = every([plan.rest(sqliteDialect), ...short]);
  if (rest.kind === 'never') return { rows: [], total: 0 };
  const from = candidates(plan, indexed);
  const count = async (query: RawBuilder<{ count: number }>): Promise<number> =>
    (await engine.read(query.compile(builder)))[0]?.count ?? 0;

  if (from) {
    const answered = await engine.read(sorted(plan, from, rest, sortedMost).compile(builder));
    const [first] = answered;
    if (first && first.hits <= sortedMost) return { rows: answered.filter(isRow), total: plan.count ? first.total : 0 };
  }
  // Side by side, each on a reader of its own.
  const [total, rows] = await Promise.all([
    plan.count ? count(countAll(plan, from, rest, indexed)) : 0,
    engine.read(walked(plan, from, rest).compile(builder)),
  ]);
  return { rows, total };
}

/** Counts by index alone where the conditions allow it; the few that have expired are counted apart and taken off. */
function countAll(
  plan: ListPlan,
  from: RawBuilder<unknown> | null,
  rest: Clause,
  indexed: readonly string[],
): RawBuilder<{ count: number }> {
  const { kind, now } = plan;
  const words = every(indexed.map(word => sqliteDialect.contains(word)));
  const inIndex =
    rest.kind === 'sql' && rest.needs === 'row' ? sql`hit CROSS JOIN resources AS r ON r.id = hit.id` : sql`hit AS r`;
  const all = from
    ? sql`WITH hit AS MATERIALIZED (${from}) SELECT count(*) FROM ${inIndex} WHERE ${toSql(rest)}`
    : sql`SELECT count(*) FROM resources AS r WHERE r.kind = ${kind} AND ${toSql(rest)}`;
  const plain = from && rest.kind === 'always' ? sql`SELECT count(*) FROM (${from})` : all;
  // A label to start from is also one of the conditions of `rest`.
  return sql`SELECT (${plain}) - (SELECT count(*) FROM resources AS r INDEXED BY resources_that_expire WHERE r.kind = ${kind} AND r.expires IS NOT NULL AND r.expires <= ${now} AND ${toSql(every([words, rest]))}) AS count`;
}

const selected = sql.join(columns.map(column => sql.ref(`r.${column}`)));

const sortKey = ({ sort }: ListPlan): RawBuilder<unknown> => sql.ref(`r.${sort.field}_fold`);
/** Beyond the last page's end. */
const beyond = (plan: ListPlan): RawBuilder<unknown> =>
  plan.after
    ? sql` AND (${sortKey(plan)}, r.name) ${sql.raw(plan.sort.descending ? '<' : '>')} (${plan.after.value}, ${plan.after.name})`
    : sql``;
/** In order, one row more than asked for. */
function inOrder(plan: ListPlan): RawBuilder<unknown> {
  const direction = sql.raw(plan.sort.descending ? 'DESC' : 'ASC');
  return sql` ORDER BY ${sortKey(plan)} ${direction}, r.name ${direction} LIMIT ${plan.limit + 1} OFFSET ${plan.offset}`;
}
const alive = ({ now }: ListPlan): RawBuilder<unknown> => sql`(r.expires IS NULL OR r.expires > ${now})`;

/** What `sorted` answers: of how many candidates, how many of them stay, and a resource, or null for each of its columns where the page has none. */
type Sorted = { readonly hits: number; readonly total: number } & (
  | ReadRow
  | { readonly [Column in keyof ReadRow]: null }
);
const isRow = (row: Sorted): row is Exclude<Sorted, { readonly name: null }> => row.name !== null;

/** For few candidates: look at each once, count those that stay, sort them. Of more than `most` only that there are more. */
function sorted(plan: ListPlan, from: RawBuilder<unknown>, rest: Clause, most: number): RawBuilder<Sorted> {
  const kept = sql`SELECT r.id FROM few CROSS JOIN hit CROSS JOIN resources AS r ON r.id = hit.id WHERE few.hits <= ${most} AND ${alive(plan)} AND ${toSql(rest)}`;
  return sql`WITH hit AS MATERIALIZED (${from} LIMIT ${most + 1}), few AS MATERIALIZED (SELECT count(*) AS hits FROM hit), kept AS MATERIALIZED (${kept})
    SELECT few.hits, (SELECT count(*) FROM kept) AS total, ${selected}
    FROM few LEFT JOIN (kept CROSS JOIN resources AS r ON r.id = kept.id AND r.kind = ${plan.kind}${beyond(plan)}) ON 1 = 1${inOrder(plan)}`;
}

/** For many: walk the index of the sort field, passing over what is no candidate, until the page is full. */
function walked(plan: ListPlan, from: RawBuilder<unknown> | null, rest: Clause): RawBuilder<ReadRow> {
  const hits = from ? sql`WITH hit AS MATERIALIZED (${from}) ` : sql``;
  const among = from ? sql` AND r.id IN (SELECT id FROM hit)` : sql``;
  return sql`${hits}SELECT ${selected} FROM resources AS r INDEXED BY ${sql.raw(`resources_by_${plan.sort.field}`)} WHERE r.kind = ${plan.kind}${among} AND ${alive(plan)} AND ${toSql(rest)}${beyond(plan)}${inOrder(plan)}`;
}
