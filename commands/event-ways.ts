// Where an event of the audit log leads: to its session, recording, person and server.
import { playerQuery } from '../src/features/player-query.ts';
import type { Choice, Facts, Thing, Tools } from './command.ts';
import { reaches } from './gates.ts';
import { showOn } from './show-on.ts';

/** Where an event leads, and how each place is gone to. */
interface Way extends Choice {
  readonly go: (facts: Facts, tools: Tools) => void;
}

/** What an event speaks of, as far as the person reaches it. */
export function waysFrom({ sessionId, recording, user, server }: Thing, facts: Facts): readonly Way[] {
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
