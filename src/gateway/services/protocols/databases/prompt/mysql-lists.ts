// The backslash commands that MySQL and MariaDB answer from their catalogue.
import type { ListCommand } from './engine.ts';

/** A text as a literal, `*` in it standing for anything. */
const like = (pattern: string): string =>
  `'${pattern.replace(/[!%_]/g, '!$&').replaceAll('*', '%').replaceAll('\\', '\\\\').replaceAll("'", "''")}' escape '!'`;
const named = (column: string, argument: string): string =>
  argument === '' ? '' : ` and ${column} like ${like(argument.replaceAll('`', ''))}`;
const tables = (kind: string, argument: string): string =>
  `select table_name as \`Name\`, table_type as \`Type\`, engine as \`Engine\` from information_schema.tables where table_schema = database()${kind}${named('table_name', argument)} order by 1`;
const list = (
  name: string,
  argument: string,
  does: string,
  title: string,
  text: (given: string) => string,
): ListCommand => ({ name, argument, does, statements: given => [{ title, text: text(given) }] });

export const mysqlLists: readonly ListCommand[] = [
  {
    name: 'd',
    argument: '[NAME]',
    does: 'tables and views; or the columns and indexes of one',
    statements: argument =>
      argument === ''
        ? [{ title: 'List of tables', text: tables('', '') }]
        : [
            {
              title: `Columns of ${argument}`,
              text: `select column_name as \`Column\`, column_type as \`Type\`, if(is_nullable = 'NO', 'not null', '') as \`Nullable\`, column_default as \`Default\`, extra as \`Extra\` from information_schema.columns where table_schema = database()${named('table_name', argument)} order by table_name, ordinal_position`,
            },
            {
              title: 'Indexes',
              text: `select index_name as \`Index\`, group_concat(column_name order by seq_in_index) as \`Columns\`, if(non_unique = 0, 'unique', '') as \`Unique\` from information_schema.statistics where table_schema = database()${named('table_name', argument)} group by table_name, index_name, non_unique order by 1`,
            },
          ],
  },
  list('dt', '[PATTERN]', 'tables', 'List of tables', given => tables(" and table_type <> 'VIEW'", given)),
  list('dv', '[PATTERN]', 'views', 'List of views', given => tables(" and table_type = 'VIEW'", given)),
  list('du', '', 'what you may do here', 'Grants', () => 'show grants'),
  list('l', '', 'databases of the server', 'List of databases', () => 'show databases'),
];
