// Noise of one session that follows upon itself, such as resizes, is one row with a count until someone opens it.
import type { AuditEvent } from '../../../contract/audit.ts';

/** Types that say little each time they come. */
const noise: ReadonlySet<string> = new Set(['resize', 'session.join', 'session.leave']);
/** Fewer are rows of their own: a person reads them as quickly as a count. */
const FOLDED_LEAST = 3;

/** One event, or several that stand for one another; the newest stands for all. */
export interface Folded {
  readonly event: AuditEvent;
  /** Newest first, with `event`; empty: a row of its own. */
  readonly events: readonly AuditEvent[];
}

const isNoiseOf = (event: AuditEvent, sid: unknown): boolean => noise.has(event.event) && event.sid === sid;

/** Folds what follows upon itself; folds whose ids are in `open` are followed by their events. Null: nothing is folded. */
export function folded(events: readonly AuditEvent[], open: ReadonlySet<string> | null): readonly Folded[] {
  const single = (event: AuditEvent): Folded => ({ event, events: [] });
  if (open === null) return events.map(single);
  const rows: Folded[] = [];
  for (let at = 0; at < events.length; ) {
    const event = events[at] as AuditEvent;
    let end = at + 1;
    if (noise.has(event.event) && typeof event.sid === 'string')
      while (end < events.length && isNoiseOf(events[end] as AuditEvent, event.sid)) end += 1;
    const run = events.slice(at, end);
    if (run.length < FOLDED_LEAST) rows.push(...run.map(single));
    else {
      rows.push({ event, events: run });
      if (open.has(foldId(run))) rows.push(...run.map(single));
    }
    at = end;
  }
  return rows;
}

/** A fold is known by its oldest event, so that it stays open while newer ones come in above. */
export const foldId = (events: readonly AuditEvent[]): string => events.at(-1)?.uid ?? '';

/** `db-3: 12 resizes, 2 rejoins`: what a folded row says. */
export function foldText(events: readonly AuditEvent[]): string {
  const resizes = events.filter(event => event.event === 'resize').length;
  const joins = events.filter(event => event.event === 'session.join').length;
  const leaves = events.length - resizes - joins;
  const counted = [
    [resizes, 'resize'],
    [joins, 'join'],
    [leaves, 'disconnect'],
  ] as const;
  const said = counted
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}${count === 1 ? '' : 's'}`)
    .join(', ');
  const host = events.map(event => event.server_hostname).find(name => typeof name === 'string' && name !== '');
  return host === undefined ? said : `${host}: ${said}`;
}
