import { expect, test } from 'vitest';
import { readFacts } from './read-facts.ts';

const names = (text: string, of: 'tables' | 'columns'): string =>
  (readFacts(text) ?? [])
    .flatMap(facts =>
      of === 'columns'
        ? [...facts.columns, ...(facts.allColumns ? ['+'] : [])]
        : facts.tables.map(({ schema, name }) => (schema ? `${schema}.${name}` : name)),
    )
    .join(' ');
const kinds = (text: string): string =>
  readFacts(text)
    ?.map(facts => [...facts.kinds].sort().join(' '))
    .join(';') ?? 'opaque';

test.each([
  ['select id from orders where a = 1', ''],
  ['insert into t values (1)', 'write'],
  ['replace into t (a) values (1)', 'write'],
  ['update t set a = 1', 'update_without_where write'],
  ['update t set a = 1 limit 3', 'update_without_where write'],
  ['update t set a = 1 where b = ? limit 3', 'write'],
  ['delete from t where true or 1 = 1', 'delete_without_where write'],
  ['delete from t where "a"', 'delete_without_where write'],
  ['delete a from a join b on a.x = b.x', 'delete_without_where write'],
  ['DELETE /* where a = 1 */ FROM t -- where a = 1', 'delete_without_where write'],
  ['select 1; delete from t; commit', ';delete_without_where write;'],
  ['explain delete from t', ''],
  ['analyze format=json delete from t', 'delete_without_where write'],
  ['truncate t', 'ddl write'],
  ['create table x as select * from t', 'ddl'],
  ['drop database x', 'ddl'],
  ['alter user x identified by "y"', 'grant'],
  ['grant all on *.* to x', 'grant'],
  ["load data infile '/x' into table t", 'copy write'],
  ["select * from t into outfile '/x'", 'copy'],
  ["select load_file('/etc/passwd')", 'copy'],
  ['set names utf8mb4', ''],
  ['set autocommit = 0', ''],
  ['show tables', ''],
  ['start transaction', ''],
] as const)('%s: %s', (text, is) => expect(kinds(text)).toBe(is));

test.each([
  ['select a.card c from shop.customers a', 'shop.customers'],
  ['select `card` from `cus``t` join (select b from y.u) q on 1', 'cus`t'],
  ['select a from t where b = (select c from u)', 'u'],
  ['with x as (select a from t) select * from x', 't'],
  ['delete t1 from t1, s.t2 where t1.a = t2.a', 's.t2'],
  ['rename table a to b', 'b'],
] as const)('%s is about table %s', (text, table) => expect(names(text, 'tables').split(' ')).toContain(table));

test.each([
  ['select `card` from t', 'card'],
  ['select a from t order by card', 'card'],
  ['select json_arrayagg(t.card) from t', 'card'],
  ['select c\u00e4rd from t', 'card'],
  ['select t.* from t', '+'],
  ['select distinct * from t', '+'],
  ['insert into t values (1)', '+'],
] as const)('%s may touch column %s', (text, column) => expect(names(text, 'columns').split(' ')).toContain(column));

test('a product and a count name no columns', () => {
  expect(names('select count(*), a * 2, (a) * b from t', 'columns')).not.toContain('+');
});

test.each([
  'select 1 /*!50000 union select card from customers */',
  'select /*M! card */ 1',
  'select /*+ set_var(sql_mode = "ansi") */ 1',
  "select 'open",
  'select 1 /* open',
  'call p()',
  "prepare a from 'delete from t'",
  'execute a',
  "execute immediate 'delete from t'",
  'set sql_mode = ansi_quotes',
  'set @@sql_mode = ansi_quotes',
  'set names gbk',
  'set global init_connect = "x"',
  'set statement sql_mode = ansi_quotes for select 1',
  'begin not atomic delete from t; end',
  'create function f() returns int return 1',
  'create trigger x before insert on t for each row delete from u',
  'show tables where exists (select card from customers)',
  'do sleep(1)',
  'handler t open',
  'this is none',
])('what it does cannot be told from its words: %s', text => expect(kinds(text)).toBe('opaque'));
