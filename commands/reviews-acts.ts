// What deciding about a statement that waits does: fetched then.
import { decideReview, type ReviewDecision } from '../src/contract/reviews.ts';
import { answer } from './answer.ts';
import type { Command } from './command.ts';

/** `said`: what the notice begins with. */
export async function decide(
  decision: ReviewDecision,
  said: string,
  ...[given, { clusterId }, tools]: Parameters<Command['run']>
): Promise<void> {
  const { value: id, title } = answer(given, 'review');
  await tools.call(decideReview, {
    params: { clusterId, id },
    body: { decision, reason: given.reason?.value ?? '' },
  });
  tools.notify(`${said}: ${title}`);
  tools.list.reload?.();
}
