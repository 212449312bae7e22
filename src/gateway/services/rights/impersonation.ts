// As whom a person may act: what roles say under `impersonate`. Deny beats allow.
import { CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { anyFits } from '../../../contract/pattern.ts';
import { decide, parsePredicate } from '../../../contract/predicate.ts';
import type { Rights, RightsUser } from '../../ports/rights.ts';
import type { Role } from './role.ts';

/**
 * One entry must allow it whole: the user by name, every role that the user has, and its condition for each of these. A denial fires on
 * the name, or on any one role. What cannot be decided allows nothing, and denies.
 */
export function combineImpersonation(roles: readonly Role[], person: RightsUser): Rights['impersonation'] {
  const entries = (side: 'allow' | 'deny') => roles.flatMap(role => role[side].source.impersonate ?? []);
  const allowed = entries('allow').filter(({ users = [], roles: of = [] }) => users.length > 0 && of.length > 0);
  const denied = entries('deny');
  /** A role that cannot be read denies whatever there is. */
  const isClosed = roles.some(({ deny }) =>
    deny.rules.some(rule => rule.where === null && rule.resources.includes('*') && rule.verbs.includes('*')),
  );
  const fits = (patterns: readonly string[], text: string, undecided: boolean): boolean =>
    anyFits(patterns, text, createBudget(CONDITION_WORK)) ?? undecided;
  const holds = (where: string | undefined, target: RightsUser, role: string, undecided: boolean): boolean => {
    if (where === undefined || where === '') return true;
    const scope = {
      user: { metadata: { name: person.name }, spec: { roles: person.roles, traits: person.traits } },
      impersonate_user: { metadata: { name: target.name }, spec: { roles: target.roles, traits: target.traits } },
      impersonate_role: { metadata: { name: role } },
    };
    const known = ([root]: readonly string[]) => root !== undefined && Object.hasOwn(scope, root);
    return decide(parsePredicate(where, 'where'), scope, createBudget(CONDITION_WORK), known) ?? undecided;
  };
  return {
    any: allowed.length > 0 && !isClosed,
    permits(target) {
      const { roles: held } = target;
      if (isClosed || held.length === 0) return false;
      const isDenied = denied.some(({ users = [], roles: of = [], where }) => {
        const isNamed = fits(users, target.name, true);
        const isAll = users.length === 0 && of.length === 0;
        return held.some(role => (isNamed || isAll || fits(of, role, true)) && holds(where, target, role, true));
      });
      return (
        !isDenied &&
        allowed.some(
          ({ users = [], roles: of = [], where }) =>
            fits(users, target.name, false) &&
            held.every(role => fits(of, role, false) && holds(where, target, role, false)),
        )
      );
    },
  };
}
