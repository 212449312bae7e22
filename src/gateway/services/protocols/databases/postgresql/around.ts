// What else of a database shows columns that guards mask: views and children of their tables, and functions that people wrote. Read once for a
// session, over a connection of the gateway's own.
import type { Duplex } from 'node:stream';
import type { StatementFacts } from '../../../../ports/databases.ts';
import { type OwnLogin, openOwn } from './own-connection.ts';

/** Reading it, ms. */
const READ_MOST_MS = 8000;
/** Of each kind, how many are read. */
const READ_MOST = 20_000;
/** Statistics hold the commonest values of columns as they are. */
const statistics = /^(pg_stats(_ext(_exprs)?)?|pg_statistic(_ext_data)?)$/;

export interface Around {
  /** Whether a statement may show what is masked in a way that its words do not tell. */
  goesRound(facts: StatementFacts): boolean;
  /** Oids of tables with a column of a masked name that no guard means. */
  readonly others: ReadonlySet<number>;
}

const QUERY = `
with recursive wanted as (select split.schema, split.relation, split.attribute from
    jsonb_to_recordset($1::jsonb) as split(schema text, relation text, attribute text)),
  holders as (select a.attrelid as oid, a.attnum, exists (select from wanted w
      where lower(a.attname) ~ w.attribute and lower(c.relname) ~ w.relation and lower(n.nspname) ~ w.schema) as masked
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'f', 'p')
      and exists (select from wanted w where lower(a.attname) ~ w.attribute)),
  shown(oid) as (
    select r.ev_class from pg_depend d join pg_rewrite r on r.oid = d.objid join holders h on h.oid = d.refobjid
      where h.masked and d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
        and d.refobjsubid in (h.attnum, 0) and r.ev_class <> d.refobjid
    union select i.inhrelid from pg_inherits i join holders h on h.oid = i.inhparent where h.masked
    union select r.ev_class from shown s join pg_depend d on d.refobjid = s.oid join pg_rewrite r on r.oid = d.objid
      where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and r.ev_class <> d.refobjid)
select 'shown' as kind, c.relname as name, 0::oid as oid from shown s join pg_class c on c.oid = s.oid
  where s.oid not in (select h.oid from holders h where h.masked)
union all select 'other', '', h.oid from holders h group by h.oid having not bool_or(h.masked)
union all select distinct 'function', p.proname, 0::oid from pg_proc p join pg_language l on l.oid = p.prolang
  where l.lanname not in ('internal', 'c') and p.oid >= 16384
limit ${READ_MOST + 1}`;

/** `patterns`: columns as guards name them. Rejects where it cannot be read, or is more than is read. */
export async function readAround(
  patterns: readonly string[],
  as: OwnLogin,
  dial: () => Promise<Duplex>,
): Promise<Around> {
  const own = await openOwn(as, dial, READ_MOST_MS);
  try {
    const { rows } = await own.query(QUERY, [JSON.stringify(patterns.map(wantedBy))]);
    if (rows.length > READ_MOST) throw new Error('more views and functions than are looked at');
    const of = (kind: string): readonly string[] => rows.filter(row => row[0] === kind).map(row => String(row[1]));
    const [shown, functions] = [new Set(of('shown')), new Set(of('function'))];
    return {
      goesRound: ({ tables, functions: called }) =>
        tables.some(({ name }) => shown.has(name) || statistics.test(name)) ||
        [...called].some(name => functions.has(name)),
      others: new Set(rows.filter(row => row[0] === 'other').map(row => Number(row[2]))),
    };
  } finally {
    own.close();
  }
}

/** The parts of a pattern as regular expressions of PostgreSQL. */
function wantedBy(pattern: string): { readonly schema: string; readonly relation: string; readonly attribute: string } {
  const [attribute = '', relation = '', schema = '*'] = pattern.toLowerCase().split('.').reverse();
  const expression = (glob: string): string =>
    `^${glob.replaceAll(/[^\p{L}\p{N}_*]/gu, '\\$&').replaceAll('*', '.*')}$`;
  return { schema: expression(schema), relation: expression(relation), attribute: expression(attribute) };
}
