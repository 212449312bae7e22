// What is done to all rows that are marked in the list on screen.
import { CHOICES_MOST, textChoice } from './answer.ts';
import { type Command, command, type Facts, type Thing } from './command.ts';
import { inConsole, needs, reachesInConsole } from './gates.ts';
import { wrongLogin } from './login.ts';

/** Shells that are opened at once, at most: each is a session that is recorded and a terminal that is drawn. */
export const SHELLS_MOST = 20;
/** Fetched when one of them is run. */
const loadActs = () => import('./marked-acts.ts');

/** Of what is marked, the servers. */
export const markedServers = (facts: Facts): readonly Thing[] =>
  facts.selection.filter(thing => thing.kind === 'server');
const several = (facts: Facts): boolean => inConsole(facts) && markedServers(facts).length > 1;

/** Logins that all of the servers offer, in the first one's order. */
export function sharedLogins(things: readonly Thing[]): readonly string[] {
  return (things[0]?.logins ?? []).filter(login => things.every(thing => thing.logins?.includes(login)));
}

/** The predicate of these servers, as lists read it. */
export const queryOf = (names: readonly string[]): string =>
  names.map(name => `name == ${JSON.stringify(name)}`).join(' || ');

export const marked: readonly Command[] = [
  command({
    id: 'servers.run',
    title: 'Run on servers…',
    manual: 'runOnServers',
    group: 'session',
    words: ['command', 'execute', 'many', 'all', 'selected', 'parallel', 'ssh'],
    when: reachesInConsole('runs'),
    run: (_given, facts, tools) => {
      const query = queryOf(markedServers(facts).map(({ title }) => title));
      tools.go('runs', { clusterId: facts.clusterId }, query === '' ? {} : { query });
    },
  }),
  command({
    id: 'shell.openMarked',
    title: 'Open a shell on each marked server…',
    group: 'session',
    words: ['ssh', 'connect', 'all', 'selected'],
    when: several,
    blocked: facts => {
      const count = markedServers(facts).length;
      return count > SHELLS_MOST
        ? `At most ${SHELLS_MOST} shells are opened at once; ${count} servers are marked`
        : undefined;
    },
    args: [
      {
        name: 'login',
        title: 'Login on all of them',
        free: wrongLogin,
        choices: (typed, _given, facts) =>
          sharedLogins(markedServers(facts))
            .filter(login => login.toLowerCase().includes(typed.toLowerCase()))
            .slice(0, CHOICES_MOST)
            .map(textChoice),
      },
    ],
    run: async (...asked) => (await loadActs()).openAll(...asked),
  }),
  command({
    id: 'servers.removeMarked',
    title: 'Remove the marked servers',
    group: 'manage',
    destructive: true,
    words: ['delete', 'forget', 'all', 'selected'],
    when: several,
    blocked: needs('nodes', 'remove', 'servers'),
    run: async (...asked) => (await loadActs()).removeAll(...asked),
  }),
];
