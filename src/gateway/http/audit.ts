// Audit events of a time range, and the list of recordings, which is the audit log's session ends.
import { Readable } from 'node:stream';
import {
  countEvents,
  createExportLink,
  downloadEvents,
  type EventsQuery,
  exportEvents,
  searchEvents,
  searchRecordedText,
  searchSessionEvents,
} from '../../contract/audit.ts';
import { auditFileHead, auditFileLine, auditFileTypes } from '../../contract/audit-file.ts';
import { isCalendarDay } from '../../contract/calendar-day.ts';
import { Failure } from '../../contract/failure.ts';
import type { EventQuery } from '../services/audit/audit.ts';
import { credentialsOf, type Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Events of a page when the caller does not say. */
const LIMIT_DEFAULT = 500;
/** Slices of a timeline when the caller does not say. */
const SLICES_DEFAULT = 60;
/** Most event types one search names: more than the catalogue has. */
const TYPES_MOST = 300;
/** The time without a range: a month back from now. */
const MONTH_MS = 30 * 24 * 3_600_000;

export function serveAudit(serve: Serve, { auditAccess, recordings, identity, clock }: Services): void {
  const wanted = (query: EventsQuery): EventQuery => ({
    ...eventQuery(query, typesOf(query, query.include === undefined ? 'filter' : 'include'), clock()),
    except: typesOf(query, 'exclude'),
  });
  serve(searchEvents, async ({ query }, who) => {
    const found = await auditAccess.events(who, wanted(query));
    return { events: [...found.events], startKey: found.startKey };
  });

  serve(countEvents, async ({ query }, who) => ({
    slices: [...(await auditAccess.count(who, wanted(query), query.slices ?? SLICES_DEFAULT))],
  }));

  serve(exportEvents, async ({ query, params, reply }, who) => {
    const { format } = query;
    const pages = auditAccess.everyEvent(who, wanted(query));
    async function* file(): AsyncGenerator<string> {
      yield auditFileHead(format);
      for await (const events of pages) yield events.map(event => auditFileLine(event, format)).join('');
    }
    return reply
      .type(auditFileTypes[format])
      .header('content-disposition', `attachment; filename="audit-${params.clusterId}.${format}"`)
      .send(Readable.from(file()));
  });

  serve(createExportLink, async (_asked, who) => ({ token: await identity.downloadLinks.create(who) }));
  serve(downloadEvents, async asked => {
    const who = await identity.downloadLinks.take(asked.params.token, credentialsOf(asked.request));
    const { clusterId } = asked.params;
    const sent = await serve.answer(exportEvents, { ...asked, params: { clusterId }, body: undefined }, who);
    if (sent === null) throw new Failure('denied', 'access denied: no role gives you "list" on "event"');
    return sent;
  });

  serve(searchSessionEvents, async ({ query }, who) => {
    const found = await auditAccess.recordings(who, eventQuery(query, [], clock()));
    return { events: [...found.events], startKey: found.startKey };
  });

  serve(searchRecordedText, async ({ query: { text, limit, startKey, ...times } }, who) => {
    const [from, to] = [timeOf(times, ['from']), timeOf(times, ['to'])];
    const found = await auditAccess.searchText(who, { text, from, to, limit, startKey });
    return { recordings: [...found.recordings], startKey: found.startKey, waiting: recordings.text.waiting() };
  });
}

/** Event types of a list with commas. Throws Failure bad_request for more than there can be. */
function typesOf(query: EventsQuery, field: 'include' | 'filter' | 'exclude'): readonly string[] {
  const types = (query[field] ?? '')
    .split(',')
    .map(type => type.trim())
    .filter(type => type !== '');
  if (types.length > TYPES_MOST)
    throw new Failure('bad_request', `${field}: at most ${TYPES_MOST} event types`, { [field]: 'too many' });
  return types;
}

/** Throws Failure bad_request for times that are none, or in the wrong order. */
function eventQuery(query: EventsQuery, types: readonly string[], now: Date): EventQuery {
  const to = timeOf(query, ['to', 'end']) ?? now;
  const from = timeOf(query, ['from', 'start']) ?? new Date(to.getTime() - MONTH_MS);
  if (from > to) throw new Failure('bad_request', 'from: must not be after to', { from: 'must not be after to' });
  return {
    from,
    to,
    limit: query.limit ?? LIMIT_DEFAULT,
    ...(query.startKey ? { startKey: query.startKey } : {}),
    types,
    descending: query.order !== 'asc',
    ...(query.search ? { search: query.search } : {}),
    ...(query.user ? { participant: query.user } : {}),
  };
}

/** The time that the first of the names gives that is there at all. */
function timeOf(
  query: { readonly [Name in 'from' | 'to' | 'start' | 'end']?: string | undefined },
  names: readonly ('from' | 'to' | 'start' | 'end')[],
): Date | null {
  const field = names.find(name => query[name] !== undefined);
  const text = field && query[field];
  if (!text) return null;
  const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = new Date(text);
  if (shape && isCalendarDay(text.slice(0, 'YYYY-MM-DD'.length)) && !Number.isNaN(time.getTime())) return time;
  throw new Failure('bad_request', `${field}: must be a time such as 2026-01-31T08:00:00Z`, {
    [field]: 'must be a time such as 2026-01-31T08:00:00Z',
  });
}
