// Users: reading, creating, changing, deleting.
import { randomUUID } from 'node:crypto';
import type { Verb } from '../../../contract/acl.ts';
import { Failure } from '../../../contract/failure.ts';
import { refusedUserName } from '../../../contract/user-name.ts';
import { traitNames, type User, type UserBody } from '../../../contract/users.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Rights, Traits } from '../../ports/rights.ts';
import type { Actor } from '../../ports/who.ts';
import type { Attempts, Resources, Store, UserRecord, Users } from '../../store/store.ts';
import type { LoginRules } from './login-rules.ts';
import type { Sessions } from './web-sessions.ts';

export interface AccountParts {
  readonly users: Users;
  readonly attempts: Pick<Attempts, 'lockedUsers'>;
  readonly alone: Store['alone'];
  readonly resources: Pick<Resources, 'get'>;
  readonly sessions: Pick<Sessions, 'endOf'>;
  readonly loginRules: LoginRules;
  readonly rightsOf: (user: UserRecord) => Promise<Rights>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly clock: () => Date;
}

type UserChange = 'created' | 'updated' | 'removed';

export interface Accounts {
  /** Those that the person may list. */
  list(by: Actor): Promise<readonly User[]>;
  /** Throws Failure not_found, denied. */
  get(name: string, by: Actor): Promise<User>;
  /** Throws Failure exists, denied, bad_request for a name that nobody may have, an unknown role or for both kinds of traits. */
  create(body: UserBody, by: Actor): Promise<User>;
  /** Throws Failure not_found, denied, bad_request; also for whoever came by a connector, and when nobody would be left who can administer the cluster. */
  update(body: UserBody, by: Actor): Promise<User>;
  /** What `update` would do to whoever asks; throws what it would throw, and changes nothing. */
  check(body: UserBody, by: Actor): Promise<{ losesAdministration: boolean }>;
  /** Throws Failure not_found, denied, bad_request for oneself or the last administrator. */
  delete(name: string, by: Actor): Promise<void>;
  /** Keeps a user that was checked already (a new one, or other roles and traits), and tells the audit log and the bus. */
  keep(change: Exclude<UserChange, 'removed'>, user: UserRecord, by: string): Promise<void>;
  /**
   * Throws Failure bad_request unless someone could still edit users and roles after a change. `after` answers a user's rights
   * as they would be then; null means the user would be gone.
   */
  keepAdministrator(after: (user: UserRecord) => Promise<Rights | null>): Promise<void>;
}

const codes = { created: 'T1002I', updated: 'T1003I', removed: 'T1004I' } as const;
const botCodes = { created: 'TB001I', updated: 'TB002I', removed: 'TB003I' } as const;

export function createAccounts(parts: AccountParts): Accounts {
  const { users, resources, sessions, rightsOf, audit, changes } = parts;

  async function existing(name: string): Promise<UserRecord> {
    const user = await users.get(name);
    if (user === null) throw new Failure('not_found', `user "${name}" not found`);
    return user;
  }

  const note = async (change: UserChange, { name, roles, identity, isBot }: UserRecord, by: string): Promise<void> => {
    changes.emit({ kind: change === 'removed' ? 'userRemoved' : 'userChanged', user: name });
    if (isBot) return audit.emit({ code: botCodes[change], user: by, name });
    await audit.emit({
      code: codes[change],
      user: by,
      name,
      // The second part of `kind/connector/subject`.
      ...(change !== 'removed' && { roles, connector: identity?.split('/')[1] ?? 'local' }),
    });
  };
  /** What login rules make of other traits. Where one fails, whoever is signed in must sign in again, and is told there. */
  async function ruled(user: UserRecord): Promise<void> {
    try {
      const { traits, applied } = await parts.loginRules.apply(user);
      await users.signedIn(user.id, null, traits ? { traits, rules: applied } : null);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await users.signedIn(user.id, null, { traits: {}, rules: [] });
      await sessions.endOf(user.id);
    }
  }
  const keep: Accounts['keep'] = async (change, user, by) => {
    await (change === 'created' ? users.create(user) : users.update(user));
    if (change === 'updated') await ruled(user);
    await note(change, user, by);
  };

  async function checkRoles(roles: readonly string[]): Promise<void> {
    for (const role of new Set(roles)) {
      if ((await resources.get('role', role)) !== null) continue;
      throw new Failure('bad_request', `role "${role}" is not known`, { roles: `"${role}" is not the name of a role` });
    }
  }

  async function keepAdministrator(after: (user: UserRecord) => Promise<Rights | null>): Promise<void> {
    let anyBefore = false;
    for (const user of await users.list()) {
      // Whoever comes by a connector is gone with their session, and a bot is nobody who could be asked.
      if (user.identity !== undefined || user.isBot) continue;
      const then = await after(user);
      if (then && administers(then)) return;
      anyBefore ||= administers(await rightsOf(user));
    }
    // A cluster that already has no administrator (a damaged one) must not be made unchangeable on top of that.
    if (!anyBefore) return;
    throw new Failure('bad_request', 'this would leave nobody who can edit users and roles');
  }

  /** A user before and after a change, which is checked. */
  async function changed(body: UserBody, by: Actor): Promise<Readonly<Record<'before' | 'after', UserRecord>>> {
    allow(by, 'update', body.name);
    const before = await existing(body.name);
    if (before.identity !== undefined)
      throw new Failure(
        'bad_request',
        `${before.name} comes by ${before.identity.split('/', 2).join(' connector ')}, which gives roles and traits at each sign-in: change its rules`,
      );
    await checkRoles(body.roles);
    const after: UserRecord = { ...before, roles: [...new Set(body.roles)], traits: traitsOf(body, before.traits) };
    await keepAdministrator(other => rightsOf(other.id === after.id ? after : other));
    return { before, after };
  }

  return {
    keep,
    keepAdministrator,
    async list(by) {
      const locked = await parts.attempts.lockedUsers(parts.clock());
      return (await users.list())
        .filter(({ name }) => may(by, 'list', name))
        .map(user => userOnWire(user, 'listed', locked.get(user.name)));
    },
    async get(name, by) {
      allow(by, 'read', name);
      const user = await existing(name);
      return userOnWire(user, 'full', (await parts.attempts.lockedUsers(parts.clock())).get(user.name));
    },

    async create(body, by) {
      allow(by, 'create', body.name);
      const refused = refusedUserName(body.name);
      if (refused !== null) throw new Failure('bad_request', `name: ${refused}`, { name: refused });
      await checkRoles(body.roles);
      const user: UserRecord = {
        id: randomUUID(),
        name: body.name,
        roles: [...new Set(body.roles)],
        traits: traitsOf(body, {}),
        authType: 'local',
        isBot: false,
        created: parts.clock(),
      };
      await keep('created', user, by.user);
      return userOnWire(user, 'full');
    },

    update: (body, by) =>
      parts.alone(async () => {
        const { after } = await changed(body, by);
        await keep('updated', after, by.user);
        return userOnWire(after, 'full');
      }),

    async check(body, by) {
      const { before, after } = await changed(body, by);
      const isOwn = body.name === by.user && administers(await rightsOf(before));
      return { losesAdministration: isOwn && !administers(await rightsOf(after)) };
    },

    delete: (name, by) =>
      parts.alone(async () => {
        allow(by, 'delete', name);
        if (name === by.user) throw new Failure('bad_request', 'one cannot delete oneself');
        const user = await existing(name);
        const { id } = user;
        await keepAdministrator(async other => (other.id === id ? null : rightsOf(other)));
        // The store takes the sessions away with the user, so whoever hears of their end finds the user gone as well.
        if (!(await users.delete(id))) throw new Failure('not_found', `user "${name}" not found`);
        await sessions.endOf(id);
        await note('removed', user, by.user);
      }),
  };
}

/** Whether somebody with these rights can give others theirs: nobody does whom a policy of private keys keeps out. */
export const administers = (rights: Rights): boolean =>
  rights.may('user', 'update') && rights.may('role', 'update') && rights.options.keyPolicy === 'none';

/** New traits of a user: `traits` changes only what it names, `allTraits` replaces all. */
function traitsOf(body: UserBody, before: Traits): Traits {
  if (body.traits && body.allTraits) {
    throw new Failure('bad_request', 'give either traits or allTraits, not both', {
      allTraits: 'not together with traits',
    });
  }
  if (body.allTraits) return withoutEmpty(body.allTraits);
  const next: Record<string, readonly string[]> = { ...before };
  for (const [wire, values] of Object.entries(body.traits ?? {})) {
    const name = traitNames[wire as keyof typeof traitNames];
    if (values) next[name] = [...new Set(values)];
  }
  return withoutEmpty(next);
}

const withoutEmpty = (traits: Traits): Traits =>
  Object.fromEntries(Object.entries(traits).filter(([, values]) => values.length > 0));

/** A user as the wire shows it. Lists leave out `traits`. */
function userOnWire(user: UserRecord, shape: 'full' | 'listed', lockedUntil?: Date): User {
  const allTraits = Object.fromEntries(Object.entries(user.traits).map(([name, values]) => [name, [...values]]));
  const listed: User = {
    name: user.name,
    roles: user.roles.toSorted(),
    authType: user.authType,
    allTraits,
    isBot: user.isBot,
    ...(user.lastSignIn && { lastSignIn: user.lastSignIn.toISOString() }),
    ...(lockedUntil && { lockedUntil: lockedUntil.toISOString() }),
  };
  if (shape === 'listed') return listed;
  const traits = Object.fromEntries(
    Object.entries(traitNames).map(([wire, name]) => [wire, [...(user.traits[name] ?? [])]]),
  );
  return { ...listed, traits };
}

/** Whether the rules give the verb on this very user. */
const may = ({ rights }: Actor, verb: Verb, name: string): boolean =>
  rights === null || rights.may('user', verb, { resource: { name, labels: {} } });

/** Throws Failure denied. */
export function allow(by: Actor, verb: Verb, name: string): void {
  if (!may(by, verb, name)) throw new Failure('denied', `access denied to user "${name}"`);
}
