import { expect, test } from 'vitest';
import { readFacts } from './read-facts.ts';

/** Kinds, tables and columns in one line; `+`: columns that are not named, too. */
function said(text: string): string {
  const facts = readFacts(text);
  if (!facts) return 'opaque';
  return facts
    .map(({ kinds, tables, columns, allColumns }) =>
      [
        [...kinds].sort().join(' '),
        tables
          .map(({ schema, name }) => (schema ? `${schema}.${name}` : name))
          .sort()
          .join(' '),
        [...columns].sort().join(' ') + (allColumns ? '+' : ''),
      ].join('|'),
    )
    .join(' ; ');
}

test.each([
  ['select id from orders', '|orders|id'],
  ['table a.b', '|a.b|+'],
  ['select count(*) from t', '|t|'],
  ['update t set a = 1', 'update_without_where write|t|a'],
  ['update t set a = 1 where true or 1 = $1', 'update_without_where write|t|a'],
  ['update t set a = 1 where b = 1', 'write|t|a b'],
  ['delete from only s.t', 'delete_without_where write|s.t|'],
  ['delete from t where current of c', 'write|t|'],
  ['delete from t where exists (select from u where u.x = 1)', 'write|t u|u x'],
  ['with gone as (delete from t returning id) select * from gone', 'delete_without_where write|gone t|id+'],
  ['begin; delete from t; commit', '|| ; delete_without_where write|t| ; ||'],
  ['insert into t values (1)', 'write|t|+'],
  ['insert into t (a) values (1)', 'write|t|a'],
  ['merge into t using s on t.a = s.b when matched then delete', 'write|s t|a b s t'],
  ['prepare p as delete from t', 'delete_without_where write|t|'],
  ['declare c cursor for select a from t', '|t|a'],
  ['explain delete from t', '|t|'],
  ['explain (analyze) delete from t', 'delete_without_where write|t|'],
  ['select a into u from t', 'ddl|t u|a'],
  ['select 1 union select a from t', '|t|a'],
  ['create table u as select * from t', 'ddl|t u|+'],
  ['truncate t', 'ddl write|t|'],
  ['drop table s.t', 'ddl|s s.t|'],
  ['alter table t drop column a', 'ddl|t|'],
  ['create view v as select a from t', 'ddl|t v|a'],
  ['grant select on t to x', 'grant|t|'],
  ['create user x', 'grant||'],
  ["copy t to program 'cat'", 'copy copy_program|t|+'],
  ['copy t (a) from stdin', 'copy write|t|a'],
  ['copy (select a from t) to stdout', 'copy|t|a'],
  ['lock table t', '|t|'],
  ['vacuum t', '|t|'],
] as const)('%s: %s', (text, is) => expect(said(text)).toBe(is));

test.each([
  ['select c from customers c', '|customers|c+'],
  ['select row_to_json(customers) from customers', '|customers|customers+'],
  ['select (c).card from customers c', '|customers|c card+'],
  ['select (f(id)).* from customers', '|customers|id+'],
  ['select c.* from customers c', '|customers|c+'],
  ['select b from customers as c (a, b)', '|customers|b+'],
  ['select 1 from customers order by card', '|customers|card'],
  ['select "Card" from U&"cust\\006Fmers"', '|customers|Card'],
  ['select x from (select card as x from customers) s', '|customers|card x'],
] as const)('a column is not hidden by how it is meant: %s', (text, is) => expect(said(text)).toBe(is));

test.each([
  'do $$ begin delete from t; end $$',
  'call p()',
  "create function f() returns int language sql as 'delete from t returning 1'",
  "select query_to_xml('delete from t', true, true, '')",
  "select pg_catalog.table_to_xml('customers', true, true, '')",
  "select * from dblink('', 'delete from t') as x (a int)",
  "select set_config('standard_conforming_strings', 'off', false)",
  'set standard_conforming_strings to off',
  "set names 'SJIS'",
  'select 1; call p()',
])('what it does cannot be told from its words: %s', text => expect(said(text)).toBe('opaque'));
