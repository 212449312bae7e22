// What a set of roles gives one person. Deny beats allow, everywhere.
import {
  type Acl,
  type AclEntry,
  type AclKey,
  aclFlags,
  aclKeys,
  aclResources,
  type RuleResource,
  type Verb,
} from '../../../contract/acl.ts';
import { CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { modes } from '../../../contract/live-sessions.ts';
import { anyFits, selectsLabels } from '../../../contract/pattern.ts';
import { decide } from '../../../contract/predicate.ts';
import type { LabelledKind, PrincipalKey, Rights, Selection, SelectorRule, Subject, Traits } from '../../ports.ts';
import { type Filled, fillConditions } from './filled.ts';
import { combineFlags, combineOptions } from './options.ts';
import { combineRequests } from './requests.ts';
import type { Role, Rule } from './role.ts';

/** Whose rights they are. */
export interface RightsUser {
  readonly name: string;
  readonly roles: readonly string[];
  readonly traits: Traits;
}

/**
 * Resources that everybody may list and read; the lists hold only what labels allow, so that list pages need no rule of
 * their own. One's own roles may be read too.
 */
const implicit: ReadonlySet<string> = new Set<RuleResource>([
  'node',
  'app_server',
  'app',
  'kube_server',
  'kube_cluster',
  'db_server',
  'db',
  'windows_desktop',
  'windows_desktop_service',
  'remote_cluster',
  'cluster_name',
  'cluster_auth_preference',
  'auth_server',
  'proxy',
]);

/** Names under which rules may speak of a resource, beside its own. */
const otherNames: Readonly<Partial<Record<RuleResource, readonly RuleResource[]>>> = {
  oidc: ['auth_connector'],
  saml: ['auth_connector'],
  github: ['auth_connector'],
  ssh_session: ['session_tracker'],
  session_tracker: ['ssh_session'],
};

type Labels = Readonly<Record<string, string>>;

/** The kind of resource that each key gives principals on. */
const principalKinds = {
  db_users: 'db',
  db_names: 'db',
  db_roles: 'db',
  kubernetes_users: 'kube_cluster',
  kubernetes_groups: 'kube_cluster',
  windows_desktop_logins: 'windows_desktop',
  aws_role_arns: 'app',
} as const satisfies Record<PrincipalKey, LabelledKind>;

/** A login that a host could know: no spaces, slashes or colons, and nothing that a program would take for an option. */
const loginShape = /^[^\s\p{Cc}:/*-][^\s\p{Cc}:/*]{0,254}$/u;

/** Computes a person's rights. `roles` are those they hold, read; the order does not matter. */
export function createRights(roles: readonly Role[], user: RightsUser): Rights {
  const selections = new Map<LabelledKind, Selection>();
  const userScope = { metadata: { name: user.name }, spec: { roles: user.roles, traits: user.traits } };

  const mentions = (rule: Rule, resource: RuleResource, verb: Verb): boolean => {
    const names = [resource, ...(otherNames[resource] ?? []), '*'];
    // Whoever may read something with its secrets may read it without.
    const verbNames = verb === 'readnosecrets' ? [verb, 'read', '*'] : [verb, '*'];
    return rule.resources.some(name => names.includes(name)) && rule.verbs.some(name => verbNames.includes(name));
  };

  /** Whether the rule's condition holds; null when that depends on a subject that has not been given. */
  const condition = (rule: Rule, subject: Subject | undefined): boolean | null => {
    if (!rule.where) return true;
    const participants = subject?.participants;
    const scope = {
      user: userScope,
      ...(subject?.resource && { resource: { metadata: subject.resource } }),
      ...(participants && { session: { participants }, ssh_session: { participants } }),
    };
    return decide(
      rule.where,
      scope,
      createBudget(CONDITION_WORK),
      ([root]) => root !== undefined && Object.hasOwn(scope, root),
    );
  };

  const may = (resource: RuleResource, verb: Verb, subject?: Subject): boolean => {
    // Undecided: without a subject a rule could fit some subject; with one that lacks what the rule asks for, the safe answer counts.
    const undecided = subject === undefined ? { allow: true, deny: false } : { allow: false, deny: true };
    const some = (side: 'allow' | 'deny') =>
      roles.some(role =>
        role[side].rules.some(rule => mentions(rule, resource, verb) && (condition(rule, subject) ?? undecided[side])),
      );
    if (some('deny')) return false;
    if ((verb === 'list' || verb === 'read' || verb === 'readnosecrets') && implicit.has(resource)) return true;
    const name = subject?.resource?.name;
    if (
      resource === 'role' &&
      (verb === 'read' || verb === 'readnosecrets') &&
      name !== undefined &&
      user.roles.includes(name)
    )
      return true;
    return some('allow');
  };

  const filled = { allow: once(() => fillAll('allow')), deny: once(() => fillAll('deny')) };
  const fillAll = (side: 'allow' | 'deny'): readonly (Filled | null)[] =>
    roles.map(role => fillConditions(role[side], user.traits));

  const selection = (kind: LabelledKind): Selection => {
    const known = selections.get(kind);
    if (known) return known;
    const made = {
      allow: filled.allow().flatMap(one => one?.selectors[kind] ?? []),
      deny: filled.deny().flatMap(one => (one === null ? everything : (one.selectors[kind] ?? []))),
      traits: user.traits,
    };
    selections.set(kind, made);
    return made;
  };

  /** Whether a rule selects what has these labels. What cannot be said counts as the safe answer: not allowed, or denied. */
  const fires = ({ labels: selector, expression }: SelectorRule, labels: Labels, side: 'allow' | 'deny'): boolean => {
    const undecided = side === 'deny';
    const budget = createBudget(CONDITION_WORK);
    const answers = [
      ...(selector ? [selectsLabels(selector, labels, budget) ?? undecided] : []),
      ...(expression
        ? [decide(expression, { labels, user: { spec: { traits: user.traits } } }, budget) ?? undecided]
        : []),
    ];
    return answers.length > 0 && (side === 'allow' ? !answers.includes(false) : answers.includes(true));
  };

  const selects = (kind: LabelledKind, labels: Labels): boolean => {
    const { allow, deny } = selection(kind);
    return !deny.some(rule => fires(rule, labels, 'deny')) && allow.some(rule => fires(rule, labels, 'allow'));
  };

  /** What the roles' `key` gives on a resource: a role's principals are for the resources that the same role selects. */
  const given = (kind: LabelledKind, key: PrincipalKey | 'logins', labels: Labels): readonly string[] => {
    if (roles.some(demandsMore) || !selects(kind, labels)) return [];
    const denied = new Set(filled.deny().flatMap(one => (one === null ? ['*'] : one.principals[key])));
    if (denied.has('*')) return [];
    const allowed = filled.allow().flatMap(one => {
      const rule = one?.selectors[kind];
      return rule && fires(rule, labels, 'allow') ? one.principals[key] : [];
    });
    return [...new Set(allowed)].filter(name => !denied.has(name));
  };

  const logins = (labels: Labels): readonly string[] =>
    given('node', 'logins', labels)
      .filter(login => loginShape.test(login))
      .sort((first, second) => (first === 'root' ? -1 : second === 'root' ? 1 : first < second ? -1 : 1));

  const principals: Rights['principals'] = (key, labels) =>
    [...given(principalKinds[key], key, labels)].sort((first, second) => (first < second ? -1 : 1));

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

  const joins = roles.some(role =>
    role.allow.joinSessions.some(join => join.roles.length > 0 && join.kinds.length > 0 && join.modes.length > 0),
  );
  const entry = (key: AclKey): AclEntry => {
    const flags = Object.fromEntries(
      Object.entries(aclFlags).map(([flag, verb]) => [flag, may(aclResources[key], verb)]),
    ) as AclEntry;
    // Whoever may join sessions must be able to find them.
    return key === 'activeSessions' && joins ? { ...flags, list: true, read: true } : flags;
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
    selects,
    logins,
    principals,
    joinModes,
    get requests() {
      return combineRequests(roles, user.roles);
    },
    options: combineOptions(roles),
  };
}

/**
 * A role may demand more of a session than a sign-in: a second factor, a trusted device, a fixed address, others in the room. Nobody can
 * give those here, so such a role opens no session rather than one without.
 */
function demandsMore({ options, allow, version }: Role): boolean {
  const watched =
    version >= 5 &&
    (allow.source.require_session_join ?? []).some(join => join.kinds.includes('ssh') || join.kinds.includes('*'));
  const factor = options.require_session_mfa !== undefined && options.require_session_mfa !== false;
  return watched || factor || options.device_trust_mode === 'required' || options.pin_source_ip === true;
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
