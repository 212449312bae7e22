// What a person may ask for beyond the roles they have, on what terms, and whether they must ask before anything else.
import { CONDITION_WORK, createBudget, FILLING_WORK, TooMuchWork } from '../../../contract/budget.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { anyFits } from '../../../contract/pattern.ts';
import type { ConditionsSource } from '../../../contract/role-document.ts';
import { refusedText } from '../../../contract/visible-text.ts';
import type { RequestTerms, RequestThreshold, Rights, RightsUser, Traits } from '../../ports/rights.ts';
import type { Role } from './role.ts';
import { fillTemplate, parseTemplateValue } from './template.ts';

/** From lax to strict: the strictest of several roles counts. */
const strategies = ['optional', 'always', 'reason'] as const;
type RequestField = 'suggested_reviewers' | 'search_as_roles';
type Claims = NonNullable<NonNullable<ConditionsSource['request']>['claims_to_roles']>;

/** How long access may last where no role says, ms. */
const MOST_MS = 12 * 3_600_000;
/** One review decides where a role has no thresholds of its own. */
const oneReview: RequestThreshold = { name: 'default', filter: '', approve: 1, deny: 1 };

/** Roles, or patterns of them, that a person has by what a claim of theirs is. What cannot be said gives none, and takes away. */
export const rolesByClaims = (claims: Claims, traits: Traits, undecided: boolean): readonly string[] =>
  claims.flatMap(({ claim, value, roles }) => {
    const held = Object.hasOwn(traits, claim) ? (traits[claim] ?? []) : [];
    return held.some(one => anyFits([value], one, createBudget(CONDITION_WORK)) ?? undecided) ? roles : [];
  });

export function combineRequests(roles: readonly Role[], user: RightsUser): Rights['requests'] {
  const said = (side: 'allow' | 'deny', key: RequestField): readonly string[] =>
    roles.flatMap(role => role[side].source.request?.[key] ?? []);
  const given = (key: RequestField): readonly string[] => {
    const denied = new Set(said('deny', key));
    return [...new Set(said('allow', key))].filter(name => !denied.has(name)).sort();
  };
  const patterns = (role: Role, side: 'allow' | 'deny'): readonly string[] => {
    const { request } = role[side].source;
    return [...(request?.roles ?? []), ...rolesByClaims(request?.claims_to_roles ?? [], user.traits, side === 'deny')];
  };
  const denied = roles.flatMap(role => patterns(role, 'deny'));
  // What cannot be said is not given, and refused.
  const isDenied = (name: string): boolean => anyFits(denied, name, createBudget(CONDITION_WORK)) !== false;
  const allowsWhole = (role: Role, name: string): boolean =>
    anyFits(patterns(role, 'allow'), name, createBudget(CONDITION_WORK)) === true;
  /** Each value by its name and itself; null: filling takes more work than it may. */
  const annotating = (role: Role, side: 'allow' | 'deny'): readonly (readonly [string, string])[] | null => {
    const budget = createBudget(FILLING_WORK);
    try {
      return Object.entries(role[side].source.request?.annotations ?? {}).flatMap(([name, texts]) =>
        texts.flatMap(text =>
          fillTemplate(parseTemplateValue(text), user.traits, budget)
            // What nobody would see, or a terminal obeys, is shown nowhere.
            .filter(value => refusedText(value) === null)
            .map(value => [name, value] as const),
        ),
      );
    } catch (error) {
      if (error instanceof TooMuchWork) return null;
      throw error;
    }
  };
  const annotationsOf = (allowing: readonly Role[]): RequestTerms['annotations'] => {
    const said = allowing.map(role => annotating(role, 'allow'));
    const hidden = roles.map(role => annotating(role, 'deny'));
    if (said.includes(null) || hidden.includes(null)) return null;
    const all = new Map<string, Set<string>>();
    for (const [name, value] of said.flatMap(one => one ?? [])) {
      if (hidden.some(one => one?.some(([key, text]) => key === name && text === value))) continue;
      all.set(name, (all.get(name) ?? new Set()).add(value));
    }
    return Object.fromEntries([...all].map(([name, values]) => [name, [...values]]));
  };
  const searchAsRoles = given('search_as_roles');
  const strictest = Math.max(
    0,
    ...roles.map(({ options }) => strategies.indexOf(options.request_access || 'optional')),
  );
  const prompts = roles.flatMap(({ options }) => options.request_prompt || []);
  return {
    strategy: { type: strategies[strictest] ?? 'optional', prompt: [...new Set(prompts)].join('\n') },
    anyRoles: roles.some(role => patterns(role, 'allow').length > 0),
    roles: names =>
      names.filter(
        name => !user.roles.includes(name) && roles.some(role => allowsWhole(role, name)) && !isDenied(name),
      ),
    suggestedReviewers: given('suggested_reviewers'),
    searchAsRoles,
    terms(name, of) {
      const allowing = roles.filter(role =>
        of === 'whole'
          ? allowsWhole(role, name)
          : searchAsRoles.includes(name) && role.allow.source.request?.search_as_roles?.includes(name),
      );
      if (allowing.length === 0 || (of === 'whole' && isDenied(name))) return null;
      const asked = allowing.map(role => role.allow.source.request);
      return {
        thresholds: asked.map(request => {
          const own = (request?.thresholds ?? []).map(({ name = '', filter = '', approve, deny }) => ({
            name,
            filter,
            approve,
            deny,
          }));
          return own.length > 0 ? own : [oneReview];
        }),
        annotations: annotationsOf(allowing),
        mostMs: Math.max(...asked.map(request => parseDuration(request?.max_duration ?? '') || MOST_MS)),
      };
    },
  };
}
