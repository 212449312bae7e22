// Conditions on the row `r` of a resource, with what is always or never true folded away.
import { type RawBuilder, sql } from 'kysely';

export type Clause =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  /** `needs`: 'id' when it looks at `r.id` only (labels), 'row' when it reads other columns of the resource. */
  | { readonly kind: 'sql'; readonly sql: RawBuilder<boolean>; readonly needs: 'id' | 'row' };

export const always: Clause = { kind: 'always' };
export const never: Clause = { kind: 'never' };
export const clause = (needs: 'id' | 'row', raw: RawBuilder<unknown>): Clause => ({
  kind: 'sql',
  sql: raw as RawBuilder<boolean>,
  needs,
});

type Spoken = Extract<Clause, { kind: 'sql' }>;
const spoken = (part: Clause): part is Spoken => part.kind === 'sql';
const join = (parts: readonly Spoken[], word: 'AND' | 'OR'): Clause => {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const needs = parts.some(part => part.needs === 'row') ? 'row' : 'id';
  return clause(
    needs,
    sql`(${sql.join(
      parts.map(part => part.sql),
      sql.raw(` ${word} `),
    )})`,
  );
};

export function every(parts: readonly Clause[]): Clause {
  if (parts.some(part => part.kind === 'never')) return never;
  const rest = parts.filter(spoken);
  return rest.length === 0 ? always : join(rest, 'AND');
}
export function some(parts: readonly Clause[]): Clause {
  if (parts.some(part => part.kind === 'always')) return always;
  const rest = parts.filter(spoken);
  return rest.length === 0 ? never : join(rest, 'OR');
}
/** Our conditions are never NULL, so NOT is their opposite. */
export function not(part: Clause): Clause {
  if (part.kind === 'sql') return clause(part.needs, sql`NOT (${part.sql})`);
  return part.kind === 'always' ? never : always;
}
/** For places that need SQL text. */
export const toSql = (part: Clause): RawBuilder<boolean> =>
  part.kind === 'sql' ? part.sql : part.kind === 'always' ? sql<boolean>`1 = 1` : sql<boolean>`1 = 0`;
