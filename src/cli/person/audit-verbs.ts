// The audit log on the command line: searched, followed as it grows, and written to a file whole.
import { setTimeout as later } from 'node:timers/promises';
import { type AuditEvent, EVENTS_MOST, type EventsQuery, exportEvents, searchEvents } from '../../contract/audit.ts';
import { auditKeys, instantOf, readAuditQuery } from '../../contract/audit-query.ts';
import { describe } from '../../contract/audit-text.ts';
import { parseDuration } from '../../contract/duration.ts';
import { plainJson, plainText } from '../output.ts';
import { SESSION_FLAG } from '../read.ts';
import { table } from '../table.ts';
import { type Flag, type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { open } from './opened.ts';
import { keep } from './tools.ts';

/** How often the log is asked for what is new, ms. */
const TAIL_EVERY_MS = 1000;
/** An event may be written a little after its time: so far back is looked again each time, ms. */
const TAIL_BACK_MS = 10_000;

const FILTERS: readonly Flag[] = [
  { name: '--type', argument: 'TYPES', help: 'Event types, such as session.start,exec; all unless said' },
  { name: '--user', argument: 'NAME', help: 'Only what this person took part in' },
  SESSION_FLAG,
];
const RANGE: readonly Flag[] = [
  {
    name: '--since',
    argument: 'TIME',
    help: 'From this time (RFC 3339), or so long ago, such as 2h; 30 days unless said',
  },
  { name: '--until', argument: 'TIME', help: 'To this time, or so long ago' },
];

/** Throws UsageError. */
function timeOf(typed: Typed, flag: string): string | undefined {
  const text = typed.one(flag);
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  const at = ago === undefined ? Date.parse(text) : Date.now() - ago;
  if (Number.isNaN(at)) throw new UsageError(`${flag}: "${text}": such as 2026-01-31T08:00:00Z or 2h expected`);
  return new Date(at).toISOString();
}
/** What was typed, as the console's filter line reads it; a flag counts before the line. Throws UsageError. */
function queryOf(typed: Typed): EventsQuery {
  const read = readAuditQuery(typed.words.join(' '));
  if (typeof read === 'string') throw new UsageError(read);
  const now = new Date();
  const given = {
    from: timeOf(typed, '--since') ?? (read.since && instantOf(read.since, 'first', now)),
    to: timeOf(typed, '--until') ?? (read.until && instantOf(read.until, 'last', now)),
    include: typed.one('--type') ?? read.types.join(','),
    exclude: read.except.join(','),
    user: typed.one('--user') ?? read.user,
    search: read.search,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
}

const rowOf = (event: AuditEvent): readonly string[] => [event.time, event.event, event.code, describe(event)];
const lineOf = (event: AuditEvent): string => plainJson(event).replace(/\n\s*/g, ' ');

async function search(typed: Typed, { print }: Surface): Promise<number> {
  const limit = typed.one('--limit') ?? '100';
  if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > EVENTS_MOST)
    throw new UsageError(`--limit: "${limit}": a number from 1 to ${EVENTS_MOST} expected`);
  const query = { ...queryOf(typed), limit: Number(limit) };
  const output = typed.one('--output') ?? 'table';
  if (output !== 'table' && output !== 'json') throw new UsageError(`--output: "${output}": json or table expected`);
  const { session, clusterId } = await open(typed);
  const { events, startKey } = await session.call(searchEvents, { params: { clusterId }, query });
  if (output === 'json') print(plainJson(events));
  else if (events.length === 0) print('There are none.');
  else print(table([['Time', 'Type', 'Code', 'What happened'], ...events.map(rowOf)]));
  if (startKey !== '') process.stderr.write(`postern: there are more: give --limit, or use audit export\n`);
  return 0;
}

async function tail(typed: Typed, { print, untilEnded }: Surface): Promise<number> {
  const query = queryOf(typed);
  if (query.to !== undefined) throw new UsageError('until: what comes has no end; use audit search');
  const { session, clusterId } = await open(typed);
  const ended = new AbortController();
  void untilEnded?.().then(() => ended.abort());
  let from = Date.now();
  /** Ids of what was printed and is looked at again. */
  let seen = new Set<string>();
  const first = await session.call(searchEvents, { params: { clusterId }, query: { ...query, limit: 10 } });
  for (let fresh = first.events.toReversed(); ; ) {
    for (const event of fresh) print(typed.has('--json') ? lineOf(event) : rowOf(event).map(plainText).join('  '));
    if (ended.signal.aborted) return 0;
    await later(TAIL_EVERY_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    const range = { from: new Date(from - TAIL_BACK_MS).toISOString(), order: 'asc' as const, limit: EVENTS_MOST };
    const before = new Set([...seen, ...fresh.map(({ uid }) => uid)]);
    const { events } = await session.call(searchEvents, { params: { clusterId }, query: { ...query, ...range } });
    fresh = events.filter(({ uid }) => !before.has(uid));
    seen = new Set(events.map(({ uid }) => uid));
    from = Math.max(from, ...events.map(({ time }) => Date.parse(time)));
  }
}

async function exportVerb(typed: Typed): Promise<number> {
  const format = typed.one('--format') ?? 'ndjson';
  if (format !== 'csv' && format !== 'ndjson') throw new UsageError(`--format: "${format}": csv or ndjson expected`);
  const query = { ...queryOf(typed), format } as const;
  const { session, clusterId } = await open(typed);
  const { body } = await session.file(exportEvents, { params: { clusterId }, query });
  await keep(body ?? new Blob([]).stream(), typed.one('--to'));
  return 0;
}

const keysHelp = async (): Promise<readonly string[]> => [
  'QUERY: words that must all stand in the event, and',
  ...Object.entries(auditKeys).map(([key, { what, about }]) => `  ${`${key}:`.padEnd(8)}${what}: ${about}`),
];

export const auditVerbs: readonly Verb[] = [
  {
    verb: 'audit search',
    words: ['[QUERY…]'],
    more: keysHelp,
    help: 'Searches the audit log as the console does, the newest first',
    flags: [
      ...RANGE,
      { name: '--limit', argument: 'N', help: `Events, at most ${EVENTS_MOST}; 100 unless said` },
      { name: '--output', argument: 'table|json', help: 'How they are written; table unless said' },
      ...FILTERS,
    ],
    run: search,
  },
  {
    verb: 'audit tail',
    words: ['[QUERY…]'],
    more: keysHelp,
    help: 'Prints the last events and then new ones as they come, until it is stopped',
    flags: [{ name: '--json', help: 'A line of JSON for each event' }, ...FILTERS],
    run: tail,
  },
  {
    verb: 'audit export',
    words: ['[QUERY…]'],
    more: keysHelp,
    help: 'Writes all events of a time range, however many',
    flags: [
      ...RANGE,
      { name: '--format', argument: 'csv|ndjson', help: 'ndjson unless said: a line of JSON for each event' },
      { name: '--to', argument: 'FILE', help: 'Where they go; otherwise standard output' },
      ...FILTERS,
    ],
    run: exportVerb,
  },
];
