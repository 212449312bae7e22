// Makes audit events whole and keeps them: what every event carries is filled in here, and nothing may grow without bound.
import { randomUUIDv7 } from 'node:crypto';
import type { AuditEvent } from '../../../contract/audit.ts';
import { auditCode } from '../../../contract/audit-codes.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { ChainHead, EventQuery, Events, Users } from '../../store/store.ts';
import { fieldsOnBehalf } from './on-behalf.ts';
import { hasIds, missingIds } from './participants.ts';

/** Longest text in an event, characters; most items of a list; deepest nesting; longest event as JSON, characters. */
export const FIELD_MOST_CHARACTERS = 65_536;
const LIST_MOST_ITEMS = 1000;
const NESTING_MOST_LEVELS = 6;
const EVENT_MOST_CHARACTERS = 262_144;
/** Texts are cut to this when an event is too long all the same, characters. */
const SHORT_MOST_CHARACTERS = 512;
/** Sessions whose events are being numbered. Far more than one gateway can hold open. */
const NUMBERED_MOST_SESSIONS = 20_000;

export type { EventQuery };

interface AuditSearch {
  readonly events: readonly AuditEvent[];
  readonly startKey: string;
}
export interface Audit extends AuditLog {
  /** Events as the wire shows them. Throws Failure bad_request for a startKey that is none. */
  search(query: EventQuery): Promise<AuditSearch>;
  readonly count: Events['count'];
  /** Walks the hash chains, which must hold what `anchored` says of earlier times; answers what does not fit, or null. */
  verify(anchored?: readonly ChainHead[]): Promise<string | null>;
}

export interface AuditParts {
  readonly events: Pick<Events, 'append' | 'search' | 'count' | 'verify'>;
  /** Who has a name now. */
  readonly users: Pick<Users, 'named'>;
  readonly clusterName: string;
  readonly clock?: () => Date;
}

/** The audit log over the store's events. `emit` rejects for a code that the catalogue does not know: that is a mistake in the code. */
export function createAuditLog({ events, users, clusterName, clock = () => new Date() }: AuditParts): Audit {
  const numbers = new Map<string, number>();
  let turn: Promise<unknown> = Promise.resolve();
  /** Entries whose ids are not known yet: none may be kept before them. */
  let unasked = 0;
  /** Place of an event within its session, from 0. */
  const numberOf = (sid: string): number => {
    const number = numbers.get(sid) ?? 0;
    numbers.delete(sid);
    numbers.set(sid, number + 1);
    const [oldest] = numbers.keys();
    if (numbers.size > NUMBERED_MOST_SESSIONS && oldest !== undefined) numbers.delete(oldest);
    return number;
  };
  /** Ids are asked for side by side, and entries kept in the order of the calls. */
  async function asked(ids: Promise<Fields>, keep: (ids: Fields) => Promise<void>): Promise<void> {
    unasked += 1;
    const found = ids.then(
      fields => () => fields,
      (error: unknown) => () => {
        throw error;
      },
    );
    const mine = turn.then(async () => {
      try {
        // Not waited for here: the next one goes along with it.
        return { kept: keep((await found)()) };
      } finally {
        unasked -= 1;
      }
    });
    turn = mine.catch(() => undefined);
    await (await mine).kept;
  }
  return {
    async emit(entry, mayWait = false) {
      const code = auditCode(entry.code);
      if (!code) throw new Error(`audit code ${entry.code} is not in the catalogue`);
      const time = clock();
      const behalf = fieldsOnBehalf(entry);
      const keep = (ids: Fields): Promise<void> => {
        const fields = bounded({ ...behalf, ...ids, ...entry });
        const sid = typeof fields.sid === 'string' ? fields.sid : '';
        const user = typeof fields.user === 'string' ? fields.user : '';
        // They go up with time: what is written together stands together in their index, which else cost most of a row.
        const uid = randomUUIDv7();
        const raw = {
          ...fields,
          // A session of an earlier process goes on counting where that one ended: whoever tells its end says where.
          ei: sid === '' ? 0 : typeof fields.ei === 'number' ? fields.ei : numberOf(sid),
          event: code.event,
          uid,
          code: entry.code,
          time: time.toISOString(),
          cluster_name: clusterName,
        };
        return events.append({ uid, time, type: code.event, code: entry.code, user, sid, raw }, mayWait);
      };
      if (unasked === 0 && hasIds(entry)) return keep({});
      return asked(missingIds(users, entry, time), keep);
    },
    async verify(anchored) {
      const bad = await events.verify(anchored);
      return bad && `event number ${bad.seq}: ${bad.problem}`;
    },
    count: (query, slices) => events.count(query, slices),
    async search(query): Promise<AuditSearch> {
      const found = await events.search(query);
      return {
        events: found.events.map(event => ({
          ...event.raw,
          event: event.type,
          code: event.code,
          time: event.time.toISOString(),
          uid: event.uid,
        })),
        startKey: found.startKey,
      };
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The event without its empty fields, each text and list within bounds; the very one where it is so already. */
function bounded(entry: Fields): Fields {
  const size = { most: 0 };
  const whole = (trim(entry, FIELD_MOST_CHARACTERS, 0, size) ?? {}) as Fields;
  if (size.most <= EVENT_MOST_CHARACTERS || JSON.stringify(whole).length <= EVENT_MOST_CHARACTERS) return whole;
  return { ...(trim(entry, SHORT_MOST_CHARACTERS, 0, size) as Fields), truncated: true };
}

/** What one character takes at most as JSON, and what stands around a value or is a number. */
const CHARACTER_MOST = 6;
const AROUND_MOST = 32;

/** `size.most` grows by what this is at most as JSON, characters. */
function trim(value: unknown, mostCharacters: number, level: number, size: { most: number }): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  size.most += AROUND_MOST;
  if (typeof value === 'string') {
    const kept = value.length > mostCharacters ? `${value.slice(0, mostCharacters).toWellFormed()}…` : value;
    size.most += kept.length * CHARACTER_MOST;
    return kept;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint') {
    const kept = value.toString();
    size.most += kept.length;
    return kept;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value !== 'object' || level >= NESTING_MOST_LEVELS) return undefined;
  if (Array.isArray(value)) {
    const items = value
      .slice(0, LIST_MOST_ITEMS)
      .map(item => trim(item, mostCharacters, level + 1, size))
      .filter(item => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  const names = Object.keys(value).slice(0, LIST_MOST_ITEMS);
  const kept = names.map(name => trim((value as Fields)[name], mostCharacters, level + 1, size));
  if (kept.every(one => one === undefined)) return undefined;
  for (const name of names) size.most += name.length * CHARACTER_MOST;
  const isSame =
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value).every((name, index) => kept[index] === (value as Fields)[name]);
  return isSame
    ? value
    : Object.fromEntries(names.map((name, index) => [name, kept[index]]).filter(([, one]) => one !== undefined));
}
