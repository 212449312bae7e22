// Audit events of a time range, and the list of recordings, which is the audit log's session ends (contract/api.md 6).
import { type EventsQuery, searchEvents, searchSessionEvents } from '../../contract/audit.ts';
import { Failure } from '../../contract/failure.ts';
import type { Who } from '../ports.ts';
import type { EventQuery } from '../store/store.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Events of a page when the caller does not say (contract/api.md 6). */
const LIMIT_DEFAULT = 500;
/** Most event types one search names: more than the catalogue has. */
const TYPES_MOST = 300;
const SESSION_ENDS = ['session.end', 'windows.desktop.session.end'] as const;
/** The time without a range: a month back from now. */
const MONTH_MS = 30 * 24 * 3_600_000;

export function serveAudit(serve: Serve, services: Services): void {
  const { audit, clock } = services;

  serve(searchEvents, async ({ query }) => {
    const types = typesOf(query, query.include === undefined ? 'filter' : 'include');
    const asked = { ...eventQuery(query, types, clock()), except: typesOf(query, 'exclude') };
    const found = await audit.search(asked);
    return { events: [...found.events], startKey: found.startKey };
  });

  serve(searchSessionEvents, async ({ query }, who) => {
    const asked = eventQuery(query, SESSION_ENDS, clock());
    const own = seesOnlyOwn(who) ? { participant: who.user } : {};
    const found = await audit.search({ ...asked, ...own });
    return { events: found.events.filter(event => maySee(who, event, 'list')), startKey: found.startKey };
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

/** Whether recordings of others are out of reach, so that the store need only look for the person's own. */
const seesOnlyOwn = (who: Who): boolean => !who.rights.may('session', 'list', { participants: [] });

/** Whether the rules give the verb on the recording that this event ended. */
export function maySee(who: Who, event: { readonly [field: string]: unknown }, verb: 'list' | 'read'): boolean {
  return who.rights.may('session', verb, { participants: participantsOf(event) });
}

function participantsOf(event: { readonly [field: string]: unknown }): readonly string[] {
  const { participants, user } = event;
  const named = Array.isArray(participants) ? participants.filter(name => typeof name === 'string') : [];
  return typeof user === 'string' && named.length === 0 ? [user] : named;
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
