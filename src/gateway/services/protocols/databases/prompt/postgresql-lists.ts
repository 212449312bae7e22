// The backslash commands that PostgreSQL answers from its catalogue.
import type { ListCommand } from './engine.ts';

const HIDDEN = "n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_toast'";

/** A name as people write it, with `*` for anything and perhaps a schema in front, as a condition. */
function named(argument: string, name: string, schema: string, otherwise: string): string {
  if (argument === '') return otherwise;
  const [first = '', second] = argument.split('.', 2);
  const like = (column: string, pattern: string): string =>
    `${column} like '${pattern
      .replaceAll('"', '')
      .replace(/[\\%_]/g, '!$&')
      .replaceAll('*', '%')
      .replaceAll("'", "''")}' escape '!'`;
  return second === undefined ? like(name, first) : `${like(schema, first)} and ${like(name, second)}`;
}

const KINDS =
  "case c.relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view' when 'm' then 'materialized view' when 'i' then 'index' when 'I' then 'partitioned index' when 'S' then 'sequence' when 'f' then 'foreign table' else c.relkind::text end";
const relations = (kinds: string, argument: string): string =>
  `select n.nspname as "Schema", c.relname as "Name", ${KINDS} as "Type", pg_get_userbyid(c.relowner) as "Owner"
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = any ('{${kinds}}') and ${named(argument, 'c.relname', 'n.nspname', `${HIDDEN} and pg_table_is_visible(c.oid)`)}
order by 1, 2`;
const list = (
  name: string,
  argument: string,
  does: string,
  title: string,
  text: (given: string) => string,
): ListCommand => ({
  name,
  argument,
  does,
  statements: given => [{ title, text: text(given) }],
});

export const postgresqlLists: readonly ListCommand[] = [
  {
    name: 'd',
    argument: '[NAME]',
    does: 'tables, views and sequences; or the columns and indexes of one',
    statements(argument) {
      if (argument === '') return [{ title: 'List of relations', text: relations('r,p,v,m,S,f', '') }];
      const which = named(argument, 'c.relname', 'n.nspname', '');
      const from = `pg_class c join pg_namespace n on n.oid = c.relnamespace`;
      return [
        {
          title: `Columns of ${argument}`,
          text: `select n.nspname || '.' || c.relname as "Relation", a.attname as "Column", format_type(a.atttypid, a.atttypmod) as "Type", case when a.attnotnull then 'not null' else '' end as "Nullable", coalesce(pg_get_expr(d.adbin, d.adrelid), '') as "Default"
from ${from} join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where ${which} and a.attnum > 0 and not a.attisdropped and c.relkind = any ('{r,p,v,m,f,S}') order by 1, a.attnum`,
        },
        {
          title: 'Indexes',
          text: `select pg_get_indexdef(i.indexrelid) as "Index" from ${from} join pg_index i on i.indrelid = c.oid where ${which} order by 1`,
        },
        {
          title: 'Constraints',
          text: `select k.conname as "Name", pg_get_constraintdef(k.oid) as "Constraint" from ${from} join pg_constraint k on k.conrelid = c.oid where ${which} order by 1`,
        },
      ];
    },
  },
  list('dt', '[PATTERN]', 'tables', 'List of tables', given => relations('r,p,f', given)),
  list('dv', '[PATTERN]', 'views', 'List of views', given => relations('v,m', given)),
  list('di', '[PATTERN]', 'indexes', 'List of indexes', given => relations('i,I', given)),
  list('ds', '[PATTERN]', 'sequences', 'List of sequences', given => relations('S', given)),
  list(
    'dn',
    '[PATTERN]',
    'schemas',
    'List of schemas',
    given =>
      `select n.nspname as "Name", pg_get_userbyid(n.nspowner) as "Owner" from pg_namespace n where ${named(given, 'n.nspname', 'n.nspname', "n.nspname !~ '^pg_' and n.nspname <> 'information_schema'")} order by 1`,
  ),
  list(
    'df',
    '[PATTERN]',
    'functions',
    'List of functions',
    given =>
      `select n.nspname as "Schema", p.proname as "Name", pg_get_function_result(p.oid) as "Result", pg_get_function_arguments(p.oid) as "Arguments" from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${named(given, 'p.proname', 'n.nspname', HIDDEN)} order by 1, 2`,
  ),
  list(
    'du',
    '[PATTERN]',
    'database users and their attributes',
    'List of roles',
    given =>
      `select r.rolname as "Role", concat_ws(', ', case when r.rolsuper then 'Superuser' end, case when r.rolcreaterole then 'Create role' end, case when r.rolcreatedb then 'Create DB' end, case when not r.rolcanlogin then 'Cannot login' end, case when r.rolreplication then 'Replication' end) as "Attributes" from pg_roles r where ${named(given, 'r.rolname', 'r.rolname', "r.rolname !~ '^pg_'")} order by 1`,
  ),
  list(
    'l',
    '[PATTERN]',
    'databases of the server',
    'List of databases',
    given =>
      `select d.datname as "Name", pg_get_userbyid(d.datdba) as "Owner", pg_encoding_to_char(d.encoding) as "Encoding" from pg_database d where ${named(given, 'd.datname', 'd.datname', 'not d.datistemplate')} order by 1`,
  ),
];
