// When access lists are reviewed.
import { type ReviewDay, type ReviewFrequency, reviewFrequencies } from '../../../contract/access-list-documents.ts';

export interface Recurrence {
  readonly frequency: ReviewFrequency;
  readonly day: ReviewDay;
}

/** The first day of a recurrence, at midnight UTC, that is its months after the month of `from`. */
export function reviewAfter(from: Date, { frequency, day }: Recurrence): Date {
  const month = from.getUTCMonth() + reviewFrequencies[frequency];
  // Day 0 of a month is the last one of the month before.
  return day === 'last'
    ? new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0))
    : new Date(Date.UTC(from.getUTCFullYear(), month, Number(day)));
}

/** When the review after one that is made now is due: counted from the day that this one was due, or from today where that is past. */
export const nextReview = (due: Date, now: Date, recurrence: Recurrence): Date =>
  reviewAfter(due > now ? due : now, recurrence);
