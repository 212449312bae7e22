// Locks for every door: listing them, making and taking one away, and what follows at once.
import { randomUUID } from 'node:crypto';
import type { Verb } from '../../../contract/acl.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { Failure } from '../../../contract/failure.ts';
import { targetOf } from '../../../contract/lock-words.ts';
import { holds, type Lock, type LockBody } from '../../../contract/locks.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Actor } from '../../ports/who.ts';
import type { MfaDevices, NewResource, OwnedDevice, Resource, Resources, Users } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { newLock, readLock } from './stored.ts';

export interface LockParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'named' | 'create' | 'delete'>;
  readonly users: Pick<Users, 'list'>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly mfaDevices: Pick<MfaDevices, 'owned'>;
  /** Ends all web sessions of a user, by id. */
  readonly endSessions: (userId: string) => Promise<void>;
  /** Ends the web sessions of a trusted device. */
  readonly endSessionsOfDevice: (device: string) => Promise<unknown>;
  readonly clock?: () => Date;
}

export interface Locks {
  /** Those in force, the newest first. Throws Failure denied. */
  list(by: Actor): Promise<readonly Lock[]>;
  /** In force when it resolves. Throws Failure denied. */
  add(body: LockBody, by: Actor): Promise<Lock>;
  /** Devices of the second factor that a lock can name. Throws Failure denied. */
  devices(by: Actor): Promise<readonly OwnedDevice[]>;
  /** Throws Failure denied, not_found. */
  remove(name: string, by: Actor): Promise<void>;
  /** Tells the bus and the audit log, and ends the web sessions of whoever is locked, also for what YAML files change. */
  note(change: 'created' | 'updated' | 'removed', lock: NewResource, by: string): Promise<void>;
}

export function createLocks(parts: LockParts): Locks {
  const { resources, users, mfaDevices, audit, changes, clock = () => new Date() } = parts;

  const note: Locks['note'] = async (change, { name, title, subtype, spec, expires }, by) => {
    changes.emit({ kind: 'lockChanged', lock: name });
    const { target: targets = {}, message = '' } = spec as { target?: Lock['targets']; message?: string };
    await audit.emit({
      code: change === 'removed' ? 'TLK01I' : 'TLK00I',
      name,
      user: by,
      target: `${subtype}: ${title}`,
      ...(message !== '' && { message }),
      ...(expires && { expires: expires.toISOString() }),
    });
    if (change === 'removed') return;
    if (subtype === 'device') {
      await parts.endSessionsOfDevice(title);
      changes.emit({ kind: 'webSessionsEnded' });
      return;
    }
    const locked = subtype === 'mfa_device' ? await mfaDevices.owned([title]) : [];
    // Also those that nobody uses now: they must not come back to life when the lock ends.
    await Promise.all(
      (await users.list()).map(async ({ id, name: user, roles }) => {
        const devices = locked.filter(device => device.user === user).map(device => device.id);
        if (holds({ targets }, { user, roles, mfaDevices: devices })) await parts.endSessions(id);
      }),
    );
  };

  /** With what people call the servers and devices whose ids they name. */
  async function titled(locks: readonly Lock[]): Promise<readonly Lock[]> {
    const named = (kinds: readonly string[]): readonly string[] =>
      locks.map(targetOf).flatMap(([kind, name]) => (kinds.includes(kind) ? [name] : []));
    const [servers, trusted, requests, devices] = await Promise.all([
      resources.named('node', named(['server_id', 'node'])),
      resources.named('device', named(['device'])),
      resources.named('access_request', named(['access_request'])),
      mfaDevices.owned(named(['mfa_device'])),
    ]);
    const titles = new Map([
      ...[...servers, ...trusted, ...requests].map(({ name, title }) => [name, title] as const),
      ...devices.map(({ id, name, user }) => [id, `${name} of ${user}`] as const),
    ]);
    const owners = new Map(devices.map(({ id, user }) => [id, user]));
    return locks.map(lock => {
      const [, name] = targetOf(lock);
      const owner = owners.get(name);
      return { ...lock, title: titles.get(name) ?? lock.title, ...(owner !== undefined && { owner }) };
    });
  }

  return {
    note,
    async list(by) {
      allow(by, 'list');
      const locks = await titled((await allOf(resources, 'lock')).flatMap(row => readLock(row) ?? []));
      return locks.toSorted((first, second) => (first.createdAt < second.createdAt ? 1 : -1));
    },
    async devices(by) {
      allow(by, 'create');
      return mfaDevices.owned(null);
    },
    async add(body, by) {
      allow(by, 'create');
      allow(by, 'update');
      const ttlMs = parseDuration(body.ttl);
      const expires = ttlMs ? new Date(clock().getTime() + ttlMs) : null;
      const stored: Resource = await resources.create(newLock(randomUUID(), body, by.user, expires));
      await note('created', stored, by.user);
      const [made] = await titled([readLock(stored) ?? []].flat());
      if (made === undefined) throw new Error(`lock ${stored.name} was not kept`);
      return made;
    },
    async remove(name, by) {
      allow(by, 'delete');
      const lock = await resources.get('lock', name);
      if (lock === null || !(await resources.delete('lock', name)))
        throw new Failure('not_found', `there is no lock "${name}"`);
      await note('removed', lock, by.user);
    },
  };
}

function allow({ rights }: Actor, verb: Verb): void {
  if (rights !== null && !rights.may('lock', verb))
    throw new Failure('denied', `access denied: no role gives you "${verb}" on "lock"`);
}
