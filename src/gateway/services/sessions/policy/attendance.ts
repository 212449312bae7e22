// Who must be in a session beside its owner, and who is lacking: asked at the start, whenever somebody comes or goes, and when roles change.
import { CONDITION_WORK, createBudget } from '../../../../contract/budget.ts';
import type { Mode } from '../../../../contract/live-sessions.ts';
import { decide } from '../../../../contract/predicate.ts';
import type { JoinDemand, JoinPolicy } from '../../../ports/rights.ts';

/** Somebody in a session. */
export interface Attendee {
  readonly userId: string;
  readonly user: string;
  readonly roles: readonly string[];
  readonly mode: Mode;
}
/** What a session lacks. */
export interface Lack {
  /** Who is awaited, such as `1 moderator (leads on call)`. */
  readonly awaited: string;
  /** What becomes of a session that runs. */
  readonly onLeave: JoinPolicy['onLeave'];
}

/** How many people more a policy asks for. A person counts once, however often they are there. */
function missing({ filter, modes, count }: JoinPolicy, others: readonly Attendee[]): number {
  const counted = new Set<string>();
  for (const { userId, user, roles, mode } of others) {
    if (counted.has(userId) || !modes.includes(mode)) continue;
    // What cannot be decided counts nobody.
    if (filter && !decide(filter, { user: { name: user, spec: { roles } } }, createBudget(CONDITION_WORK))) continue;
    counted.add(userId);
  }
  return Math.max(0, count - counted.size);
}

/**
 * What is lacking where these demands hold; null: nothing. Within a role one policy is enough, and each role must have one. The owner never
 * counts. A running session is only paused where all that could mend it says so.
 */
export function lackOf(demands: readonly JoinDemand[], ownerId: string, present: readonly Attendee[]): Lack | null {
  const others = present.filter(({ userId }) => userId !== ownerId);
  const unmet = demands
    .map(({ policies }) => policies.map(policy => ({ ...policy, left: missing(policy, others) })))
    .filter(policies => policies.every(({ left }) => left > 0));
  if (unmet.length === 0) return null;
  return {
    awaited: unmet.map(policies => policies.map(wanted).join(', or ')).join('; and '),
    onLeave: unmet.flat().every(({ onLeave }) => onLeave === 'pause') ? 'pause' : 'terminate',
  };
}

const wanted = ({ name, modes, left }: JoinPolicy & { readonly left: number }): string =>
  `${left} ${modes.map(mode => (left === 1 ? mode : `${mode}s`)).join(' or ')} (${name})`;
