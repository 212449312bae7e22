// Audit events of a time range, and the list of recordings, which is the audit log's session ends.
import { type AuditEvent, type EventsQuery, searchEvents, searchSessionEvents } from '../../contract/audit.ts';
import { Failure } from '../../contract/failure.ts';
import type { Who } from '../ports.ts';
import { participantsFor } from '../services/audit/participants.ts';
import type { EventQuery } from '../store/store.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Events of a page when the caller does not say. */
const LIMIT_DEFAULT = 500;
/** Most event types one search names: more than the catalogue has. */
const TYPES_MOST = 300;
const SESSION_ENDS = ['session.end', 'windows.desktop.session.end'] as const;
/** Pages read for one answer where conditions leave out most of what they hold. */
const READS_MOST = 20;
/** The time without a range: a month back from now. */
const MONTH_MS = 30 * 24 * 3_600_000;

export function serveAudit(serve: Serve, services: Services): void {
  const { audit, clock } = services;

  /** A page of what the rules let this person see. The log is read on where conditions leave out what was found, up to a bound. */
  async function visible(who: Who, resource: 'event' | 'session', query: EventQuery): ReturnType<typeof audit.search> {
    const names = who.rights.participants(resource, 'list');
    if (names?.length === 0) return { events: [], startKey: '' };
    const asked = { ...query, ...(names && { amongst: names }) };
    const events: AuditEvent[] = [];
    let startKey = query.startKey ?? '';
    for (let read = 0; read < READS_MOST; read++) {
      const page = await audit.search({ ...asked, startKey, limit: query.limit - events.length });
      events.push(...page.events.filter(event => maySee(who, event, 'list', resource)));
      startKey = page.startKey;
      if (startKey === '' || events.length >= query.limit) break;
    }
    return { events, startKey };
  }

  serve(searchEvents, async ({ query }, who) => {
    const types = typesOf(query, query.include === undefined ? 'filter' : 'include');
    const asked = { ...eventQuery(query, types, clock()), except: typesOf(query, 'exclude') };
    const found = await visible(who, 'event', asked);
    return { events: [...found.events], startKey: found.startKey };
  });

  serve(searchSessionEvents, async ({ query }, who) => {
    const found = await visible(who, 'session', eventQuery(query, SESSION_ENDS, clock()));
    return { events: [...found.events], startKey: found.startKey };
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

/** Whether the rules give the verb on this event, or on the recording that it ended. */
export function maySee(
  who: Who,
  event: { readonly [field: string]: unknown },
  verb: 'list' | 'read',
  resource: 'event' | 'session' = 'session',
): boolean {
  return who.rights.may(resource, verb, { participants: participantsFor(who, event) });
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
function timeOf(query: EventsQuery, names: readonly ('from' | 'to' | 'start' | 'end')[]): Date | null {
  const field = names.find(name => query[name] !== undefined);
  const text = field && query[field];
  if (!text) return null;
  const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = new Date(text);
  if (shape && !Number.isNaN(time.getTime())) return time;
  throw new Failure('bad_request', `${field}: must be a time such as 2026-01-31T08:00:00Z`, {
    [field]: 'must be a time such as 2026-01-31T08:00:00Z',
  });
}
