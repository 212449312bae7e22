// Statements that wait because a guard asks about them: who may decide, what they see, and what becomes of the wait.
import { randomUUID } from 'node:crypto';
import { Failure } from '../../../contract/failure.ts';
import type { ReviewDecision, WaitingStatement } from '../../../contract/reviews.ts';
import type { Changes } from '../../ports/changes.ts';
import type { DatabaseAccess, DatabaseTarget, Decision, GuardMatch, Plan } from '../../ports/databases.ts';
import type { Who } from '../../ports/who.ts';
import { mayReview, maySeeReview } from './policy/reviews.ts';

/** Nobody waits longer, ms. */
const WAIT_MS = 10 * 60_000;
/** Statements that wait at once: of one person, over all sessions, and of all. */
const OF_ONE_MOST = 5;
const ALL_MOST = 500;

/** What a session asks; of a request to a cluster, `sid` is '' and `database` the cluster. */
interface ReviewRequest extends Omit<DatabaseAccess, 'database'> {
  readonly database: Pick<DatabaseTarget, 'name' | 'labels' | 'protocol'>;
  readonly sid: string;
  readonly owner: Pick<Who, 'user' | 'userId' | 'agent'>;
  /** An agent asks its own person: nobody else decides. */
  readonly isForOwner?: boolean;
  readonly text: string;
  /** Whether the text is all of it: only then can the same one be told again. */
  readonly isWhole: boolean;
  /** What guards say now. */
  readonly match: () => GuardMatch;
  /** Asked once, when it begins to wait. */
  plan(): Promise<Plan>;
  /** The client is told that it waits. */
  waits(until: Date): void;
}
export interface Review {
  readonly decided: Promise<Decision>;
  /** Ends the wait; what came first stands. */
  settle(decision: Decision): void;
  /** Guards say something else: whoever looks at it looks anew. */
  changed(): void;
}
export interface StatementReviews {
  /** Puts a statement before those who may decide. */
  ask(request: ReviewRequest): Review;
  /** What this person may see, what has waited longest first. */
  list(who: Who): readonly WaitingStatement[];
  /** Throws Failure not_found, also for one that this person may not see; denied; bad_request. */
  decide(who: Who, id: string, decision: ReviewDecision, reason: string): void;
}
interface Waiting extends Review {
  readonly id: string;
  readonly request: ReviewRequest;
  readonly since: Date;
  readonly until: Date;
  plan: Plan;
}
export interface ReviewPorts {
  readonly changes: Pick<Changes, 'emit'>;
  readonly now?: () => Date;
  readonly waitMs?: number;
}

export function createStatementReviews({
  changes,
  now = () => new Date(),
  waitMs = WAIT_MS,
}: ReviewPorts): StatementReviews {
  const waiting = new Map<string, Waiting>();
  const tell = (): void => changes.emit({ kind: 'reviewsChanged' });

  function ask(request: ReviewRequest): Review {
    const { promise: decided, resolve } = Promise.withResolvers<Decision>();
    const id = randomUUID();
    const mine = [...waiting.values()].filter(one => one.request.owner.userId === request.owner.userId).length;
    if (mine >= OF_ONE_MOST || waiting.size >= ALL_MOST) {
      const why =
        mine >= OF_ONE_MOST
          ? `${mine} statements of yours wait for a review already`
          : 'more statements wait for a review than may';
      resolve({ allowed: false, why });
      return { decided, settle: () => undefined, changed: () => undefined };
    }
    const since = now();
    const until = new Date(since.getTime() + waitMs);
    function settle(decision: Decision): void {
      if (!waiting.delete(id)) return;
      clearTimeout(late);
      resolve(decision);
      tell();
    }
    const late = setTimeout(
      () => settle({ allowed: false, why: `nobody has allowed it within ${timeText(waitMs)}` }),
      waitMs,
    );
    const one: Waiting = { id, request, since, until, plan: { text: '', without: '' }, decided, settle, changed: tell };
    waiting.set(id, one);
    request.waits(until);
    tell();
    void request.plan().then(plan => {
      one.plan = plan;
      if (waiting.has(id)) tell();
    });
    return one;
  }

  const shown = (who: Who, { id, request, since, until, plan }: Waiting): WaitingStatement => {
    const { guard, role, text: why } = request.match();
    return {
      id,
      sid: request.sid,
      user: request.owner.user,
      database: request.database.name,
      protocol: request.database.protocol,
      dbUser: request.dbUser,
      dbName: request.dbName,
      text: request.text,
      plan: plan.text,
      noPlan: plan.without,
      guard,
      guardRole: role,
      why,
      since: since.toISOString(),
      until: until.toISOString(),
      agent: request.owner.agent?.name ?? '',
      agentReason: request.owner.agent?.reason ?? '',
      mayDecide: mayReview(who, subjectOf(request)) === null,
      mayRepeat: request.isWhole && !request.isForOwner,
    };
  };
  return {
    ask,
    list: who =>
      [...waiting.values()].filter(({ request }) => maySeeReview(who, subjectOf(request))).map(one => shown(who, one)),
    decide(who, id, decision, reason) {
      const one = waiting.get(id);
      if (!one || !maySeeReview(who, subjectOf(one.request)))
        // What waits is told to nobody who could not decide about any.
        throw who.rights.may('statement_review', 'update')
          ? new Failure('not_found', 'this statement does not wait any more')
          : new Failure('denied', 'access denied: no role gives you "update" on "statement_review"');
      const refusal = mayReview(who, subjectOf(one.request));
      if (refusal !== null) throw new Failure('denied', refusal);
      if (decision === 'session' && (!one.request.isWhole || one.request.isForOwner))
        throw new Failure('bad_request', 'only a statement of a session that is shown whole can be allowed for it');
      one.settle(
        decision === 'refuse'
          ? { allowed: false, by: who.user, why: `${who.user} has refused it${reason === '' ? '' : `: ${reason}`}` }
          : { allowed: true, by: who.user, reason, isForSession: decision === 'session' },
      );
    },
  };
}
const subjectOf = ({ owner, database, match, isForOwner = false }: ReviewRequest) => ({
  owner,
  database,
  isForOwner,
  reviewers: match().reviewers,
});
const timeText = (ms: number): string =>
  ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
