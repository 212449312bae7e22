// The time range of audit and recordings: today, seven days, or calendar days of one's own.
import { isCalendarDay } from '../../contract/calendar-day.ts';
import { day } from '../../features/times.ts';

export type Range =
  | { readonly kind: 'today' }
  | { readonly kind: 'week' }
  | { readonly kind: 'custom'; readonly from: string; readonly to: string };

const DAY_MS = 86_400_000;
/** A day that there is, as YYYY-MM-DD: as every time here is written, whatever the browser's own order of day and month. */
export const isDay = (text: string | undefined): text is string => text !== undefined && isCalendarDay(text);

/** Reads `?range=today|week` or `?from=…&to=…`; anything else is the last seven days. */
export function readRange(query: Readonly<Record<string, string>>): Range {
  const { from, to, range } = query;
  if (isDay(from) && isDay(to) && from <= to) return { kind: 'custom', from, to };
  return range === 'today' ? { kind: 'today' } : { kind: 'week' };
}

/** What goes into the URL. */
export function writeRange(range: Range): Readonly<Record<string, string | undefined>> {
  return range.kind === 'custom'
    ? { range: undefined, from: range.from, to: range.to }
    : { range: range.kind === 'today' ? 'today' : undefined, from: undefined, to: undefined };
}

/** First and last moment, as the gateway is asked: days begin and end where the person is. */
export function bounds(range: Range, now: Date): { readonly from: string; readonly to: string } {
  if (range.kind === 'custom') {
    return {
      from: new Date(`${range.from}T00:00:00`).toISOString(),
      to: new Date(`${range.to}T23:59:59.999`).toISOString(),
    };
  }
  const first = range.kind === 'today' ? new Date(`${day(now)}T00:00:00`) : new Date(now.getTime() - 7 * DAY_MS);
  return { from: first.toISOString(), to: now.toISOString() };
}

/** What the picker's button says. */
export const rangeText = (range: Range): string =>
  range.kind === 'today' ? 'Today' : range.kind === 'week' ? '7 days' : `${range.from} – ${range.to}`;
