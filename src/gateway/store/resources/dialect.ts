// What the two engines say differently about a resource row `r`.
import { type RawBuilder, sql } from 'kysely';
import { type Clause, clause } from './clause.ts';
import type { ResidualRule } from './rules.ts';

export interface SqlDialect {
  /** The haystack holds the folded keyword. */
  contains(word: string): Clause;
  /** A label of this key has one of these values. */
  labelIn(key: string, values: readonly string[]): Clause;
  /** A label of this key fits a glob, in which only `*` is special. */
  labelFits(key: string, glob: string): Clause;
  /** Text at a path of the spec: NULL when it is missing, a list or an object. */
  specText(path: readonly string[]): RawBuilder<string | null>;
  /** The half of a rule that SQL cannot say: JavaScript decides it. */
  residual(rule: ResidualRule): Clause;
}

const withLabel = (key: string, more: RawBuilder<unknown>): Clause =>
  clause('id', sql`EXISTS (SELECT 1 FROM resource_labels AS l WHERE l.resource = r.id AND l.key = ${key}${more})`);
export const labelPresent = (key: string): Clause => withLabel(key, sql``);
/** A label's value; "" when there is none. */
export const labelText = (key: string): RawBuilder<string> =>
  sql<string>`coalesce((SELECT l.value FROM resource_labels AS l WHERE l.resource = r.id AND l.key = ${key}), '')`;

const likeEscaped = (text: string): string => text.replaceAll(/[\\%_]/g, character => `\\${character}`);

export const sqliteDialect: SqlDialect = {
  contains: word => clause('row', sql`instr(r.haystack, ${word}) > 0`),
  labelIn: (key, values) => withLabel(key, sql` AND l.value IN (${sql.join(values)})`),
  // In GLOB `?` and `[` are special as well: in brackets they stand for themselves.
  labelFits: (key, glob) =>
    withLabel(key, sql` AND l.value GLOB ${glob.replaceAll(/[?[]/g, character => `[${character}]`)}`),
  specText: path => {
    const at = `$${path.map(part => `."${part}"`).join('')}`;
    return sql<
      string | null
    >`(CASE json_type(r.spec, ${at}) WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' WHEN 'array' THEN NULL WHEN 'object' THEN NULL ELSE CAST(json_extract(r.spec, ${at}) AS text) END)`;
  },
  residual: rule => clause('row', sql`rule_selects(${JSON.stringify(rule)}, r.name, r.labels)`),
};

/** `idsOf` answers the resources that a rule selects: PostgreSQL cannot call our JavaScript, so that was decided before. */
export const postgresDialect = (idsOf: (rule: ResidualRule) => readonly number[]): SqlDialect => ({
  contains: word => clause('row', sql`r.haystack LIKE ${`%${likeEscaped(word)}%`}`),
  // left(…) is what the index holds.
  labelIn: (key, values) =>
    withLabel(
      key,
      sql` AND left(l.value, 256) IN (${sql.join(values.map(value => [...value].slice(0, 256).join('')))}) AND l.value IN (${sql.join(values)})`,
    ),
  labelFits: (key, glob) => withLabel(key, sql` AND l.value LIKE ${glob.split('*').map(likeEscaped).join('%')}`),
  specText: path => {
    const at = sql`(r.spec::json #> ${path}::text[])`;
    return sql<
      string | null
    >`(CASE WHEN json_typeof(${at}) IN ('array', 'object', 'null') THEN NULL ELSE r.spec::json #>> ${path}::text[] END)`;
  },
  residual: rule => clause('id', sql`r.id = ANY(${idsOf(rule)}::bigint[])`),
});
