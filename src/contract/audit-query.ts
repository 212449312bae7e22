// The line that the audit log is searched with, in the console and on the command line:
// `type:user.login -type:resize user:bob since:yesterday until:2h failed`. The gateway filters.
import { type AuditGroup, auditCode, auditCodes } from './audit-codes.ts';
import { isCalendarDay } from './calendar-day.ts';
import { lineValue, partsOf, readLine } from './query-line.ts';

/** A moment as the line names it; days are UTC, as the times in the list are. */
export type Moment =
  | { readonly kind: 'ago'; readonly ms: number }
  /** A whole day, this many days before today. */
  | { readonly kind: 'day'; readonly daysAgo: number }
  /** A whole day, YYYY-MM-DD. */
  | { readonly kind: 'date'; readonly date: string }
  /** ISO 8601, UTC. */
  | { readonly kind: 'time'; readonly time: string };

export interface AuditQuery {
  /** Event types, sorted; none: all of them. */
  readonly types: readonly string[];
  /** Event types that are left out, sorted. */
  readonly except: readonly string[];
  readonly user: string;
  /** Undefined: as the range says. */
  readonly since: Moment | undefined;
  readonly until: Moment | undefined;
  /** Words that must all stand in the event. */
  readonly search: string;
}

/** Every type of the catalogue, with its group and the titles that its codes carry. */
export const auditTypes: ReadonlyMap<string, { readonly group: AuditGroup; readonly titles: readonly string[] }> =
  (() => {
    const found = new Map<string, { group: AuditGroup; titles: string[] }>();
    for (const { event, group, title } of auditCodes.values()) {
      const type = found.get(event);
      if (type === undefined) found.set(event, { group, titles: [title] });
      else type.titles.push(title);
    }
    return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
  })();

/** The keys of the line, with what follows each. */
export const auditKeys = {
  type: { what: 'an event type, such as user.login', about: 'events of this type' },
  '-type': { what: 'an event type, such as resize', about: 'no events of this type' },
  user: { what: 'a user name', about: 'events that this user took part in' },
  since: { what: 'a time, such as 2h, yesterday or 2026-01-31', about: 'from this time on' },
  until: { what: 'a time, such as 2h, yesterday or 2026-01-31', about: 'up to this time' },
} as const;

const DAY_MS = 86_400_000;
const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };
/** Farthest back that a length of time reaches: the log is not longer than a person's patience. */
const AGO_MOST_MS = 3660 * DAY_MS;

/** A time of the line, or null when the text is none. */
export function readMoment(text: string): Moment | null {
  if (text === 'now') return { kind: 'ago', ms: 0 };
  if (text === 'today' || text === 'yesterday') return { kind: 'day', daysAgo: text === 'today' ? 0 : 1 };
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (unit !== undefined) {
    const ms = Number(count) * (unitsMs[unit] ?? Number.NaN);
    return ms > 0 && ms <= AGO_MOST_MS ? { kind: 'ago', ms } : null;
  }
  const [, date, clock] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)Z?)?$/.exec(text) ?? [];
  if (date === undefined || !isCalendarDay(date)) return null;
  const time = new Date(`${date}T${clock ?? '00:00'}Z`);
  if (Number.isNaN(time.getTime())) return null;
  return clock === undefined ? { kind: 'date', date } : { kind: 'time', time: time.toISOString() };
}

/** A moment as the gateway is asked: of a day its first instant, or as the end of a range its last. ISO 8601, UTC. */
export function instantOf(moment: Moment, edge: 'first' | 'last', now: Date): string {
  if (moment.kind === 'time') return moment.time;
  if (moment.kind === 'ago') return new Date(now.getTime() - moment.ms).toISOString();
  const date =
    moment.kind === 'date'
      ? moment.date
      : new Date(now.getTime() - moment.daysAgo * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return `${date}T${edge === 'first' ? '00:00:00.000' : '23:59:59.999'}Z`;
}

/** The range as the line narrows it; a line that only ends earlier than the range begins moves the whole range there. */
export function narrowed(
  range: { readonly from: string; readonly to: string },
  { since, until }: Pick<AuditQuery, 'since' | 'until'>,
  now: Date,
): { readonly from: string; readonly to: string } {
  const to = until === undefined ? (since === undefined ? range.to : now.toISOString()) : instantOf(until, 'last', now);
  if (since !== undefined) return { from: instantOf(since, 'first', now), to };
  if (to > range.from) return { from: range.from, to };
  const length = Date.parse(range.to) - Date.parse(range.from);
  return { from: new Date(Date.parse(to) - length).toISOString(), to };
}

/** Reads the line; a sentence that says what is wrong and what is allowed when something in it cannot be. */
export function readAuditQuery(line: string): AuditQuery | string {
  const types = { type: new Set<string>(), '-type': new Set<string>() };
  const times: { since?: Moment; until?: Moment } = {};
  let user = '';
  const read = readLine(line, auditKeys);
  if (typeof read === 'string') return read;
  for (const { key, value: wanted } of read.parts) {
    if (key === 'type' || key === '-type') {
      const named = typesNamed(wanted);
      if (named.length === 0) return `There is no event type "${wanted}"; ${nearTypes(wanted)}`;
      for (const type of named) types[key].add(type);
    } else if (key === 'user') {
      if (user !== '' && user !== wanted) return 'One user at a time: user: stands here twice';
      user = wanted;
    } else {
      const moment = readMoment(wanted);
      if (moment === null)
        return `${key}:${wanted} is not a time: write 30m, 2h, 7d or 4w back from now, today, yesterday, 2026-01-31 or 2026-01-31T08:00 (UTC)`;
      if (times[key] !== undefined) return `One time each: ${key}: stands here twice`;
      times[key] = moment;
    }
  }
  return {
    types: [...types.type].sort(),
    except: [...types['-type']].sort(),
    user,
    since: times.since,
    until: times.until,
    search: read.words.join(' '),
  };
}

/** A type by its name, by a code, or by how it begins: `session.*`. */
function typesNamed(wanted: string): readonly string[] {
  if (wanted.endsWith('*')) return [...auditTypes.keys()].filter(type => type.startsWith(wanted.slice(0, -1)));
  if (auditTypes.has(wanted)) return [wanted];
  const code = auditCode(wanted.toUpperCase());
  return code === undefined ? [] : [code.event];
}

function nearTypes(wanted: string): string {
  const word = wanted.toLowerCase();
  const near = [...auditTypes.keys()]
    .filter(type => type.includes(word))
    // Those that have it as a whole part come first: user.login before login_rule.create.
    .sort((one, other) => Number(other.split('.').includes(word)) - Number(one.split('.').includes(word)))
    .slice(0, 5);
  return near.length > 0
    ? `did you mean ${near.join(', ')}?`
    : 'such as user.login, session.start or role.created; session.* takes all that begin so';
}

export const hasPart = (line: string, part: string): boolean => partsOf(line).includes(part);

/** The line with a part added, or taken out when it is there. Another user replaces the one before. */
export function toggledPart(line: string, part: string): string {
  const before = partsOf(line);
  if (hasPart(line, part)) return before.filter(one => one !== part).join(' ');
  const kept = part.startsWith('user:') ? before.filter(one => !one.startsWith('user:')) : before;
  return [...kept, part].join(' ');
}

/** The line with other times: from the one to the other, ISO 8601, to the second. */
export const withTimes = (line: string, from: string, to: string): string =>
  [
    ...partsOf(line).filter(part => !/^(since|until):/.test(part)),
    `since:${from.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}`,
    `until:${to.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}`,
  ].join(' ');

/** `user:` with a name, quoted where it needs it. */
export const userPart = (name: string): string => `user:${lineValue(name)}`;
