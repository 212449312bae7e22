// What a person may ask for beyond the roles they have, and whether they must ask before anything else.
import { CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { anyFits } from '../../../contract/pattern.ts';
import type { Rights } from '../../ports/rights.ts';
import type { Role } from './role.ts';

/** From lax to strict: the strictest of several roles counts. */
const strategies = ['optional', 'always', 'reason'] as const;
type RequestField = 'roles' | 'suggested_reviewers' | 'search_as_roles';

export function combineRequests(roles: readonly Role[], held: readonly string[]): Rights['requests'] {
  const said = (side: 'allow' | 'deny', key: RequestField): readonly string[] =>
    roles.flatMap(role => role[side].source.request?.[key] ?? []);
  const given = (key: 'suggested_reviewers' | 'search_as_roles'): readonly string[] => {
    const denied = new Set(said('deny', key));
    return [...new Set(said('allow', key))].filter(name => !denied.has(name)).sort();
  };
  const allowed = said('allow', 'roles');
  const denied = said('deny', 'roles');
  const strictest = Math.max(
    0,
    ...roles.map(({ options }) => strategies.indexOf(options.request_access || 'optional')),
  );
  const prompts = roles.flatMap(({ options }) => options.request_prompt || []);
  return {
    strategy: { type: strategies[strictest] ?? 'optional', prompt: [...new Set(prompts)].join('\n') },
    anyRoles: allowed.length > 0,
    roles: names =>
      names.filter(
        name =>
          !held.includes(name) &&
          // What cannot be said is not given, and refused.
          anyFits(allowed, name, createBudget(CONDITION_WORK)) === true &&
          anyFits(denied, name, createBudget(CONDITION_WORK)) === false,
      ),
    suggestedReviewers: given('suggested_reviewers'),
    searchAsRoles: given('search_as_roles'),
  };
}
