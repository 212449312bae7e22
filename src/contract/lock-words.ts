// Locks as people type and read them. Every page has the commands of locks: the calls are fetched when one is run.
import { isCalendarDay } from './calendar-day.ts';
import { parseDuration } from './duration.ts';
import type { Lock } from './locks.ts';

/** What a lock can name, and how a sentence calls it. `server_id` is what `node` was called before. */
export const lockTargets = {
  user: 'user',
  role: 'role',
  login: 'login',
  server_id: 'server',
  node: 'server',
  mfa_device: 'MFA device',
  windows_desktop: 'desktop',
  access_request: 'access request',
  device: 'trusted device',
} as const;
export type LockTarget = keyof typeof lockTargets;

/** The one thing that a lock names: its kind, and its name or id. */
export function targetOf({ targets }: Pick<Lock, 'targets'>): readonly [kind: LockTarget, name: string] {
  const [found] = Object.entries(targets).filter(([, value]) => value !== undefined);
  return (found ?? ['user', '']) as [LockTarget, string];
}

/** "user alice": what is locked, as a sentence calls it. */
export function lockedThing(lock: Pick<Lock, 'targets'> & { readonly title?: string }): string {
  const [kind, name] = targetOf(lock);
  return `${lockTargets[kind]} ${lock.title || name}`;
}

/** `alice`, `role:ops` or `login:root` as what a lock names: a user where no kind is said. A sentence when it is neither. */
export function readLockTarget(typed: string): Lock['targets'] | string {
  const [, kind = 'user', what = ''] = /^(?:([a-z_]+):)?(.*)$/.exec(typed.trim()) ?? [];
  const known = kind === 'server' ? 'server_id' : kind;
  if (!Object.hasOwn(lockTargets, known))
    return `"${kind}" is nothing that can be locked: ${Object.keys(lockTargets).join(', ')}`;
  return what === '' ? 'A lock names somebody or something, such as alice, role:ops or login:root' : { [known]: what };
}
/** `alice,role:ops`: each as readLockTarget reads it; a name that holds a comma stands in quotes. Or the first sentence. */
export function readLockTargets(typed: string): readonly Lock['targets'][] | string {
  const read = (typed.match(/(?:"[^"]*"|[^,"])+/g) ?? ['']).map(one => readLockTarget(one.replaceAll('"', '')));
  return read.find(one => typeof one === 'string') ?? (read as Lock['targets'][]);
}

/** Which lock somebody means: an id as it is, and `alice` or `role:ops` as lockedThing says it. */
export function readLockName(typed: string): string {
  const read = readLockTarget(typed);
  return /^[0-9a-f-]{36}$/.test(typed) || typeof read === 'string' ? typed : lockedThing({ targets: read });
}

/** `2h45m`, or an end such as `2026-12-24` or `2026-12-24T18:00Z` (UTC unless it says where), as the time to live of a lock. Undefined when it is neither, or past. */
export function readLockTime(typed: string, now = Date.now()): string | undefined {
  if ((parseDuration(typed) ?? 0) > 0) return typed;
  const [, day = '', time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(typed) ?? [];
  const seconds = Math.ceil((Date.parse(isCalendarDay(day) ? `${day}T${time}${zone}` : '') - now) / 1000);
  return seconds > 0 && parseDuration(`${seconds}s`) !== undefined ? `${seconds}s` : undefined;
}
export const LOCK_TIME_HINT = 'a time such as 2h45m, or an end to come such as 2026-12-24T18:00Z';

/** When a lock ends, for people. */
export const lockEnd = ({ expires }: Pick<Lock, 'expires'>): string =>
  expires === '' ? '' : `${expires.slice(0, 16).replace('T', ' ')} UTC`;
