// Access lists in words: the console and the command line say them alike.
import type { AccessList } from '../contract/access-lists.ts';
import { shortDay } from './times.ts';

type Granted = AccessList['grants'];

/** Traits as people read and type them: `logins: root`. */
export const traitLines = (traits: Granted['traits']): string[] =>
  Object.entries(traits).flatMap(([name, values]) => values.map(value => `${name}: ${value}`));

/** What is granted, or asked: "dba, logins: root". */
export const grantsText = ({ roles, traits }: Granted): string => [...roles, ...traitLines(traits)].join(', ');

/** How whoever asks stands to it. */
export function membershipText({
  isMember,
  isOwner,
  ineligible,
}: Pick<AccessList, 'isMember' | 'isOwner' | 'ineligible'>): string {
  const member = isMember ? 'Member' : ineligible === '' ? '' : `Not a member: ${ineligible}`;
  return [isOwner ? 'Owner' : '', member].filter(text => text !== '').join(', ');
}

/** When it is to be reviewed, as a list shows it. */
export const reviewText = ({ nextReview, isDue, isOverdue }: Pick<AccessList, 'nextReview' | 'isDue' | 'isOverdue'>) =>
  `${isOverdue ? 'Overdue since ' : isDue ? 'Due on ' : ''}${shortDay(nextReview)}`;
