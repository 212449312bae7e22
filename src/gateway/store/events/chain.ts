// The hash chain of the audit log: each row's hash covers the row and the hash before it.
import { hash } from 'node:crypto';
import type { EventRow } from '../tables.ts';

/** What a hash covers: everything that is kept of an event. */
export type Hashed = Pick<EventRow, 'uid' | 'time' | 'type' | 'code' | 'user_name' | 'sid' | 'raw'>;

/** The hash before the first row of a chain. */
export const START_HASH = '0'.repeat(64);

/** SHA-256, hex, over the previous hash, the columns (JSON, one line) and the event's canonical JSON. */
export function linkHash(previous: string, { uid, time, type, code, user_name, sid, raw }: Hashed): string {
  return hash('sha256', `${previous}\n${JSON.stringify([uid, time, type, code, user_name, sid])}\n${raw}`);
}
