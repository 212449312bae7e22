// What can be locked, kind by kind, and what has been chosen so far.
import type { MakeCall } from '../../../contract/call.ts';
import { type LockTarget, lockedThing, lockTargets, readLockTarget, targetOf } from '../../../contract/lock-words.ts';
import { type Lock, lockableDevices } from '../../../contract/locks.ts';
import type { Label } from '../../../contract/shapes.ts';
import { wordsFilter } from '../../../contract/words.ts';
import { itemsOf } from '../../../features/items.ts';
import { capital } from '../../../features/thing.ts';

export interface Target {
  readonly kind: LockTarget;
  /** What the lock names: for servers and devices an id. */
  readonly name: string;
  readonly title: string;
  /** What else tells it from others. */
  readonly detail?: string;
  readonly labels?: readonly Label[];
}
/** Kinds that one chooses from a list, or types as logins are. */
export const kinds = [
  'user',
  'role',
  'login',
  'server_id',
  'mfa_device',
  'device',
  'windows_desktop',
  'access_request',
] as const;
export type Kind = (typeof kinds)[number];
export const kindTitle = (kind: Kind): string => capital(lockTargets[kind]);

export const keyOf = ({ kind, name }: Target): string => `${kind}:${name}`;
/** What the lock on it names. */
export const lockedBy = ({ kind, name }: Target): Lock['targets'] => ({ [kind]: name });
/** "user alice": as a sentence calls it. */
export const wordsOf = (target: Target): string => lockedThing({ targets: lockedBy(target), title: target.title });

/** With a target, or without it when it is among them already. */
export const toggled = (targets: readonly Target[], target: Target): readonly Target[] =>
  targets.some(one => keyOf(one) === keyOf(target))
    ? targets.filter(one => keyOf(one) !== keyOf(target))
    : [...targets, target];

/** The target that an address names, such as `?target=user:alice`; `title` where its name is an id. None for anything else. */
export function readTarget({ target = '', title }: Readonly<Record<string, string>>): readonly Target[] {
  const read = readLockTarget(target);
  if (target === '' || typeof read === 'string') return [];
  const [kind, name] = targetOf({ targets: read });
  return kinds.some(one => one === kind) ? [{ kind, name, title: title || name }] : [];
}

/** Part of what there is of one kind. */
interface Found {
  readonly items: readonly Target[];
  /** '' at the end. */
  readonly startKey: string;
}
/** Rows of a page. */
const PAGE_ROWS = 10;
const listed = {
  user: 'user',
  role: 'role',
  server_id: 'server',
  device: 'trustedDevice',
  windows_desktop: 'desktop',
  access_request: 'request',
} as const;

/** What of a kind holds all words of a search, from `startKey` on. Throws ApiError. */
export async function findTargets(
  api: MakeCall,
  clusterId: string,
  kind: Exclude<Kind, 'login'>,
  search: string,
  startKey: string,
): Promise<Found> {
  if (kind === 'mfa_device') {
    const devices = await api(lockableDevices, { params: { clusterId } });
    const items = devices.map(({ id, name, user }) => ({ kind, name: id, title: `${name} of ${user}`, detail: id }));
    return { items: items.filter(holding(search)), startKey: '' };
  }
  const { list, thing, isWhole } = itemsOf(listed[kind]);
  const found = await list(api, { clusterId, search, limit: PAGE_ROWS, startKey });
  const items = found.items.flatMap(item => {
    const made = thing(item);
    if (made === null) return [];
    const { id, title, detail = '', labels = [] } = made;
    return [{ kind, name: id, title, detail, labels }];
  });
  return { items: isWhole ? items.filter(holding(search)) : items, startKey: found.startKey };
}

const holding = (search: string): ((target: Target) => boolean) => {
  const fits = wordsFilter(search);
  return ({ title, detail = '' }) => fits(`${title} ${detail}`);
};
