// Whose access requests a person may review.
import { CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { anyFits } from '../../../contract/pattern.ts';
import { decide, parsePredicate } from '../../../contract/predicate.ts';
import type { Rights, RightsUser } from '../../ports/rights.ts';
import { rolesByClaims } from './requests.ts';
import type { Role } from './role.ts';

export function combineReviews(roles: readonly Role[], user: RightsUser): Rights['reviews'] {
  const entries = (side: 'allow' | 'deny') =>
    roles.flatMap(role => {
      const said = role[side].source.review_requests;
      if (!said) return [];
      const byClaims = rolesByClaims(said.claims_to_roles ?? [], user.traits, side === 'deny');
      return [{ roles: [...(said.roles ?? []), ...byClaims], where: said.where ?? '' }];
    });
  const allowed = entries('allow').filter(one => one.roles.length > 0);
  const denied = entries('deny');
  const previewed = (side: 'allow' | 'deny'): readonly string[] =>
    roles.flatMap(role => role[side].source.review_requests?.preview_as_roles ?? []);
  return {
    get previewAsRoles() {
      const hidden = new Set(previewed('deny'));
      return [...new Set(previewed('allow'))].filter(name => !hidden.has(name)).sort();
    },
    any: allowed.length > 0,
    permits({ roles: asked, reason, annotations }) {
      const scope = {
        reviewer: { roles: user.roles, traits: user.traits },
        request: { roles: asked, reason, system_annotations: annotations },
      };
      // What cannot be said allows nothing, and denies.
      const counts = (where: string, undecided: boolean): boolean =>
        where === '' || (decide(parsePredicate(where, 'review'), scope, createBudget(CONDITION_WORK)) ?? undecided);
      const named = (entry: (typeof allowed)[number], role: string, undecided: boolean): boolean =>
        (anyFits(entry.roles, role, createBudget(CONDITION_WORK)) ?? undecided) && counts(entry.where, undecided);
      return (
        asked.length > 0 &&
        asked.every(
          role => allowed.some(entry => named(entry, role, false)) && !denied.some(entry => named(entry, role, true)),
        )
      );
    },
  };
}
