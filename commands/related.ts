// From what the audit log says to what it speaks of, and back: events, sessions, recordings, people and servers lead to each other.
import { quoted } from '../src/contract/query-line.ts';
import type { SearchedNoun } from '../src/contract/search.ts';
import { nouns } from '../src/features/nouns.ts';
import { playerQuery } from '../src/features/recording.ts';
import { answer } from './answer.ts';
import { type Choice, type Command, command, type Facts, type Thing, type Tools } from './command.ts';
import { listedArgument, thingArgument } from './find.ts';
import { inConsole, needs, reaches } from './gates.ts';
import { showOn } from './show-on.ts';

/** Where an event leads, and how each place is gone to. */
interface Way extends Choice {
  readonly go: (facts: Facts, tools: Tools) => void;
}

/** What an event speaks of, as far as the person reaches it. */
function waysFrom({ sessionId, recording, user, server }: Thing, facts: Facts): readonly Way[] {
  const way = (value: string, title: string, go: Way['go']): Way => ({ value, title, go });
  return [
    ...(sessionId === undefined
      ? []
      : [
          way('session', 'All events of its session', (at, tools) => showOn('audit', { search: sessionId }, at, tools)),
        ]),
    ...(sessionId === undefined || recording === undefined || !reaches('recordings')(facts)
      ? []
      : [
          way('recording', 'The recording of its session', ({ clusterId }, tools) =>
            tools.go('player', { clusterId, sid: sessionId }, playerQuery(recording)),
          ),
        ]),
    ...(user === undefined || !reaches('users')(facts)
      ? []
      : [way('user', `User ${user}`, (_at, tools) => tools.go('users', {}, { search: user }))]),
    ...(server === undefined || !reaches('nodes')(facts)
      ? []
      : [
          way('server', `Server ${server}`, ({ clusterId }, tools) =>
            tools.go('nodes', { clusterId }, { search: server }),
          ),
        ]),
  ];
}

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
        choices: (typed, given, facts) =>
          waysFrom(answer(given, 'event').thing ?? { kind: 'event', id: '', title: '' }, facts).filter(({ title }) =>
            title.toLowerCase().includes(typed.trim().toLowerCase()),
          ),
      },
    ],
    fits: ({ isFold }) => isFold !== true,
    refuses: ({ sessionId, user, server }) =>
      (sessionId ?? user ?? server) ? undefined : 'The event names no session, nobody and no server',
    run: (given, facts, tools) => {
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
