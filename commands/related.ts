// From what the audit log says to what it speaks of, and back: events, sessions, recordings, people and servers lead to each other.
import { quoted } from '../src/contract/query-line.ts';
import type { SearchedNoun } from '../src/contract/search.ts';
import { nouns } from '../src/features/nouns.ts';
import { answer } from './answer.ts';
import { type Choice, type Command, command } from './command.ts';
import { listedArgument, thingArgument } from './find.ts';
import { inConsole, needs } from './gates.ts';
import { showOn } from './show-on.ts';

/** Fetched when an event is asked where it leads. */
const loadWays = async () => (await import('./event-ways.ts')).waysFrom;

/** The audit log of one thing, from its row. */
const eventsOf = (kind: SearchedNoun, lineOf: (thing: Choice) => string): Command =>
  command({
    id: `${nouns[kind].listing.split('.')[0]}.events`,
    title: `Show what the audit log says of a ${nouns[kind].one}…`,
    group: 'manage',
    words: ['events', 'history', 'audit', 'happened'],
    when: inConsole,
    blocked: needs('events', 'list', 'audit events'),
    args: [thingArgument(kind)],
    run: (given, facts, tools) => showOn('audit', { search: lineOf(answer(given, kind)) }, facts, tools),
  });

export const related: readonly Command[] = [
  command({
    id: 'audit.related',
    title: 'Go to what an audit event speaks of…',
    group: 'manage',
    words: ['session', 'recording', 'user', 'person', 'server', 'jump'],
    when: inConsole,
    blocked: needs('events', 'list', 'audit events'),
    args: [
      listedArgument('event'),
      {
        name: 'place',
        title: 'Where to',
        choices: async (typed, given, facts) => {
          const waysFrom = await loadWays();
          const { thing } = answer(given, 'event');
          const ways = thing === undefined ? [] : waysFrom(thing, facts);
          return ways.filter(({ title }) => title.toLowerCase().includes(typed.trim().toLowerCase()));
        },
      },
    ],
    fits: ({ isFold }) => isFold !== true,
    refuses: ({ sessionId, user, server }) =>
      (sessionId ?? user ?? server) ? undefined : 'The event names no session, nobody and no server',
    run: async (given, facts, tools) => {
      const waysFrom = await loadWays();
      const { thing } = answer(given, 'event');
      const place = answer(given, 'place').value;
      if (thing !== undefined)
        waysFrom(thing, facts)
          .find(({ value }) => value === place)
          ?.go(facts, tools);
    },
  }),
  eventsOf('user', ({ value }) => `user:${quoted(value)}`),
  eventsOf('server', ({ title }) => quoted(title)),
  eventsOf('session', ({ value }) => value),
  eventsOf('recording', ({ value }) => value),
];
