// The store at size: lists from 100,000 servers, and audit events acknowledged after commit.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { type AuditFileKind, auditFileLine } from '../../src/contract/audit-file.ts';
import type { Who } from '../../src/gateway/ports/who.ts';
import { createAuditAccess } from '../../src/gateway/services/audit/access.ts';
import { createAuditLog } from '../../src/gateway/services/audit/audit.ts';
import { openStore } from '../../src/gateway/store/open.ts';
import type { NewResource, ResourceQuery, Store } from '../../src/gateway/store/store.ts';
import { median, percentile, type Row } from './row.ts';

const SERVERS = 100_000;
const PAGE_ROWS = 50;
const WRITERS = 64;
const EVENTS = 20_000;
const ROUNDS = 15;

const environments = ['prod', 'staging', 'dev'];
const regions = ['eu-west-1', 'us-east-1', 'ap-south-2', 'eu-north-1', 'us-west-2'];
const roles = ['web', 'db', 'cache', 'queue', 'api', 'batch', 'mail', 'proxy', 'search', 'log'];
const pick = (words: readonly string[], index: number): string => words[index % words.length] ?? '';

/** Server number `index`: the same in every run, no order shared between its name, title, labels and address. */
function server(index: number): NewResource {
  const mixed = Math.imul(index + 1, 2654435761) >>> 0;
  const labels = {
    env: pick(environments, mixed),
    region: pick(regions, mixed >>> 8),
    role: pick(roles, mixed >>> 16),
    team: `team-${mixed % 23}`,
  };
  const title = `${labels.role}-${String(index).padStart(6, '0')}.${labels.region}.example.com`;
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}:22`;
  const name = `${mixed.toString(16).padStart(8, '0')}-0000-4000-8000-${String(index).padStart(12, '0')}`;
  return {
    kind: 'node',
    name,
    title,
    description: '',
    address,
    subtype: 'openssh',
    labels,
    words: [],
    spec: { hostKeys: [`ssh-ed25519 ${name.repeat(2)}`] },
    expires: null,
  };
}

const event = (index: number) => {
  const raw = {
    event: 'user.login',
    code: 'T1000I',
    uid: `event-${index}`,
    time: new Date().toISOString(),
    user: `user-${index % 100}`,
    success: true,
    method: 'local',
    cluster_name: 'bench',
    'addr.remote': '10.0.0.1:50000',
  };
  return { uid: raw.uid, time: new Date(), type: raw.event, code: raw.code, user: raw.user, sid: '', raw };
};

const user = { name: 'ann', roles: [], traits: {} };
const everything = { allow: [{ labels: { '*': ['*'] }, expression: null }], deny: [], user };
const oneEnvironment = {
  allow: [{ labels: { env: ['prod'] }, expression: null }],
  deny: [{ labels: { team: ['team-3'] }, expression: null }],
  user,
};

/** What lists are asked for: rare and common words, all sorts, all rights. Each is one measured query; words differ from round to round. */
const queries: ReadonlyArray<(round: number) => Pick<ResourceQuery, 'search' | 'selection' | 'sort'>> = [
  round => ({
    search: `web-${String(round * 37).padStart(4, '0')}`,
    selection: everything,
    sort: { field: 'title', descending: false },
  }),
  round => ({ search: pick(roles, round), selection: everything, sort: { field: 'title', descending: true } }),
  round => ({
    search: `${pick(roles, round)} ${pick(regions, round + 1)}`,
    selection: everything,
    sort: { field: 'address', descending: false },
  }),
  round => ({ search: pick(environments, round), selection: everything, sort: { field: 'name', descending: false } }),
  round => ({ search: `team-${round}`, selection: oneEnvironment, sort: { field: 'title', descending: false } }),
  round => ({ search: `10.1.${round}`, selection: oneEnvironment, sort: { field: 'address', descending: true } }),
  round => ({ search: pick(roles, round), selection: oneEnvironment, sort: { field: 'title', descending: false } }),
];

/** The same questions over a plain table on the main thread: LIKE, sort, count. */
function plainReference(folder: string): () => void {
  const database = new SQLite(join(folder, 'plain.db'));
  database.exec(
    'CREATE TABLE servers (name text PRIMARY KEY, title text, address text, haystack text); CREATE INDEX by_title ON servers (title)',
  );
  const insert = database.prepare('INSERT INTO servers VALUES (?, ?, ?, ?)');
  database.transaction(() => {
    for (let index = 0; index < SERVERS; index++) {
      const { name, title, address, labels } = server(index);
      insert.run(name, title, address, [name, title, address, ...Object.entries(labels).flat()].join('\n'));
    }
  })();
  const page = database.prepare('SELECT * FROM servers WHERE haystack LIKE ? ORDER BY title LIMIT 50');
  const count = database.prepare('SELECT count(*) FROM servers WHERE haystack LIKE ?');
  let round = 0;
  return () => {
    const word = `%${round % 2 === 0 ? pick(roles, round) : `web-${String(round * 37).padStart(4, '0')}`}%`;
    round++;
    page.all(word);
    count.get(word);
  };
}

async function timed(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
const ms = (value: number): string => `${value.toFixed(1)} ms`;

async function benchLists(store: Store, folder: string): Promise<Row> {
  for (let from = 0; from < SERVERS; from += 5000)
    await store.resources.putMany(Array.from({ length: 5000 }, (_, index) => server(from + index)));
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const query of queries)
      taken.push(await timed(() => store.resources.list('node', { limit: PAGE_ROWS, count: true, ...query(round) })));
  const plain = plainReference(folder);
  const reference: number[] = [];
  for (let round = 0; round < ROUNDS; round++) reference.push(await timed(plain));
  return {
    what: 'List page of 50 from 100 000 servers: sort, search, rights, count (p50 / p95)',
    target: '≤ 20 ms (p50)',
    measured: `${ms(median(taken))} / ${ms(percentile(taken, 95))}`,
    reference: `${ms(median(reference))} / ${ms(percentile(reference, 95))} (SQLite on the main thread, LIKE, no rights)`,
  };
}

async function benchEvents(store: Store, folder: string): Promise<Row> {
  let next = 0;
  const writer = async () => {
    for (let index = next++; index < EVENTS; index = next++) await store.events.append(event(index));
  };
  const taken = await timed(() => Promise.all(Array.from({ length: WRITERS }, writer)));
  const database = new SQLite(join(folder, 'events.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    'CREATE TABLE events (seq integer PRIMARY KEY, uid text UNIQUE, time integer, type text, raw text); CREATE INDEX by_time ON events (time, seq)',
  );
  const insert = database.prepare('INSERT INTO events (uid, time, type, raw) VALUES (?, ?, ?, ?)');
  const some = EVENTS / 10;
  const plain = await timed(() => {
    for (let index = 0; index < some; index++) {
      const { uid, time, type, raw } = event(index);
      insert.run(uid, time.getTime(), type, JSON.stringify(raw));
    }
  });
  return {
    what: 'Audit insert acknowledged after commit, 64 writers',
    target: '≥ 5 000/s',
    measured: rate(EVENTS, taken),
    reference: `${rate(some, plain)} (SQLite on the main thread, a commit each, one index, no chain)`,
  };
}

/** Everything that benchEvents has written, as CSV and NDJSON, for somebody who may see all of it. */
async function benchExport(store: Store, folder: string): Promise<Row> {
  const audit = createAuditLog({ events: store.events, users: store.users, clusterName: 'bench' });
  const parts = {
    audit,
    events: store.events,
    running: () => null,
    summary: async () => null,
    text: { find: async () => [], hits: async () => [] },
    clock: () => new Date(),
  };
  const who = { rights: { participants: () => null, may: () => true } } as unknown as Who;
  const all = { from: new Date(0), to: new Date('2100-01-01'), types: [], descending: true };
  const write = async (kind: AuditFileKind): Promise<number> => {
    let bytes = 0;
    const taken = await timed(async () => {
      for await (const events of createAuditAccess(parts).everyEvent(who, all))
        bytes += events.map(one => auditFileLine(one, kind)).join('').length;
    });
    if (bytes === 0) throw new Error('nothing was exported');
    return taken;
  };
  const [ndjson, csv] = [await write('ndjson'), await write('csv')];
  const database = new SQLite(join(folder, 'postern.db'), { readonly: true });
  const plain = await timed(() => {
    const lines = database.prepare('SELECT raw FROM events ORDER BY time DESC, seq DESC').pluck().all() as string[];
    return lines.map(line => `${JSON.stringify(JSON.parse(line))}\n`).join('');
  });
  database.close();
  return {
    what: 'Audit export, NDJSON and CSV',
    target: '≥ 50 000 rows/s',
    measured: `${rate(EVENTS, ndjson)}, ${rate(EVENTS, csv)}`,
    reference: `${rate(EVENTS, plain)} (the same rows read, parsed and written by better-sqlite3 alone)`,
  };
}
const rate = (count: number, taken: number) => `${Math.round((count / taken) * 1000).toLocaleString('en')}/s`;

/** Measures the store in a temporary folder. */
export async function benchStore(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  try {
    const store = await openStore({ kind: 'sqlite', folder });
    const rows = [await benchLists(store, folder), await benchEvents(store, folder), await benchExport(store, folder)];
    await store.close();
    const open = await timed(async () => {
      const again = await openStore({ kind: 'sqlite', folder });
      await again.settings.get('cluster');
      await again.close();
    });
    return [
      ...rows,
      { what: 'Open an existing store, first read, close', target: '', measured: ms(open), reference: '' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
