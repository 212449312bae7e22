// What a set of roles gives one person. Deny beats allow, everywhere.

import { type Acl, type AclEntry, type AclKey, aclFlags, aclKeys, aclResources } from '../../../contract/acl.ts';
import { CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { plainCloudIdentity } from '../../../contract/cloud-applications.ts';
import type { GuardedKind } from '../../../contract/guards.ts';
import { modes } from '../../../contract/live-sessions.ts';
import { anyFits, selectsLabels } from '../../../contract/pattern.ts';
import { decide } from '../../../contract/predicate.ts';
import { refusedText } from '../../../contract/visible-text.ts';
import type {
  LabelledKind,
  PrincipalKey,
  Rights,
  RightsUser,
  Selection,
  SelectorRule,
  Traits,
} from '../../ports/rights.ts';
import { type Filled, fillConditions, fillGuard } from './filled.ts';
import { combineImpersonation } from './impersonation.ts';
import { createKubernetesRights, kubernetesRules } from './kubernetes.ts';
import { combineFlags, combineOptions } from './options.ts';
import { combineRequests } from './requests.ts';
import { combineReviews } from './reviews.ts';
import type { Role, RoleGuard } from './role.ts';
import { createRules } from './rules.ts';
import { listedAs } from './subjects.ts';

type Labels = Readonly<Record<string, string>>;

/** The kind of resource that each key gives principals on. */
const principalKinds = {
  db_users: 'db',
  db_names: 'db',
  db_roles: 'db',
  host_groups: 'node',
  host_sudoers: 'node',
  kubernetes_users: 'kube_cluster',
  kubernetes_groups: 'kube_cluster',
  windows_desktop_logins: 'windows_desktop',
  aws_role_arns: 'app',
  azure_identities: 'app',
  gcp_service_accounts: 'app',
} as const satisfies Record<PrincipalKey, LabelledKind>;

/** Azure tells no case apart: an identity that is denied is denied in each spelling. */
export const plainName = (key: PrincipalKey | 'logins', name: string): string =>
  key === 'azure_identities' ? plainCloudIdentity('azure', name) : name;

/** A login that a host could know: no spaces, slashes or colons, and nothing that a program would take for an option. */
const loginShape = /^[^\s\p{Cc}:/*-][^\s\p{Cc}:/*]{0,254}$/u;
export const isLogin = (text: string): boolean =>
  loginShape.test(text) && refusedText(text) === null && !ownLogins.has(text);
/** Logins of prepared servers by which the gateway itself asks them for something. */
const ownLogins: ReadonlySet<string> = new Set(['postern-audit', 'postern-users']);

/**
 * Works out a person's rights. `roles` are those they hold, read; the order does not matter. `own`: those of them that are theirs for good: what
 * was given for a while lets nobody ask for more, nor review what others ask for.
 */
export function createRights(roles: readonly Role[], user: RightsUser, own: readonly Role[] = roles): Rights {
  const selections = new Map<LabelledKind, Selection>();
  /** The person without what was given for a while. */
  const forGood = { ...user, roles: own.map(({ name }) => name) };
  const { may, conditionsOn, isFree, participants } = createRules(roles, user);
  const filled = { allow: once(() => fillAll('allow')), deny: once(() => fillAll('deny')) };
  const fillAll = (side: 'allow' | 'deny'): readonly (Filled | null)[] =>
    roles.map(role => fillConditions(role[side], user.traits));

  const selection = (kind: LabelledKind): Selection => {
    const known = selections.get(kind);
    if (known) return known;
    const made = {
      allow: filled.allow().flatMap(one => one?.selectors[kind] ?? []),
      deny: filled.deny().flatMap(one => (one === null ? everything : (one.selectors[kind] ?? []))),
      user,
    };
    selections.set(kind, made);
    return made;
  };

  const listing: Rights['listing'] = kind => {
    const labels =
      // Desktop services carry labels, but no key of a role selects by them.
      kind === 'windows_desktop_service' ? { allow: [everything], deny: [], user } : selection(kind);
    const rules = conditionsOn(listedAs[kind], 'list');
    return rules.allow === null && rules.deny.length === 0 ? labels : { ...labels, rules };
  };

  const fires = (rule: SelectorRule, labels: Labels, side: 'allow' | 'deny') =>
    firesOn(rule, labels, side, user.traits);

  const selects = (kind: LabelledKind, labels: Labels): boolean => {
    const { allow, deny } = selection(kind);
    return !deny.some(rule => fires(rule, labels, 'deny')) && allow.some(rule => fires(rule, labels, 'allow'));
  };

  const isOpen = (kind: LabelledKind, labels: Labels): boolean => !roles.some(demandsMore) && selects(kind, labels);
  /** Names that roles deny, on whatever it may be; `*`: all of them. */
  const deniedNames = (key: PrincipalKey | 'logins'): ReadonlySet<string> =>
    new Set(
      filled.deny().flatMap(one => (one === null ? ['*'] : one.principals[key].map(name => plainName(key, name)))),
    );

  /** What the roles' `key` gives on a resource: a role's principals are for the resources that the same role selects. */
  const given = (kind: LabelledKind, key: PrincipalKey | 'logins', labels: Labels): readonly string[] => {
    if (!isOpen(kind, labels)) return [];
    const denied = deniedNames(key);
    if (denied.has('*')) return [];
    const allowed = filled.allow().flatMap(one => {
      const rule = one?.selectors[kind];
      return rule && fires(rule, labels, 'allow') ? one.principals[key] : [];
    });
    return [...new Set(allowed)].filter(name => !denied.has(plainName(key, name)));
  };

  const logins = (labels: Labels): readonly string[] =>
    given('node', 'logins', labels)
      .filter(isLogin)
      .sort((first, second) => (first === 'root' ? -1 : second === 'root' ? 1 : first < second ? -1 : 1));

  const principals: Rights['principals'] = (key, labels) =>
    [...given(principalKinds[key], key, labels)].sort((first, second) => (first < second ? -1 : 1));

  const options = combineOptions(roles);
  const ownDatabaseUser: Rights['ownDatabaseUser'] = labels => {
    if (!options.createDbUser || !isOpen('db', labels)) return false;
    const denied = deniedNames('db_users');
    return !denied.has('*') && !denied.has(user.name);
  };

  const kubernetes: Rights['kubernetes'] = labels => {
    const opens = isOpen('kube_cluster', labels);
    const allowing = roles.filter((_role, index) => {
      const rule = filled.allow()[index]?.selectors.kube_cluster;
      return opens && rule !== undefined && fires(rule, labels, 'allow');
    });
    return createKubernetesRights(
      allowing.flatMap(role => kubernetesRules(role, 'allow')),
      filled.deny().includes(null) ? null : roles.flatMap(role => kubernetesRules(role, 'deny')),
    );
  };

  const joinModes: Rights['joinModes'] = (ownerRoles, kind) => {
    const given = (side: 'allow' | 'deny') =>
      new Set(
        roles.flatMap(role =>
          role[side].joinSessions
            .filter(
              join =>
                join.kinds.includes(kind) &&
                ownerRoles.some(owner => anyFits(join.roles, owner, createBudget(CONDITION_WORK)) ?? side === 'deny'),
            )
            .flatMap(join => join.modes),
        ),
      );
    const denied = given('deny');
    const allowed = given('allow');
    return modes.filter(mode => allowed.has(mode) && !denied.has(mode));
  };

  const joinDemands: Rights['joinDemands'] = kind =>
    roles.flatMap(({ name, allow }) => {
      const policies = allow.requireJoin.filter(({ kinds }) => kinds.includes(kind));
      return policies.length > 0 ? [{ role: name, policies }] : [];
    });

  const guards: Rights['guards'] = (kind, labels) =>
    roles.flatMap(({ name: role, guards }) =>
      guards.filter(guard => isGuarding(guard, kind, labels, user.traits)).map(({ source }) => ({ ...source, role })),
    );

  const joins = roles.some(role =>
    role.allow.joinSessions.some(join => join.roles.length > 0 && join.kinds.length > 0 && join.modes.length > 0),
  );
  const entry = (key: AclKey): AclEntry => {
    const flags = Object.fromEntries(
      Object.entries(aclFlags).map(([flag, verb]) => [flag, may(aclResources[key], verb)]),
    ) as AclEntry;
    // Whoever may join sessions must be able to find them.
    if (key === 'activeSessions' && joins) return { ...flags, list: true, read: true };
    if (key === 'accessList' && user.inLists) return { ...flags, list: true, read: true };
    // Whoever may ask for access can make a request, and whoever may review finds those of others.
    if (key === 'accessRequests') {
      const reviews = combineReviews(own, forGood).any;
      const { anyRoles, searchAsRoles } = combineRequests(own, forGood);
      return {
        ...flags,
        list: flags.list || reviews,
        read: flags.read || reviews,
        edit: flags.edit || reviews,
        create: flags.create || anyRoles || searchAsRoles.length > 0,
      };
    }
    return flags;
  };

  const acl = (): Acl => ({
    ...(Object.fromEntries(aclKeys.map(key => [key, entry(key)])) as Record<AclKey, AclEntry>),
    ...combineFlags(roles),
  });
  const madeAcl = once(acl);
  return {
    get acl() {
      return madeAcl();
    },
    may,
    selection,
    listing,
    isFree,
    participants,
    selects,
    logins,
    principals,
    ownDatabaseUser,
    kubernetes,
    joinModes,
    joinDemands,
    guards,
    get requests() {
      return combineRequests(own, forGood);
    },
    get reviews() {
      return combineReviews(own, forGood);
    },
    get impersonation() {
      return combineImpersonation(own, forGood);
    },
    options,
  };
}

/** Whether a rule selects what has these labels. What cannot be said counts as the safe answer: not allowed, or denied. */
export function firesOn(
  { labels: selector, expression }: SelectorRule,
  labels: Labels,
  side: 'allow' | 'deny',
  traits: Traits,
): boolean {
  const undecided = side === 'deny';
  const budget = createBudget(CONDITION_WORK);
  const answers = [
    ...(selector ? [selectsLabels(selector, labels, budget) ?? undecided] : []),
    ...(expression ? [decide(expression, { labels, user: { spec: { traits } } }, budget) ?? undecided] : []),
  ];
  return answers.length > 0 && (side === 'allow' ? !answers.includes(false) : answers.includes(true));
}

/** Whether a guard is about a resource of this kind with these labels. */
export function isGuarding(guard: RoleGuard, kind: GuardedKind, labels: Labels, traits: Traits): boolean {
  if (guard.kind !== kind) return false;
  const selector = fillGuard(guard, traits);
  return selector === null || firesOn({ labels: selector, expression: null }, labels, 'deny', traits);
}

/**
 * A role may demand more of a session than a sign-in: keys kept in hardware. Nobody can give those here, so such a role opens no session rather
 * than one without.
 */
const demandsMore = (role: Role): boolean => demandOf(role) !== null;

/** Where a role demands it; null: it does not. */
export function demandOf({ options }: Role): readonly string[] | null {
  // Keys that sign in the hardware itself are kept by no browser.
  return typeof options.require_session_mfa === 'string' ? ['spec', 'options', 'require_session_mfa'] : null;
}

/** Denies whatever there is. */
const everything: SelectorRule = { labels: { '*': ['*'] }, expression: null };

/** Makes a value when it is first asked for: most calls ask for one right, not for all. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
