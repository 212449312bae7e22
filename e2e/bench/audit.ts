// The audit log at size: the first page of what its query line asks for, and the timeline over it. The rows are put in past the store, which
// would chain them one by one; what reads them is the store itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { openStore } from '../../src/gateway/store/open.ts';
import type { EventQuery } from '../../src/gateway/store/store.ts';
import { median, percentile, type Row } from './row.ts';

/** Rows of a page. */
const LIMIT = 100;
const ROUNDS = 15;
const SLICES = 60;
const DAYS = 365;
const DAY_MS = 86_400_000;
const END = Date.UTC(2026, 0, 1);

/** A year of `count` events: one in three hundred of a rare type, one in ten thousand of a rare person. */
function fill(file: string, count: number): void {
  const database = new SQLite(file);
  // Nothing here has to outlive the measurement.
  database.pragma('synchronous = OFF');
  const step = (DAYS * DAY_MS) / count;
  database.function('at_of', { deterministic: true }, seq => Math.round(END - (count - Number(seq)) * step));
  database.exec(`
    CREATE TEMP TABLE made AS WITH RECURSIVE numbers(seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM numbers WHERE seq < ${count})
      SELECT seq, at_of(seq) AS time,
        CASE WHEN seq % 300 = 0 THEN 'lock.created' WHEN seq % 3 = 0 THEN 'user.login' WHEN seq % 3 = 1 THEN 'session.start' ELSE 'exec' END AS type,
        CASE WHEN seq % 10000 = 0 THEN 'rare' ELSE 'user-' || (seq % 100) END AS user FROM numbers;
    INSERT INTO events (seq, uid, time, type, code, user_name, sid, raw, chain, position, hash)
      SELECT seq, 'event-' || seq, time, type, 'T1000I', user, '', '{"user":"' || user || '","addr.remote":"10.0.0.1:50000","cluster_name":"bench"}', 'bench', seq, '' FROM made;
    INSERT INTO event_participants (user_name, time, seq) SELECT user, time, seq FROM made ORDER BY user, time, seq;
  `);
  database.close();
}

const range = (days: number) => ({ from: new Date(END - days * DAY_MS), to: new Date(END) });
const queries: readonly Omit<EventQuery, 'limit'>[] = [
  { ...range(DAYS), types: [], descending: true },
  { ...range(7), types: [], descending: true },
  { ...range(DAYS), types: [], descending: false },
  { ...range(DAYS), types: ['lock.created'], descending: true },
  { ...range(DAYS), types: ['user.login', 'lock.created', 'session.start'], descending: true },
  { ...range(DAYS), types: [], participant: 'rare', descending: true },
  { ...range(DAYS), types: ['lock.created'], participant: 'rare', descending: true },
  { ...range(DAYS), types: [], except: ['exec'], descending: true },
];

async function timed(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
const shown = (times: readonly number[]): string =>
  `${median(times).toFixed(1)} / ${percentile(times, 95).toFixed(1)} ms`;

/** Rows of the speed table. `targetMs`: of the middle one. */
export async function benchAudit(count: number, targetMs: number): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  try {
    await (await openStore({ kind: 'sqlite', folder })).close();
    fill(join(folder, 'postern.db'), count);
    const store = await openStore({ kind: 'sqlite', folder });
    const plain = new SQLite(join(folder, 'postern.db'), { readonly: true });
    const statement = plain.prepare(
      'SELECT * FROM events WHERE time BETWEEN ? AND ? ORDER BY time DESC, seq DESC LIMIT 100',
    );
    const pages: number[] = [];
    const timelines: number[] = [];
    const reference: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const query of queries) {
        pages.push(await timed(() => store.events.search({ ...query, limit: LIMIT })));
        timelines.push(await timed(() => store.events.count(query, SLICES)));
        reference.push(await timed(() => statement.all(query.from.getTime(), query.to.getTime())));
      }
    plain.close();
    await store.close();
    const size = `${count / 1_000_000} M events`;
    const beside = `SQLite on the main thread, newest ${LIMIT}: ${shown(reference)}`;
    return [
      {
        what: `audit, ${size}: first page of ${queries.length} indexed queries (p50 / p95)`,
        target: `≤ ${targetMs} ms (p50)`,
        measured: shown(pages),
        reference: beside,
      },
      {
        what: `audit, ${size}: timeline of ${SLICES} slices (p50 / p95)`,
        target: '',
        measured: shown(timelines),
        reference: beside,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
