// Statements that wait for a review: looking at one, allowing it, refusing it.
import type { ReviewDecision } from '../src/contract/reviews.ts';
import { answer } from './answer.ts';
import { type Command, command, type Facts } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, needs, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';

const reviewArgument = listedArgument('review');
/** Whoever delegates agents decides what they ask. */
const blocked = (facts: Facts): string | undefined =>
  (facts.who?.agents ?? 'off') === 'off' ? needs('statementReviews', 'edit', 'statements that wait')(facts) : undefined;

const decide =
  (decision: ReviewDecision, said: string): Command['run'] =>
  async (...asked) =>
    (await import('./reviews-acts.ts')).decide(decision, said, ...asked);

export const reviews: readonly Command[] = [
  command({
    id: 'reviews.show',
    title: 'Show a statement that waits…',
    group: 'list',
    words: ['review', 'plan', 'explain', 'guard'],
    when: inConsole,
    blocked: needs('statementReviews', 'list', 'statements that wait'),
    args: [reviewArgument],
    onThing: { label: 'Look', title: name => `Look at ${name}`, icon: 'Eye' },
    run: (given, facts, tools) => showOn('reviews', { review: answer(given, 'review').value }, facts, tools),
  }),
  command({
    id: 'reviews.allow',
    title: 'Allow a statement that waits, once…',
    group: 'list',
    keys: 'shift+a',
    words: ['review', 'approve', 'accept', 'guard'],
    when: signedIn,
    blocked,
    args: [reviewArgument],
    onThing: { label: 'Allow once', title: name => `Allow ${name} once`, icon: 'ShieldCheck' },
    refuses: thing => thing.refused,
    manual: 'reviewStatements',
    run: decide('once', 'Allowed once'),
  }),
  command({
    id: 'reviews.allowSession',
    title: 'Allow a statement that waits, for its session…',
    group: 'list',
    keys: 'shift+e',
    words: ['review', 'approve', 'always', 'guard'],
    when: signedIn,
    blocked,
    args: [reviewArgument],
    onThing: { label: 'Allow for the session', title: name => `Allow ${name} for its session` },
    refuses: thing => thing.refused,
    manual: 'reviewStatements',
    run: decide('session', 'Allowed for the session'),
  }),
  command({
    id: 'reviews.refuse',
    title: 'Refuse a statement that waits…',
    group: 'list',
    keys: 'shift+r',
    words: ['review', 'deny', 'reject', 'guard'],
    when: signedIn,
    blocked,
    args: [
      reviewArgument,
      {
        name: 'reason',
        title: 'Why, for whoever waits; nothing: no reason',
        optional: true,
        free: typed => (typed.length > 500 ? 'A reason has at most 500 characters' : undefined),
        choices: () => [],
      },
    ],
    onThing: { label: 'Refuse', title: name => `Refuse ${name}` },
    refuses: thing => thing.refused,
    manual: 'reviewStatements',
    run: decide('refuse', 'Refused'),
  }),
];
