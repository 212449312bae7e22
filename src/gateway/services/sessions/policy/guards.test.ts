import { expect, test } from 'vitest';
import type { StatementFacts } from '../../../ports/databases.ts';
import type { Guard } from '../../../ports/rights.ts';
import { matchGuards } from './guards.ts';
import { databaseRefusal } from './rules.ts';

const guard = (parts: Partial<Guard>): Guard => ({ role: 'dba', name: 'g', effect: 'block', ...parts });
const facts = (parts: Partial<StatementFacts> = {}): StatementFacts => ({
  kinds: new Set(),
  tables: [],
  columns: new Set(),
  allColumns: false,
  isPlanned: false,
  used: { columns: new Set(), allColumns: false },
  aliases: new Map(),
  functions: new Set(),
  renames: false,
  takesUp: [],
  ...parts,
});
const says = (guards: readonly Guard[], of: readonly StatementFacts[] | null): string | null =>
  matchGuards(guards, of)?.text ?? null;

test('the strictest of the guards that are about a statement is heard, in its own words', () => {
  const warns = guard({ name: 'careful', effect: 'warn', statements: ['write'] });
  const blocks = guard({ name: 'no ddl', statements: ['ddl'], message: 'use migrations' });
  expect(says([warns, blocks], [facts({ kinds: new Set(['write']) })])).toBe(
    'guard "careful" of role dba warns of statements that write',
  );
  expect(says([warns, blocks], [facts({ kinds: new Set(['write', 'ddl']) })])).toBe(
    'guard "no ddl" of role dba blocks changes of tables and other objects: use migrations',
  );
  expect(says([warns, blocks], [facts()])).toBeNull();
});

test('what cannot be read is as the strictest guard says; without guards nothing is said', () => {
  const warns = guard({ effect: 'warn', tables: ['a'] });
  expect(says([warns], null)).toBe('guard "g" of role dba warns of what cannot be looked into');
  expect(says([warns, guard({ columns: ['a.b'] })], null)).toContain('blocks');
  expect(says([], null)).toBeNull();
});

test('all that a guard names must be so of one and the same statement', () => {
  const one = guard({ statements: ['delete_without_where'], tables: ['orders'] });
  const deletes = facts({ kinds: new Set(['delete_without_where']), tables: [{ schema: '', name: 'drafts' }] });
  const reads = facts({ tables: [{ schema: '', name: 'orders' }] });
  expect(says([one], [deletes, reads])).toBeNull();
  expect(says([one], [facts({ ...deletes, tables: reads.tables })])).toContain('delete without where on orders');
});

test.each([
  ['customers', { schema: '', name: 'Customers' }, true],
  ['public.customers', { schema: 'public', name: 'customers' }, true],
  ['public.customers', { schema: '', name: 'customers' }, true],
  ['public.customers', { schema: 'audit', name: 'customers' }, false],
  ['customers', { schema: 'audit', name: 'customers' }, true],
  ['audit.*', { schema: 'audit', name: 'x' }, true],
  ['cust*', { schema: '', name: 'orders' }, false],
] as const)('table %s is %j: %s', (pattern, table, is) => {
  expect(says([guard({ tables: [pattern] })], [facts({ tables: [table] })]) !== null).toBe(is);
});

test('a column counts where its table is named, and where it or every column may be meant', () => {
  const one = guard({ columns: ['public.customers.card'] });
  const tables = [{ schema: '', name: 'customers' }];
  expect(says([one], [facts({ tables, columns: new Set(['card']) })])).not.toBeNull();
  expect(says([one], [facts({ tables, allColumns: true })])).not.toBeNull();
  expect(says([one], [facts({ tables, columns: new Set(['name']) })])).toBeNull();
  expect(says([one], [facts({ tables: [{ schema: '', name: 'cards' }], columns: new Set(['card']) })])).toBeNull();
});

test('a database whose clients cannot be looked into is not reached where a guard would block, and is where guards warn', () => {
  const database = {
    ...{ name: 'books', protocol: 'mysql', uri: '', host: '', port: 3306, serverName: '', type: 'self-hosted' },
    ...{ authorities: null, labels: {}, made: null, rds: null, namesDatabases: true },
  };
  const refusal = (effect: Guard['effect'], protocol: string): string | null =>
    databaseRefusal(
      { principals: () => ['*'], ownDatabaseUser: () => false, guards: () => [guard({ effect })] },
      { database: { ...database, protocol }, dbUser: 'app', dbName: 'x' },
    );
  expect(refusal('block', 'redis')).toBe(
    'Guard "g" of role dba is about books, and what redis clients do cannot be looked into.',
  );
  expect(refusal('warn', 'redis')).toBeNull();
  expect(refusal('block', 'postgres')).toBeNull();
  expect(refusal('block', 'mysql')).toBeNull();
  expect(refusal('mask', 'mysql')).toBeNull();
  expect(refusal('mask', 'redis')).toContain('redis clients do cannot be looked into');
});
