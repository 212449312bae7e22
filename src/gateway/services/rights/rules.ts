// What rules give: verbs on resources, under conditions. Deny beats allow.
import type { RuleResource, Verb } from '../../../contract/acl.ts';
import { type Budget, CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { decide, type Expression, type Scope, valuesOf } from '../../../contract/predicate.ts';
import type { Rights, RightsUser, Selection, Subject } from '../../ports/rights.ts';
import type { Role, Rule } from './role.ts';
import { askedForEach } from './subjects.ts';

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
  kube_server: ['kube_cluster'],
  kube_cluster: ['kube_server'],
};

/** Whether everybody may, what lists hold being chosen by labels. */
export const isImplicit = (resource: RuleResource, verb: Verb): boolean =>
  (verb === 'list' || verb === 'read' || verb === 'readnosecrets') && implicit.has(resource);

/** A rule that speaks of a verb on a resource: where it stands, and whether the thing itself decides. */
export interface SpokenRule {
  readonly role: Role;
  readonly side: 'allow' | 'deny';
  readonly index: number;
  /** It gives, or denies, as long as nothing is known of the thing. */
  readonly counts: boolean;
  readonly depends: boolean;
}

export interface Rules extends Pick<Rights, 'may' | 'isFree' | 'participants'> {
  /** Conditions on a verb that only the thing itself can decide. */
  conditionsOn(resource: RuleResource, verb: Verb): NonNullable<Selection['rules']>;
  /** All rules about a verb on a resource, in the order of the roles. */
  speaking(resource: RuleResource, verb: Verb): readonly SpokenRule[];
}

export function createRules(roles: readonly Role[], user: RightsUser): Rules {
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

  /** The rule's answer, with what cannot be decided counted as the `side` demands. */
  const gives = (rule: Rule, side: 'allow' | 'deny', resource: RuleResource, subject: Subject | undefined): boolean => {
    const answer = condition(rule, subject);
    if (answer !== null) return answer;
    // Before there is a subject, what will be asked again for each of them bars nobody; else the safe answer counts.
    const later = subject === undefined && rule.where !== null && askedForEach(rule.where, resource);
    return later === (side === 'allow');
  };

  const may = (resource: RuleResource, verb: Verb, subject?: Subject): boolean => {
    const some = (side: 'allow' | 'deny') =>
      roles.some(role =>
        role[side].rules.some(rule => mentions(rule, resource, verb) && gives(rule, side, resource, subject)),
      );
    if (some('deny')) return false;
    if (isImplicit(resource, verb)) return true;
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

  const conditionsOn = (resource: RuleResource, verb: Verb): NonNullable<Selection['rules']> => {
    const open = (side: 'allow' | 'deny') =>
      roles.flatMap(role => role[side].rules.filter(rule => mentions(rule, resource, verb)));
    const undecided = (rules: readonly Rule[]) =>
      rules.flatMap(rule => (rule.where !== null && condition(rule, undefined) === null ? [rule.where] : []));
    const allow = open('allow');
    const deny = open('deny');
    if (deny.some(rule => condition(rule, undefined) === true)) return { allow: [], deny: [] };
    const free = isImplicit(resource, verb) || allow.some(rule => condition(rule, undefined) === true);
    return { allow: free ? null : undecided(allow), deny: undecided(deny) };
  };

  const isFree: Rights['isFree'] = (resource, verb) => {
    const { allow, deny } = conditionsOn(resource, verb);
    return allow === null && deny.length === 0;
  };

  const participants: Rights['participants'] = (resource, verb) => {
    const { allow } = conditionsOn(resource, verb);
    if (allow === null) return null;
    const named = allow.map(where => participantsIn(where, { user: userScope }, createBudget(CONDITION_WORK)));
    return named.includes(null) ? null : [...new Set(named.flatMap(names => names ?? []))];
  };

  const speaking: Rules['speaking'] = (resource, verb) =>
    roles.flatMap(role =>
      (['deny', 'allow'] as const).flatMap(side =>
        role[side].rules.flatMap((rule, index) =>
          mentions(rule, resource, verb)
            ? [
                {
                  role,
                  side,
                  index,
                  counts: gives(rule, side, resource, undefined),
                  depends: condition(rule, undefined) === null,
                },
              ]
            : [],
        ),
      ),
    );

  return { may, isFree, conditionsOn, participants, speaking };
}

/** Names one of whom must take part wherever the condition holds; null when it says no such thing. */
function participantsIn(where: Expression, scope: Scope, budget: Budget): readonly string[] | null {
  switch (where.kind) {
    case 'and':
      return participantsIn(where.left, scope, budget) ?? participantsIn(where.right, scope, budget);
    case 'or': {
      const sides = [participantsIn(where.left, scope, budget), participantsIn(where.right, scope, budget)];
      return sides.includes(null) ? null : sides.flatMap(names => names ?? []);
    }
    case 'call': {
      const [list, name] = where.args;
      const ofSession = list?.kind === 'field' && list.path[0] !== 'user' && list.path.at(-1) === 'participants';
      return where.name === 'contains' && ofSession && name ? valuesOf(name, scope, budget).slice(0, 1) : null;
    }
    default:
      return null;
  }
}
