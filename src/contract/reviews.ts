// Statements that wait: a guard asks about them, and a reviewer allows or refuses them.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, name, ok, time } from './shapes.ts';
import { visible } from './visible-text.ts';

/** What a reviewer says: this once, the same statement as often as it comes in this session, or not at all. */
export const reviewDecisions = ['once', 'session', 'refuse'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** Of a reason, characters. */
export const REASON_MOST_CHARACTERS = 500;
const reason = z.string().check(z.maxLength(REASON_MOST_CHARACTERS, 'at most 500 characters'), visible);

export const waitingStatement = z.object({
  id: z.string(),
  sid: z.string(),
  /** Who wants to execute it. */
  user: z.string(),
  /** Of a request to a cluster: the cluster, the protocol `kubernetes`, as whom it takes the person, and the namespace. */
  database: z.string(),
  protocol: z.string(),
  dbUser: z.string(),
  dbName: z.string(),
  text: z.string(),
  /** How the database would go about it, as it says itself without executing it; why there is none in `noPlan`. Both '' until that is known. */
  plan: z.string(),
  noPlan: z.string(),
  guard: z.string(),
  guardRole: z.string(),
  /** What the guard says of it, a sentence. */
  why: z.string(),
  since: time,
  /** It is refused when nobody has decided by then. */
  until: time,
  /** The agent that wants it in its person's place, and why, as it says itself; both '': no agent does. */
  agent: z._default(z.string(), ''),
  agentReason: z._default(z.string(), ''),
  /** This person may decide; somebody whose own it is may not, unless an agent of theirs asks them. */
  mayDecide: z.boolean(),
  /** It may be allowed for the session: the text is whole. */
  mayRepeat: z.boolean(),
});
export type WaitingStatement = z.infer<typeof waitingStatement>;

export const listReviews = call('GET', 'sites/:clusterId/reviews', {
  summary: 'Statements that wait for a review: those that this person may see, and their own.',
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({ items: z.array(waitingStatement) }),
});
export const decideReview = call('POST', 'sites/:clusterId/reviews/:id', {
  summary:
    'Allow a statement that waits, once or for its session, or refuse it. Nobody reviews their own; what an agent asks its person, that person alone decides.',
  access: 'signedIn',
  params: z.extend(clusterParams, { id: name }),
  body: z.object({ decision: z.enum(reviewDecisions), reason: z._default(reason, '') }),
  reply: ok,
});
