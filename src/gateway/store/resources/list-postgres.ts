// Lists over PostgreSQL: its planner has statistics, so it gets the conditions as they are.
import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../../../contract/failure.ts';
import type { Builder } from '../builder.ts';
import { type Engine, StoreError, TOO_MUCH_WORK } from '../engine.ts';
import type { ResourceKind } from '../store.ts';
import { every, toSql } from './clause.ts';
import { postgresDialect } from './dialect.ts';
import type { ListPlan } from './list-plan.ts';
import type { Listed } from './list-sqlite.ts';
import { columns, type ReadRow } from './rows.ts';
import { createRules } from './rules.ts';

/** Labels are read in portions of this many rows when JavaScript must decide. */
const PORTION_ROWS = 5000;
/** Deciding lets other calls have their turn after this many steps. */
const TURN_STEPS = 1_000_000;

export async function listPostgres(engine: Engine, builder: Builder, plan: ListPlan): Promise<Listed> {
  const { kind, words, limit, after, offset, now, sort, count } = plan;
  const known = await decide(engine, builder, plan);
  const dialect = postgresDialect(rule => known.get(JSON.stringify(rule)) ?? []);
  const rest = every([plan.rest(dialect), ...words.map(word => dialect.contains(word))]);
  if (rest.kind === 'never') return { rows: [], total: 0 };
  const where = sql`r.kind = ${kind} AND (r.expires IS NULL OR r.expires > ${now}) AND ${toSql(rest)}`;
  const key = sql.ref(`r.${sort.field}_fold`);
  const direction = sql.raw(sort.descending ? 'DESC' : 'ASC');
  const beyond = after
    ? sql` AND (${key}, r.name) ${sql.raw(sort.descending ? '<' : '>')} (${after.value}, ${after.name})`
    : sql``;
  const page: RawBuilder<ReadRow> = sql`SELECT ${sql.join(columns.map(column => sql.ref(`r.${column}`)))} FROM resources AS r WHERE ${where}${beyond} ORDER BY ${key} ${direction}, r.name ${direction} LIMIT ${limit + 1} OFFSET ${offset}`;
  const total: RawBuilder<{ count: number }> = sql`SELECT count(*) AS count FROM resources AS r WHERE ${where}`;
  const [rows, totals] = await Promise.all([
    engine.read(page.compile(builder)),
    count ? engine.read(total.compile(builder)) : [],
  ]);
  return { rows, total: totals[0]?.count ?? 0 };
}

/** Which resources the rules select that SQL cannot say: rule as JSON -> ids. */
async function decide(
  engine: Engine,
  builder: Builder,
  plan: ListPlan,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, number[]>();
  const rules = createRules();
  let turn = 0;
  plan.rest(
    postgresDialect(rule => {
      found.set(JSON.stringify(rule), []);
      return [];
    }),
  );
  if (found.size === 0) return found;
  try {
    for await (const row of labelsOf(engine, builder, plan.kind)) {
      for (const [rule, ids] of found) if (rules.selects(rule, row.name, row.labels)) ids.push(row.id);
      if (rules.spent() - turn < TURN_STEPS) continue;
      turn = rules.spent();
      await setImmediate();
    }
  } catch (error) {
    if (error instanceof StoreError && error.code === TOO_MUCH_WORK) throw new Failure('unavailable', error.message);
    throw error;
  }
  return found;
}

async function* labelsOf(engine: Engine, builder: Builder, kind: ResourceKind) {
  for (let after = -1; ; ) {
    const rows = await engine.read(
      builder
        .selectFrom('resources')
        .select(['id', 'name', 'labels'])
        .where('kind', '=', kind)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PORTION_ROWS)
        .compile(),
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PORTION_ROWS) return;
    after = last.id;
  }
}
