// The two ways to a page, sorting candidates and walking the sort index, answer the same.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBuilder } from '../builder.ts';
import { migrations } from '../migrations/list.ts';
import { openSqliteEngine } from '../sqlite/engine.ts';
import { migrateSqlite } from '../sqlite/migrate.ts';
import { person, serverNamed } from '../store.testing.ts';
import type { ResourceQuery, SortField } from '../store.ts';
import { planList } from './list-plan.ts';
import { type Listed, listSqlite } from './list-sqlite.ts';
import { createResources } from './resources.ts';

const names = ({ rows }: Listed) => rows.map(({ name }) => name);

test('few candidates that are sorted and many that are met on the way give the same pages', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-list-'));
  const file = join(folder, 'postern.db');
  migrateSqlite(file, migrations);
  const engine = openSqliteEngine(file);
  try {
    const builder = createBuilder('sqlite');
    const resources = createResources(engine, builder, () => new Date());
    const server = (index: number) =>
      serverNamed(`n-${(index * 37) % 100}`, {
        title: `web-${index % 7}`,
        labels: { env: index % 3 ? 'prod' : 'dev' },
        words: [`word-${index % 4}`],
      });
    await resources.putMany([
      ...Array.from({ length: 100 }, (_, index) => server(index)),
      serverNamed('web-1', { kind: 'app', labels: { env: 'prod' } }),
    ]);
    const prod = {
      allow: [{ labels: { env: ['prod'] }, expression: null }],
      deny: [
        { labels: null, expression: null },
        { labels: { env: ['d*'] }, expression: null },
      ],
      user: person,
    };
    const sorts = (['name', 'title', 'address'] as readonly SortField[]).flatMap(field =>
      [true, false].map(descending => ({ field, descending })),
    );
    const searches = ['web', 'web-1 word-2', 'word-3 od', ''];
    for (const sort of sorts)
      for (const search of searches)
        for (const selection of [null, prod]) {
          const query: ResourceQuery = { limit: 200, search, selection, sort, count: true };
          const plan = planList('node', query, new Date());
          const sorted = await listSqlite(engine, builder, plan, 1_000_000);
          const walked = await listSqlite(engine, builder, plan, -1);
          expect([names(walked), walked.total]).toEqual([names(sorted), sorted.total]);
          expect(sorted.rows.length).toBe(sorted.total);
          expect(sorted.total).toBeGreaterThan(0);
        }
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
