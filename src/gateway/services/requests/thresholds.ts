// When reviews decide an access request: pure, so that every order of reviews can be tried.
import { CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { decide, parsePredicate } from '../../../contract/predicate.ts';
import type { RequestTerms, RequestThreshold, Traits } from '../../ports/rights.ts';
import { keyOfThing, type StoredRequest, type StoredReview } from './stored.ts';

/** The thresholds of a request, each once, and the sets of their places of which one must be met. */
export function thresholdsOf(terms: readonly RequestTerms[]): Pick<StoredRequest, 'thresholds' | 'sets'> {
  const thresholds: RequestThreshold[] = [];
  const placeOf = (one: RequestThreshold): number => {
    const key = JSON.stringify(one);
    const known = thresholds.findIndex(other => JSON.stringify(other) === key);
    return known < 0 ? thresholds.push({ ...one }) - 1 : known;
  };
  const sets = terms.flatMap(one => one.thresholds.map(set => [...new Set(set.map(placeOf))]));
  const distinct = [...new Map(sets.map(set => [JSON.stringify(set), set])).values()];
  return { thresholds, sets: distinct };
}

/** Places of the thresholds that a review counts towards. A filter that cannot be decided leaves it out. */
export function countsTowards(
  { thresholds, roles, reason, annotations }: Pick<StoredRequest, 'thresholds' | 'roles' | 'reason' | 'annotations'>,
  reviewer: { readonly roles: readonly string[]; readonly traits: Traits },
  review: { readonly reason: string },
): readonly number[] {
  const scope = { reviewer, request: { roles, reason, system_annotations: annotations }, review };
  return thresholds.flatMap(({ filter }, place) =>
    filter === '' || decide(parsePredicate(filter, 'review'), scope, createBudget(CONDITION_WORK)) === true
      ? [place]
      : [],
  );
}

/** What the reviews so far come to. A threshold that denies decides at once; approval needs one met threshold of every set. */
export function resolutionOf({
  thresholds,
  sets,
  reviews,
}: Pick<StoredRequest, 'thresholds' | 'sets' | 'reviews'>): 'PENDING' | 'APPROVED' | 'DENIED' {
  const count = (place: number, state: StoredReview['state']): number =>
    reviews.filter(review => review.state === state && review.counts.includes(place)).length;
  const isDenied = thresholds.some(({ deny }, place) => deny > 0 && count(place, 'DENIED') >= deny);
  if (isDenied) return 'DENIED';
  const isMet = (place: number): boolean => {
    const needed = thresholds[place]?.approve ?? 0;
    return needed > 0 && count(place, 'APPROVED') >= needed;
  };
  return sets.length > 0 && sets.every(set => set.some(isMet)) ? 'APPROVED' : 'PENDING';
}

/** What all who approved agree on. */
export function agreedOn({
  roles,
  things,
  reviews,
}: Pick<StoredRequest, 'roles' | 'things' | 'reviews'>): Pick<StoredRequest, 'roles' | 'things'> {
  const approvals = reviews.filter(({ state }) => state === 'APPROVED');
  return {
    roles: roles.filter(role => approvals.every(review => review.roles.includes(role))),
    things: things.filter(thing => approvals.every(review => review.things.includes(keyOfThing(thing)))),
  };
}
