// Access requests in words: the console and the command line say them alike.
import type { AccessRequest } from '../contract/access-requests.ts';
import { dateTime, durationText, untilText } from './times.ts';

/** Things of one request that a sentence names. */
const NAMED_MOST = 3;

/** What is asked for: "role dba", "db-3 and db-4", "db-1, db-2, db-3 and 4 more". */
export function requestWords({ roles, resources }: Pick<AccessRequest, 'roles' | 'resources'>): string {
  const names = resources.length > 0 ? resources.map(({ details }) => details.friendlyName) : roles;
  const more = names.length - NAMED_MOST;
  const shown = more > 0 ? [...names.slice(0, NAMED_MOST), `${more} more`] : names;
  const text = shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? '');
  return resources.length > 0 ? text : `${names.length > 1 ? 'roles' : 'role'} ${text}`;
}

/** How it stands, and until when. */
export function requestState(one: AccessRequest, now: Date): string {
  if (one.state === 'DENIED') return 'Denied';
  if (one.isOver) return one.state === 'PENDING' ? `Not reviewed by ${dateTime(one.expires)}` : 'Ended';
  const left = untilText(one.expires, now);
  if (one.state === 'APPROVED') return `${one.isAssumed ? 'In use' : 'Approved'}, ${left} left`;
  return one.mayReview ? `Waits for you, for ${durationText(one.maxDuration)}` : 'Waits for a review';
}

/** What waits for oneself comes first, then what waits, what can be used, and what is over. */
export const requestRank = (one: AccessRequest): number =>
  one.mayReview ? 0 : one.isOver || one.state === 'DENIED' ? 3 : one.isOwn && one.state === 'APPROVED' ? 1 : 2;
