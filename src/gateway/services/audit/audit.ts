// Makes audit events whole and keeps them: what every event carries is filled in here, and nothing may grow without bound.
import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '../../../contract/audit.ts';
import { auditCode } from '../../../contract/audit-codes.ts';
import type { AuditEntry, AuditLog } from '../../ports.ts';
import type { ChainHead, EventQuery, Events, Users } from '../../store/store.ts';
import { missingIds } from './participants.ts';

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
  /** Place of an event within its session, from 0. */
  const numberOf = (sid: string): number => {
    const number = numbers.get(sid) ?? 0;
    numbers.delete(sid);
    numbers.set(sid, number + 1);
    const [oldest] = numbers.keys();
    if (numbers.size > NUMBERED_MOST_SESSIONS && oldest !== undefined) numbers.delete(oldest);
    return number;
  };
  return {
    async emit(entry: AuditEntry): Promise<void> {
      const code = auditCode(entry.code);
      if (!code) throw new Error(`audit code ${entry.code} is not in the catalogue`);
      const time = clock();
      // Asked for side by side and kept in the order of the calls.
      const ids = missingIds(users, entry, time).then(
        found => () => found,
        (error: unknown) => () => {
          throw error;
        },
      );
      const mine = turn.then(async () => {
        const fields = bounded({ ...(await ids)(), ...entry });
        const sid = typeof fields.sid === 'string' ? fields.sid : '';
        const user = typeof fields.user === 'string' ? fields.user : '';
        const uid = randomUUID();
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
        // Not waited for here: the next one goes along with it.
        return { kept: events.append({ uid, time, type: code.event, code: entry.code, user, sid, raw }) };
      });
      turn = mine.catch(() => undefined);
      await (await mine).kept;
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

/** The event without its empty fields, each text and list within bounds. */
function bounded(entry: Fields): Fields {
  const whole = trim(entry, FIELD_MOST_CHARACTERS, 0) ?? {};
  if (JSON.stringify(whole).length <= EVENT_MOST_CHARACTERS) return whole as Fields;
  return { ...(trim(entry, SHORT_MOST_CHARACTERS, 0) as Fields), truncated: true };
}

function trim(value: unknown, mostCharacters: number, level: number): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'string')
    return value.length > mostCharacters ? `${value.slice(0, mostCharacters).toWellFormed()}…` : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value !== 'object' || level >= NESTING_MOST_LEVELS) return undefined;
  if (Array.isArray(value)) {
    const items = value.slice(0, LIST_MOST_ITEMS).flatMap(item => trim(item, mostCharacters, level + 1) ?? []);
    return items.length > 0 ? items : undefined;
  }
  const fields = Object.entries(value)
    .slice(0, LIST_MOST_ITEMS)
    .flatMap(([name, held]) => {
      const kept = trim(held, mostCharacters, level + 1);
      return kept === undefined ? [] : [[name, kept] as const];
    });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
