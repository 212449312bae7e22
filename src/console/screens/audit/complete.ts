// What may come next in the audit log's filter line: its keys, event types, users seen so far, and times.

import { auditKeys, auditTypes, userPart } from '../../../contract/audit-query.ts';
import type { Suggestion } from '../query-completion.ts';

/** Suggestions shown at once. */
const SUGGESTIONS_MOST = 12;

const times: readonly (readonly [string, string])[] = [
  ['1h', 'an hour ago'],
  ['24h', 'a day ago'],
  ['today', 'this day, UTC'],
  ['yesterday', 'the day before, UTC'],
  ['7d', 'a week ago'],
  ['30d', 'a month ago'],
];

interface Offer {
  readonly value: string;
  readonly detail: string;
  /** What is written; default: the value. */
  readonly text?: string;
}

/** What can follow a key. */
function valuesOf(key: string, users: readonly string[]): readonly Offer[] {
  if (key === 'type' || key === '-type')
    return [...auditTypes].map(([value, { titles }]) => ({ value, detail: titles.slice(0, 2).join(', ') }));
  if (key === 'user')
    return users.map(value => ({ value, detail: 'a user', text: userPart(value).slice('user:'.length) }));
  return key === 'since' || key === 'until' ? times.map(([value, detail]) => ({ value, detail })) : [];
}

/** What fits at the caret: those that begin with what was typed, then those that hold it. */
export function auditSuggestions(text: string, caret: number, users: readonly string[]): readonly Suggestion[] {
  const [, typed = ''] = /(?:^|\s)([^\s"]*)$/.exec(text.slice(0, caret)) ?? [];
  const colon = typed.indexOf(':');
  const [key, word] = colon < 0 ? ['', typed] : [typed.slice(0, colon), typed.slice(colon + 1)];
  const offers: readonly Offer[] =
    colon < 0
      ? Object.entries(auditKeys).map(([name, { about }]) => ({ value: `${name}:`, detail: about }))
      : valuesOf(key, users);
  const wanted = word.toLowerCase();
  const begin = offers.filter(({ value }) => value.toLowerCase().startsWith(wanted) && value !== word);
  const hold =
    wanted === '' || colon < 0
      ? []
      : offers.filter(({ value }) => !value.toLowerCase().startsWith(wanted) && value.toLowerCase().includes(wanted));
  return [...begin, ...hold].slice(0, SUGGESTIONS_MOST).map(({ value, detail, text: written = value }) => ({
    title: value,
    detail,
    // A value is whole: what comes next is another word.
    text: colon < 0 ? written : `${written} `,
    start: caret - word.length,
  }));
}
