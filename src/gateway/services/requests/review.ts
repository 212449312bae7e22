// What a review makes of an access request, and who may give one.
import type { reviewAccessRequest } from '../../../contract/access-requests.ts';
import type { BodyOf } from '../../../contract/call.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Who } from '../../ports/who.ts';
import { isOver, keyOfThing, type StoredRequest } from './stored.ts';
import { agreedOn, countsTowards, resolutionOf } from './thresholds.ts';

type Said = BodyOf<typeof reviewAccessRequest>;

/** Whether somebody may review it, as far as roles go. Nobody reviews their own. */
export const isReviewer = (who: Pick<Who, 'userId' | 'rights'>, request: StoredRequest): boolean =>
  request.userId !== who.userId && who.rights.reviews.permits(request);

/** The request with the review. Throws Failure denied, bad_request. */
export function reviewed(request: StoredRequest, who: Who, said: Said, now: Date): StoredRequest {
  if (request.userId === who.userId) throw new Failure('denied', 'nobody reviews their own access request');
  if (!isReviewer(who, request))
    throw new Failure('denied', `access denied: no role lets you review requests for ${request.roles.join(', ')}`);
  if (request.state !== 'PENDING')
    throw new Failure('bad_request', `this access request is ${request.state.toLowerCase()} already`);
  if (isOver(request, now))
    throw new Failure('bad_request', `this access request had to be reviewed by ${request.ends}`);
  if (request.reviews.some(({ authorId }) => authorId === who.userId))
    throw new Failure('bad_request', 'you have reviewed this access request already');

  const review = {
    author: who.user,
    authorId: who.userId,
    state: said.state,
    reason: said.reason,
    created: now.toISOString(),
    ...partOf(request, said),
    counts: [...countsTowards(request, { roles: ownRoles(who), traits: who.traits }, said)],
  };
  const after = { ...request, reviews: [...request.reviews, review] };
  const agreed = agreedOn(after);
  if (agreed.roles.length === 0 || (request.things.length > 0 && agreed.things.length === 0))
    throw new Failure('bad_request', 'nothing would be left of this access request: deny it instead');
  const state = resolutionOf(after);
  if (state === 'PENDING') return after;
  return {
    ...after,
    state,
    resolveReason: said.reason,
    ends: new Date(now.getTime() + (state === 'APPROVED' ? request.forMs : 0)).toISOString(),
    ...(state === 'APPROVED' && agreed),
  };
}

/** What was given for a while counts in no review. */
function ownRoles({ roles, grants }: Who): readonly string[] {
  const given = new Set(grants.flatMap(grant => (grant.things === null ? grant.roles : [])));
  return roles.filter(role => !given.has(role));
}

/** What a review approves of what was asked for. Throws Failure bad_request for what was not. */
function partOf(request: StoredRequest, { state, roles, resourceIds }: Said): { roles: string[]; things: string[] } {
  const allThings = request.things.map(keyOfThing);
  if (state === 'DENIED') return { roles: [], things: [] };
  const things = resourceIds?.map(keyOfThing) ?? allThings;
  const foreign =
    (roles ?? []).find(role => !request.roles.includes(role)) ?? things.find(one => !allThings.includes(one));
  if (foreign !== undefined) throw new Failure('bad_request', `"${foreign}" was not asked for`);
  return { roles: [...new Set(roles ?? request.roles)], things: [...new Set(things)] };
}
