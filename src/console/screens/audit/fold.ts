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

/** Folds what follows upon itself. `isOpen` says which folds a person has opened: those are followed by their events. */
export function folded(events: readonly AuditEvent[], isOpen: (event: AuditEvent) => boolean): readonly Folded[] {
  const rows: Folded[] = [];
  for (let at = 0; at < events.length; ) {
    const event = events[at] as AuditEvent;
    let end = at + 1;
    if (noise.has(event.event) && typeof event.sid === 'string')
      while (end < events.length && isNoiseOf(events[end] as AuditEvent, event.sid)) end += 1;
    const run = events.slice(at, end);
    if (run.length < FOLDED_LEAST) rows.push(...run.map(one => ({ event: one, events: [] })));
    else {
      // The fold is named by its oldest event, so that it stays open while newer ones come in above.
      rows.push({ event, events: run });
      if (isOpen(foldOf(run))) rows.push(...run.map(one => ({ event: one, events: [] })));
    }
    at = end;
  }
  return rows;
}

/** The event that a fold is known by as long as it only grows at its new end. */
const foldOf = (events: readonly AuditEvent[]): AuditEvent => events.at(-1) as AuditEvent;

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
