// The engine's threads: writes go on while a reader is busy, and no query holds a reader for ever.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Engine } from '../engine.ts';
import { migrations } from '../migrations/list.ts';
import { openSqliteEngine } from './engine.ts';
import { migrateSqlite } from './migrate.ts';

const folders: string[] = [];
const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function open(readMs?: number): Engine {
  const folder = mkdtempSync(join(tmpdir(), 'postern-engine-'));
  folders.push(folder);
  const file = join(folder, 'postern.db');
  migrateSqlite(file, migrations);
  const engine = openSqliteEngine(file, readMs);
  engines.push(engine);
  return engine;
}

const put = (key: string) => CompiledQuery.raw('INSERT INTO settings (key, value) VALUES (?, ?)', [key, '1']);
const keys = CompiledQuery.raw('SELECT key FROM settings ORDER BY key');
const counting = (to: number) =>
  CompiledQuery.raw(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) AS count FROM n',
    [to],
  );

test('a batch is all or nothing, and does not harm what was asked for at the same moment', async () => {
  const engine = open();
  const outcomes = await Promise.allSettled([
    engine.write(put('a')),
    engine.batch([put('b'), put('a')]),
    engine.write(put('c')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { name: 'StoreError', code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } });
  expect(await engine.read(keys)).toEqual([{ key: 'a' }, { key: 'c' }]);
});

test('a long read holds up neither writes nor other reads', async () => {
  const engine = open();
  // All threads have started then.
  await Promise.all([engine.read(keys), engine.read(keys), engine.write(put('z'))]);
  let finished = false;
  const long = engine.read(counting(2_000_000)).finally(() => {
    finished = true;
  });
  await engine.write(put('a'));
  expect(await engine.read(keys)).toEqual([{ key: 'a' }, { key: 'z' }]);
  expect(finished).toBe(false);
  expect(await long).toEqual([{ count: 2_000_000 }]);
});

test('a read that takes too long is given up, and later reads are answered', async () => {
  const engine = open(500);
  await expect(engine.read(counting(20_000_000))).rejects.toMatchObject({
    name: 'Failure',
    code: 'unavailable',
    message: expect.stringContaining('500 ms'),
  });
  await expect.poll(() => engine.read(keys).catch(() => null), { timeout: 20_000 }).toEqual([]);
});

test('readers cannot write', async () => {
  const engine = open();
  await expect(engine.read(put('a'))).rejects.toMatchObject({ name: 'Failure', code: 'unavailable' });
});

test('closing waits for what was asked before', async () => {
  const engine = open();
  engines.splice(0);
  const asked = Promise.all([engine.write(put('a')), engine.read(keys), engine.batch([put('b'), put('c')])]);
  await engine.close();
  expect((await asked)[2]).toHaveLength(2);
  await expect(engine.read(keys)).rejects.toMatchObject({ code: 'CLOSED' });
});
