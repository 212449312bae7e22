// An audit event as a row.
import type { StoredEvent } from '../store.ts';
import type { EventRow } from '../tables.ts';
import { mended } from '../text.ts';
import { canonicalJson } from './canonical.ts';
import type { Hashed } from './chain.ts';

/** Names that the log can be asked for: whoever acted, and everyone who took part. */
const PARTICIPANTS_MOST = 1000;

export function toHashed(event: StoredEvent): Hashed {
  return {
    uid: mended(event.uid),
    time: event.time.getTime(),
    type: mended(event.type),
    code: mended(event.code),
    user_name: mended(event.user),
    sid: mended(event.sid),
    raw: canonicalJson(event.raw),
  };
}

export function participantsOf(event: StoredEvent): readonly string[] {
  const { participants } = event.raw;
  const others = Array.isArray(participants) ? participants.filter(item => typeof item === 'string') : [];
  return [...new Set([event.user, ...others].map(mended))].filter(name => name !== '').slice(0, PARTICIPANTS_MOST);
}

export const columns = ['seq', 'uid', 'time', 'type', 'code', 'user_name', 'sid', 'raw'] as const;

export function toEvent(row: Pick<EventRow, Exclude<(typeof columns)[number], 'seq'>>): StoredEvent {
  return {
    uid: row.uid,
    time: new Date(row.time),
    type: row.type,
    code: row.code,
    user: row.user_name,
    sid: row.sid,
    raw: JSON.parse(row.raw) as StoredEvent['raw'],
  };
}
