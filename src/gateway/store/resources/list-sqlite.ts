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

  const few =
    from !== null && (await count(sql`SELECT count(*) AS count FROM (${from} LIMIT ${sortedMost + 1})`)) <= sortedMost;
  if (from && few) {
    const rows = await engine.read(sorted(plan, from, rest).compile(builder));
    const total =
      rows[0]?.total ?? (plan.after || plan.offset > 0 ? await count(countAll(plan, from, rest, indexed)) : 0);
    return { rows, total: plan.count ? total : 0 };
  }
  const total = plan.count ? await count(countAll(plan, from, rest, indexed)) : null;
  if (total === 0) return { rows: [], total };
  return { rows: await engine.read(walked(plan, from, rest).compile(builder)), total: total ?? 0 };
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

/** Beyond the last page's end, in order, one row more than asked for. */
function inOrder({ limit, after, offset, sort }: ListPlan): RawBuilder<unknown> {
  const key = sql.ref(`r.${sort.field}_fold`);
  const direction = sql.raw(sort.descending ? 'DESC' : 'ASC');
  const beyond = after
    ? sql` AND (${key}, r.name) ${sql.raw(sort.descending ? '<' : '>')} (${after.value}, ${after.name})`
    : sql``;
  return sql`${beyond} ORDER BY ${key} ${direction}, r.name ${direction} LIMIT ${limit + 1} OFFSET ${offset}`;
}
const alive = ({ now }: ListPlan): RawBuilder<unknown> => sql`(r.expires IS NULL OR r.expires > ${now})`;

/** For few candidates: look at each once, count those that stay, sort them. */
function sorted(plan: ListPlan, from: RawBuilder<unknown>, rest: Clause): RawBuilder<ReadRow & { total: number }> {
  const kept = sql`SELECT r.id FROM hit CROSS JOIN resources AS r ON r.id = hit.id WHERE ${alive(plan)} AND ${toSql(rest)}`;
  return sql`WITH hit AS MATERIALIZED (${from}), kept AS MATERIALIZED (${kept})
    SELECT ${selected}, (SELECT count(*) FROM kept) AS total FROM kept CROSS JOIN resources AS r ON r.id = kept.id WHERE r.kind = ${plan.kind}${inOrder(plan)}`;
}

/** For many: walk the index of the sort field, passing over what is no candidate, until the page is full. */
function walked(plan: ListPlan, from: RawBuilder<unknown> | null, rest: Clause): RawBuilder<ReadRow> {
  const hits = from ? sql`WITH hit AS MATERIALIZED (${from}) ` : sql``;
  const among = from ? sql` AND r.id IN (SELECT id FROM hit)` : sql``;
  return sql`${hits}SELECT ${selected} FROM resources AS r INDEXED BY ${sql.raw(`resources_by_${plan.sort.field}`)} WHERE r.kind = ${plan.kind}${among} AND ${alive(plan)} AND ${toSql(rest)}${inOrder(plan)}`;
}
