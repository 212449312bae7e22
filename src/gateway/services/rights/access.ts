// May she? What may she reach? Who may reach this? Answered for every door from the roles as the store has them now.

import { ruleResourceOf, ruleResources, type Verb } from '../../../contract/acl.ts';
import type { ReplyOf } from '../../../contract/call.ts';
import { DEVICE_MISSING, type DeviceTrustMode, strictestTrust } from '../../../contract/device-trust.ts';
import { Failure } from '../../../contract/failure.ts';
import type { GuardedKind } from '../../../contract/guards.ts';
import {
  type AccessAction,
  type AccessQuestion,
  accessActions,
  type Explanation,
  type Giver,
  type listReached,
  type Reacher,
  type Reachers,
  type Reason,
} from '../../../contract/rights.ts';
import type { ListedPeople, ListRoles } from '../../ports/listed.ts';
import type { RightsUser } from '../../ports/rights.ts';
import type { Actor, Barring } from '../../ports/who.ts';
import type { Resource, Resources, UserRecord, Users } from '../../store/store.ts';
import { makesDatabaseUsers, makesHostUsers } from '../made-users.ts';
import { principalsOf, principalsOn } from './principals.ts';
import { createReasons, type Reasons } from './reasons.ts';
import { createRights } from './rights.ts';
import type { Role } from './role.ts';
import { createRules } from './rules.ts';
import type { RightsSource } from './source.ts';

export interface AccessParts {
  readonly resources: Pick<Resources, 'get' | 'list'>;
  readonly users: Pick<Users, 'get' | 'list'>;
  readonly rights: Pick<RightsSource, 'roles' | 'rightsOf' | 'held'>;
  readonly listed: ListedPeople;
  readonly barring: Barring;
  /** What the whole cluster asks of the machines that people sign in from. */
  readonly mode: DeviceTrustMode;
  /** Whether a user (by id) has enrolled any trusted device. */
  readonly hasDevice: (userId: string) => Promise<boolean>;
}
export interface Access {
  /** Throws Failure denied about others without the right to read users and roles, not_found, bad_request for a name of several. */
  explain(asked: AccessQuestion, by: Actor): Promise<Explanation>;
  /** A page of what a user may reach. Throws Failure denied about others without the right to read users and roles, not_found, bad_request. */
  reachedBy(user: string, query: ReachedQuery, by: Actor): Promise<ReplyOf<typeof listReached>>;
  /** Everybody who may reach something, by name. Throws Failure denied, not_found, bad_request. */
  reaching(action: AccessAction, target: string, by: Actor): Promise<Reachers>;
}
interface ReachedQuery {
  readonly action: AccessAction;
  readonly limit?: number | undefined;
  readonly startKey?: string | undefined;
  readonly offset?: number | undefined;
  readonly search?: string | undefined;
}

/** Rows of a page when nobody says. */
const LIMIT_DEFAULT = 100;

export function createAccess({ resources, users, rights, listed, barring, mode, hasDevice }: AccessParts): Access {
  async function userCalled(name: string): Promise<Reached> {
    const user = await users.get(name);
    if (user === null) throw new Failure('not_found', `user "${name}" not found`);
    return listed.person(user);
  }
  /** By id, else by the only one of that name. */
  async function targetCalled(action: AccessAction, wanted: string): Promise<Resource> {
    const kind = accessActions[action];
    const byId = await resources.get(kind, wanted);
    if (byId) return byId;
    const query = {
      kind: 'call',
      name: 'equals',
      args: [
        { kind: 'field', path: ['name'] },
        { kind: 'literal', value: wanted },
      ],
    } as const;
    const { items } = await resources.list(kind, { limit: 2, query, selection: null, count: false });
    const [only, another] = items;
    if (!only) throw notFound(wanted);
    if (another) throw new Failure('bad_request', `"${wanted}" names several of them: use the id`);
    return only;
  }
  /** The lock that bars somebody, if one does. */
  async function locksOn(user: Reached, subject: Partial<Parameters<Barring>[0]> = {}): Promise<readonly Reason[]> {
    const { options } = await rights.rightsOf(user);
    const text = await barring({ user: user.name, roles: user.roles, ...subject }, options.locking);
    return text === null ? [] : [{ kind: 'locked', role: '', line: 0, column: 0, text }];
  }
  /** That a trusted device is asked for and is not there: of oneself in this session, of others at all. */
  async function deviceReasons(user: Reached, by: Actor): Promise<readonly Reason[]> {
    const { options } = await rights.rightsOf(user);
    if (strictestTrust([mode, options.deviceTrust]) !== 'required') return [];
    const isOwn = user.name === by.user;
    if (isOwn ? by.trustedDevice !== undefined : await hasDevice(user.id)) return [];
    const held = await rights.roles(user.roles);
    const role = held.find(one => one.options.device_trust_mode === 'required')?.name ?? '';
    const asks = role === '' ? 'the cluster' : `role "${role}"`;
    const text = isOwn
      ? `${DEVICE_MISSING} (device_trust_mode of ${asks})`
      : `${user.name} has enrolled no trusted device, and ${asks} asks for one (device_trust_mode).`;
    return [{ kind: 'missing', role, line: 0, column: 0, text }];
  }
  /** Whether rules give a verb on a kind, as the refusal of a command names them. Throws Failure bad_request. */
  async function explainVerb(user: Reached, verb: Verb, kind: string): Promise<Explanation> {
    const resource = ruleResourceOf(kind);
    if (resource === undefined)
      throw new Failure(
        'bad_request',
        `"${kind}" is no kind that rules are about, such as ${ruleResources.slice(0, 5).join(', ')}`,
      );
    const held = await rights.roles(user.roles);
    const locks = await locksOn(user);
    const allowed = locks.length === 0 && createRules(held, user).may(resource, verb);
    const text = `${user.name} may ${allowed ? '' : 'not '}do "${verb}" on ${resource}.`;
    return {
      allowed,
      text,
      reasons: [...locks, ...named(createReasons(held, user).whyVerb(resource, verb), user), ...ruledTraits(user)],
    };
  }

  return {
    async explain({ user: name, action, principal, target: wanted }, by) {
      const reads = readsRights(by, name);
      if (name !== by.user) allow(by, name);
      const user = await userCalled(name);
      if (!isAccess(action)) return explainVerb(user, action, wanted);
      const target = await targetCalled(action, wanted);
      // What somebody's roles do not show them is not there for them.
      if (!reads && by.rights && !by.rights.selects(accessActions[action], target.labels)) throw notFound(wanted);
      const as = principalsOf(action, target);
      const subject = {
        ...(action === 'ssh' && { server: target.name, ...(principal !== undefined && { login: principal }) }),
      };
      // What somebody uses now is known of themselves alone.
      const grants = (name === by.user && by.grants) || [];
      const { why, guards, unprepared } = createReasons(await rights.held(user, grants), user);
      const { strategy } = (await rights.rightsOf(user)).requests;
      const mustAsk = strategy.type !== 'optional' && grants.length === 0;
      const deciding: readonly Reason[] = [
        ...(await locksOn(user, subject)),
        ...(mustAsk ? [mustAskFirst] : []),
        ...(await deviceReasons(user, by)),
        ...named(why(accessActions[action], as, target.labels, principal), user),
      ];
      const allowed = deciding.every(({ kind }) => kind === 'allows');
      const guarded = guardedKinds[action];
      const reasons = [
        ...deciding,
        ...(allowed && guarded ? guards(guarded, target.labels) : []),
        // A database that makes no users may be why nobody is let in; a server's logins are named by roles all the same.
        ...(allowed || action === 'db' ? named(notMade(unprepared, action, target), user) : []),
        ...ruledTraits(user),
      ];
      const used =
        as === null && principal === undefined ? target.title : `${principal ?? 'anything'} on ${target.title}`;
      const what = `${name} may ${allowed ? '' : 'not '}use ${used} (${action}).`;
      return { allowed, text: what, reasons };
    },

    async reachedBy(name, { action, limit = LIMIT_DEFAULT, startKey, offset, search }, by) {
      if (name !== by.user) allow(by, name);
      const user = await userCalled(name);
      const kind = accessActions[action];
      const of = await rights.rightsOf(user);
      const reasons = createReasons(await rights.roles(user.roles), user);
      const { items, ...rest } = await resources.list(kind, {
        limit,
        startKey: startKey ?? '',
        selection: of.selection(kind),
        sort: { field: 'title', descending: false },
        count: true,
        ...(search && { search }),
        ...(offset !== undefined && { offset }),
      });
      return {
        ...rest,
        items: items.map(one => ({
          id: one.name,
          title: one.title,
          principals: [...(principalsOn(name, of, action, one) ?? [])],
          roles: listedGivers(reasons.givers(kind, principalsOf(action, one), one.labels), user),
        })),
      };
    },

    async reaching(action, wanted, by) {
      allow(by, null);
      const target = await targetCalled(action, wanted);
      const all = (await listed.people(await users.list())).filter(({ name }) => readsRights(by, name));
      const byName = new Map(
        (await rights.roles([...new Set(all.flatMap(({ roles }) => roles))])).map(role => [role.name, role]),
      );
      const items = all
        .flatMap(user => reacherOf(user, rolesOf(user, byName), action, target))
        .sort((first, second) => (first.user < second.user ? -1 : 1));
      return { id: target.name, title: target.title, items };
    },
  };

  function reacherOf(user: Reached, held: readonly Role[], action: AccessAction, target: Resource): Reacher[] {
    const principals = principalsOn(user.name, createRights(held, user), action, target);
    if (principals === null) return [];
    const givers = listedGivers(
      createReasons(held, user).givers(accessActions[action], principalsOf(action, target), target.labels),
      user,
    );
    return [{ user: user.name, principals: [...principals], roles: givers }];
  }
}

const mustAskFirst: Reason = {
  ...{ kind: 'demands', role: '', line: 0, column: 0 },
  text: 'Roles ask for an access request that is approved and in use before anything is opened (request_access).',
};
/** What roles ask of a server or database that does not make users. */
function notMade(unprepared: Reasons['unprepared'], action: AccessAction, target: Resource): readonly Reason[] {
  const { title, labels, subtype, spec } = target;
  if (action === 'ssh' && !makesHostUsers(subtype, labels))
    return unprepared('host', `${title} was not prepared to make users: it does nothing there`);
  if (action === 'db' && !makesDatabaseUsers(spec))
    return unprepared('db', `${title} has no admin_user who would make users: it does nothing there`);
  return [];
}
/** Which login rules made the traits that counted. */
function ruledTraits({ signInTraits, signInRules = [] }: Reached): readonly Reason[] {
  if (signInTraits === undefined) return [];
  const which = signInRules.length === 0 ? '' : `: ${signInRules.join(', ')}`;
  const text = `Login rules made the traits that roles speak of${which}.`;
  return [{ kind: 'rules', role: '', line: 0, column: 0, text }];
}
/** Somebody with what access lists give them. */
type Reached = UserRecord & { readonly byLists: ListRoles };
/** The same, each role that somebody has by an access list alone with that list's name. */
const named = (reasons: readonly Reason[], { byLists }: Reached): readonly Reason[] =>
  reasons.map(reason => {
    const list = byLists.get(reason.role);
    return list === undefined
      ? reason
      : { ...reason, text: `${reason.text} It is given by the access list "${list}".` };
  });
const listedGivers = (givers: readonly Giver[], { byLists }: Reached): Giver[] =>
  givers.map(giver => {
    const list = byLists.get(giver.name);
    return list === undefined ? giver : { ...giver, list };
  });

/** What roles guard of what is reached in these ways. */
const guardedKinds: Partial<Record<AccessAction, GuardedKind>> = { db: 'db', kube: 'kube_cluster' };
const isAccess = (action: AccessQuestion['action']): action is AccessAction => Object.hasOwn(accessActions, action);
const rolesOf = ({ roles }: RightsUser, byName: ReadonlyMap<string, Role>): readonly Role[] =>
  [...new Set(roles)].flatMap(name => byName.get(name) ?? []);
const notFound = (wanted: string): Failure => new Failure('not_found', `"${wanted}" was not found`);

/** Whether somebody may know what a user's roles give: roles of all kinds are told, so both rights are needed. */
const readsRights = ({ rights }: Actor, user: string | null): boolean =>
  rights === null ||
  (rights.may('role', 'read') &&
    rights.may('user', 'read', user === null ? undefined : { resource: { name: user, labels: {} } }));

/** Throws Failure denied. */
function allow(by: Actor, user: string | null): void {
  if (!readsRights(by, user)) throw new Failure('denied', 'access denied: it needs the right to read users and roles');
}
