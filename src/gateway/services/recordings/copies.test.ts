import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCopies } from './copies.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-copies-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Recordings that are there now; an index or a mark alone would show. */
const here = () =>
  readdirSync(folder)
    .filter(name => !name.endsWith('.idx') && !name.endsWith('.stored'))
    .sort();

test('above what they may take, the copies wanted longest ago go; what is wanted now, and what the bucket does not have, stays', async () => {
  const copies = createCopies(folder, 500);
  const make = async (sid: string, usedDaysAgo: number | null): Promise<void> => {
    writeFileSync(join(folder, `${sid}.rec`), Buffer.alloc(80));
    writeFileSync(join(folder, `${sid}.idx`), Buffer.alloc(20));
    if (usedDaysAgo === null) return;
    await copies.mark(sid);
    const used = new Date(Date.now() - usedDaysAgo * 86_400_000);
    utimesSync(join(folder, `${sid}.stored`), used, used);
  };
  await make('unsent', null);
  await make('wanted', 9);
  await make('oldest', 8);
  await make('older', 7);
  await make('young', 1);
  await copies.makeRoom('young');
  expect(here()).toEqual(['older.rec', 'oldest.rec', 'unsent.rec', 'wanted.rec', 'young.rec']);
  await copies.used('wanted');
  await make('new', 0);
  await copies.makeRoom('new');
  await make('newer', 0);
  await copies.makeRoom('newer');
  expect(here()).toEqual(['new.rec', 'newer.rec', 'unsent.rec', 'wanted.rec', 'young.rec']);
  expect(readdirSync(folder)).toHaveLength(4 * 3 + 2);
  expect([await copies.has('unsent'), await copies.has('wanted'), await copies.has('oldest')]).toEqual([
    false,
    true,
    false,
  ]);
});
