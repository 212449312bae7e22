// Who may look at a statement that waits, and who may decide about it.
import type { DatabaseTarget, GuardMatch } from '../../../ports/databases.ts';
import type { Who } from '../../../ports/who.ts';

export interface ReviewSubject {
  /** Who wants to execute it. */
  readonly owner: Pick<Who, 'user' | 'userId'>;
  readonly database: Pick<DatabaseTarget, 'name' | 'labels'>;
  /** An agent asks its own person. */
  readonly isForOwner?: boolean;
  /** Whom each of the guards that ask names. */
  readonly reviewers: GuardMatch['reviewers'];
}
const subjectFor = ({ owner, database: { name, labels } }: ReviewSubject) => ({
  resource: { name, labels },
  participants: [owner.user],
});

/** Everybody sees their own. */
export const maySeeReview = (who: Pick<Who, 'userId' | 'rights'>, of: ReviewSubject): boolean =>
  who.userId === of.owner.userId || who.rights.may('statement_review', 'list', subjectFor(of));

/** Why a person may not decide; null: they may. Every guard that asks must name them, or nobody. */
export function mayReview(who: Pick<Who, 'user' | 'userId' | 'roles' | 'rights'>, of: ReviewSubject): string | null {
  if (of.isForOwner) return who.userId === of.owner.userId ? null : 'Only the person of an agent decides what it asks.';
  if (who.userId === of.owner.userId) return 'Nobody reviews their own statements.';
  if (!who.rights.may('statement_review', 'update', subjectFor(of)))
    return 'None of your roles gives you "update" on statement_review for this database.';
  const isNamed = of.reviewers.every(
    ({ users = [], roles = [] }) => users.includes(who.user) || roles.some(role => who.roles.includes(role)),
  );
  return isNamed ? null : 'The guard names other reviewers.';
}
