// What an agent is about to do is put before its person, who allows it or does not: beside the statements that guards ask about.
import { Failure } from '../../../contract/failure.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Decision, GuardMatch } from '../../ports/databases.ts';
import type { Who } from '../../ports/who.ts';
import { openChecks } from './policy/checks.ts';
import type { StatementReviews } from './reviews.ts';

export interface ApprovalParts {
  readonly reviews: Pick<StatementReviews, 'ask'>;
  readonly audit: AuditLog;
  readonly changes: { subscribe(listener: (change: { readonly kind: string }) => unknown): () => void };
}
export interface AgentWish {
  readonly who: Who;
  /** Server or database. */
  readonly on: { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly protocol: string };
  /** Login, or database user. */
  readonly as: string;
  readonly dbName: string;
  readonly text: string;
  readonly signal: AbortSignal;
  /** The agent is told that it waits. */
  waits(text: string): void;
  /** Rejects once the agent may not go on. */
  again(): Promise<unknown>;
}

/** Resolves once the person has allowed it. Throws Failure denied with what became of it otherwise. */
export async function askOwner({ reviews, audit, changes }: ApprovalParts, wish: AgentWish): Promise<void> {
  const { who, on, as, dbName, text, signal } = wish;
  const agent = who.agent ?? { id: '', name: '', reason: '' };
  const match: GuardMatch = {
    effect: 'ask',
    guard: '',
    role: '',
    text: `agent ${agent.name} asks ${who.user}`,
    reviewers: [],
  };
  const fields = {
    ...{ user: who.user, user_id: who.userId, agent: agent.name, agent_id: agent.id, agent_reason: agent.reason },
    ...{ command: text, on: on.name, login: as },
  };
  await audit.emit({ code: 'TAG05I', ...fields });
  const review = reviews.ask({
    ...{ sid: '', owner: who, database: on, dbUser: as, dbName, text, isWhole: true, isForOwner: true },
    match: () => match,
    plan: async () => ({ text: '', without: '' }),
    waits: until => wish.waits(`It waits for ${who.user} until ${until.toISOString().slice(11, 16)} UTC.`),
  });
  const cancel = (): void => review.settle({ allowed: false, why: 'the agent has cancelled it', isCancelled: true });
  const stop = (error: unknown): void =>
    review.settle({ allowed: false, why: error instanceof Failure ? error.message : 'the agent may not go on' });
  const checks = openChecks(async () => void (await wish.again()), stop);
  const leave = changes.subscribe(({ kind }) => {
    if (!/^(session|reviews|requests)/.test(kind)) checks.now();
  });
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  let decision: Decision;
  try {
    decision = await review.decided;
  } finally {
    leave();
    checks.dispose();
    signal.removeEventListener('abort', cancel);
  }
  const by = decision.by === undefined ? {} : { reviewer: decision.by };
  if (decision.allowed) return void (await audit.emit({ code: 'TAG06I', ...fields, ...by }));
  await audit.emit({ code: 'TAG06W', ...fields, ...by, error: decision.why });
  throw new Failure('denied', `Not allowed: ${decision.why}.`);
}
