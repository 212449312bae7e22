// Locks: whoever or whatever one names is held back at once, until it ends or is taken away.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { parseDuration } from './duration.ts';
import { type LockTarget, lockEnd, lockTargets, targetOf } from './lock-words.ts';
import { clusterParams, name, ok, time } from './shapes.ts';
import { visible } from './visible-text.ts';

const targetName = z.string().check(z.minLength(1, 'not empty'), z.maxLength(255, 'at most 255 characters'), visible);
const targetShape = Object.fromEntries(Object.keys(lockTargets).map(kind => [kind, z.optional(targetName)])) as Record<
  LockTarget,
  z.ZodMiniOptional<typeof targetName>
>;
const ONE = z.refine<object>(
  target => Object.keys(target).length === 1,
  `exactly one of ${Object.keys(lockTargets).join(', ')}`,
);
/** One thing that is locked, by its kind. */
export const lockTarget = z.strictObject(targetShape).check(ONE);

/** What the locked person is told, beside that they are locked. */
export const lockMessage = z.string().check(z.maxLength(1024, 'at most 1024 characters'), visible);

export const lock = z.object({
  name: z.string(),
  message: z.string(),
  /** RFC 3339; empty where it lasts until it is taken away. */
  expires: z.string(),
  createdAt: time,
  createdBy: z.string(),
  targets: z.object(targetShape),
  /** Ours: what people call it whose id is named, a server or a device with its owner; otherwise the name itself. */
  title: z._default(z.string(), ''),
  /** Ours: whose device it names. */
  owner: z.optional(z.string()),
});
export type Lock = z.infer<typeof lock>;

export const lockBody = z.object({
  targets: lockTarget,
  message: z._default(lockMessage, ''),
  /** How long, such as `2h45m`; empty: until it is taken away. */
  ttl: z._default(
    z
      .string()
      .check(z.refine(text => text === '' || (parseDuration(text) ?? 0) > 0, 'a time such as 2h45m, or nothing')),
    '',
  ),
});
export type LockBody = z.infer<typeof lockBody>;

export const listLocks = call('GET', 'sites/:clusterId/locks', {
  summary: 'Locks in force.',
  access: { resource: 'lock', verb: 'list' },
  params: clusterParams,
  reply: z.array(lock),
});
export const createLock = call('PUT', 'sites/:clusterId/locks', {
  summary: 'Lock one thing, at once. Also needs the right to update locks.',
  access: { resource: 'lock', verb: 'create' },
  params: clusterParams,
  body: lockBody,
  reply: lock,
});
export const lockableDevices = call('GET', 'sites/:clusterId/locks/devices', {
  summary: 'Devices of the second factor with whose they are, for whoever locks one; at most 1000.',
  access: { resource: 'lock', verb: 'create' },
  params: clusterParams,
  reply: z.array(z.object({ id: z.string(), name: z.string(), user: z.string() })),
});
export const deleteLock = call('DELETE', 'sites/:clusterId/locks/:name', {
  summary: 'Take a lock away.',
  access: { resource: 'lock', verb: 'delete' },
  params: z.extend(clusterParams, { name }),
  reply: ok,
});

/** Who is held against a lock, as far as it is known. */
export interface LockSubject {
  readonly user: string;
  readonly roles: readonly string[];
  readonly login?: string;
  /** Id of a server. */
  readonly server?: string;
  /** Name of a desktop. */
  readonly desktop?: string;
  /** Ids of devices of the second factor. */
  readonly mfaDevices?: readonly string[];
  /** Id of the trusted device that the web session is of. */
  readonly device?: string | undefined;
  /** Ids of access requests whose rights are used. */
  readonly accessRequests?: readonly string[];
}
/** Whether a subject is what a target of that kind names. */
const shown: Readonly<Record<LockTarget, (subject: LockSubject, name: string) => boolean>> = {
  user: ({ user }, name) => user === name,
  role: ({ roles }, name) => roles.includes(name),
  login: ({ login }, name) => login === name,
  server_id: ({ server }, name) => server === name,
  node: ({ server }, name) => server === name,
  windows_desktop: ({ desktop }, name) => desktop === name,
  mfa_device: ({ mfaDevices = [] }, name) => mfaDevices.includes(name),
  device: ({ device }, name) => device === name,
  access_request: ({ accessRequests = [] }, name) => accessRequests.includes(name),
};
/** Whether a lock, were it in force, would hold somebody back. */
export function holds(lock: Pick<Lock, 'targets'>, subject: LockSubject): boolean {
  const [kind, name] = targetOf(lock);
  return shown[kind](subject, name);
}
/** Whether a lock has not ended yet. */
export const isInForce = ({ expires }: Pick<Lock, 'expires'>, now: Date): boolean =>
  expires === '' || Date.parse(expires) > now.getTime();

/** What whoever is held back is told. */
export function lockedText(held: Pick<Lock, 'targets' | 'message' | 'expires'>): string {
  const [kind, what] = targetOf(held);
  const begin =
    kind === 'user'
      ? 'Your access is locked'
      : kind === 'server_id' || kind === 'node' || kind === 'windows_desktop' || kind === 'device'
        ? `This ${lockTargets[kind]} is locked`
        : `Access with the ${lockTargets[kind]} ${what} is locked`;
  const until = held.expires === '' ? '' : ` until ${lockEnd(held)}`;
  return `${begin}${until}${held.message === '' ? '.' : `: ${held.message}`}`;
}
