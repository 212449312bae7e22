// An access request as the store keeps it, and as it is read back.
import * as z from 'zod/mini';
import { requestableKinds, requestStates } from '../../../contract/access-requests.ts';
import type { Grant } from '../../ports/rights.ts';
import type { NewResource, Resource } from '../../store/store.ts';

/** How long a request is kept after it is over, ms: whoever looks for what was given finds it as long. */
const KEPT_MS = 90 * 86_400_000;

const names = z.array(z.string());
const thing = z.object({ kind: z.enum(requestableKinds), name: z.string(), title: z.string() });
export type RequestedThing = z.output<typeof thing>;
/** What one thing is among those of a request: things of two kinds may have one name. */
export const keyOfThing = ({ kind, name }: Pick<RequestedThing, 'kind' | 'name'>): string => `${kind}/${name}`;
const review = z.object({
  author: z.string(),
  authorId: z.string(),
  state: z.enum(requestStates),
  reason: z.string(),
  created: z.string(),
  /** What was approved of what was asked for. */
  roles: names,
  /** Of each its `keyOfThing`. */
  things: names,
  /** Places of the thresholds whose filter held for it when it was made. */
  counts: z.array(z.number()),
});
export type StoredReview = z.output<typeof review>;
const threshold = z.object({ name: z.string(), filter: z.string(), approve: z.number(), deny: z.number() });
const spec = z.object({
  userId: z.string(),
  user: z.string(),
  state: z.enum(requestStates),
  roles: names,
  things: z.array(thing),
  reason: z.string(),
  resolveReason: z.string(),
  /** Requests of before had none. */
  annotations: z._default(z.record(z.string(), names), {}),
  /** How long what is granted lasts, ms. */
  forMs: z.number(),
  /** Pending: reviewed by then. Approved: used until then. Denied: when. */
  ends: z.string(),
  suggestedReviewers: names,
  thresholds: z.array(threshold),
  /** Sets of places among the thresholds: of each set one must be met. */
  sets: z.array(z.array(z.number())),
  reviews: z.array(review),
});
export interface StoredRequest extends z.output<typeof spec> {
  readonly id: string;
  readonly created: Date;
  /** Of the row; a new one has none. */
  readonly revision: number;
}

/** Null for a row that holds no request. */
export function readRequest({ name, created, revision, spec: kept }: Resource): StoredRequest | null {
  const read = z.safeParse(spec, kept);
  return read.success ? { ...read.data, id: name, created, revision } : null;
}

export function requestResource({ id, created: _created, revision: _revision, ...kept }: StoredRequest): NewResource {
  return {
    kind: 'access_request',
    name: id,
    title: kept.user,
    description: '',
    address: '',
    subtype: kept.state,
    labels: {},
    words: [],
    spec: kept,
    expires: new Date(Date.parse(kept.ends) + KEPT_MS),
  };
}

/** Whether its time is up. */
export const isOver = ({ state, ends }: Pick<StoredRequest, 'state' | 'ends'>, now: Date): boolean =>
  state === 'DENIED' || Date.parse(ends) <= now.getTime();

/** What it gives now; null: nothing. */
export function grantOf(request: StoredRequest, now: Date): Grant | null {
  if (request.state !== 'APPROVED' || isOver(request, now)) return null;
  return {
    request: request.id,
    roles: request.roles,
    things: request.things.length === 0 ? null : request.things.map(({ kind, name }) => ({ kind, name })),
    ends: new Date(request.ends),
  };
}
