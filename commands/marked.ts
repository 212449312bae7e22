// What is done to all rows that are marked in the list on screen.
import { deleteNode } from '../src/contract/nodes.ts';
import { answer, CHOICES_MOST, confirmed, textChoice } from './answer.ts';
import { type Command, command, type Facts, type Thing } from './command.ts';
import { inConsole, needs, reachesInConsole } from './gates.ts';
import { wrongLogin } from './login.ts';

/** Shells that are opened at once, at most: each is a session that is recorded and a terminal that is drawn. */
export const SHELLS_MOST = 20;
/** Names that a question lists before it counts the rest. */
const NAMED_MOST = 15;

const markedServers = (facts: Facts): readonly Thing[] => facts.selection.filter(thing => thing.kind === 'server');
const several = (facts: Facts): boolean => inConsole(facts) && markedServers(facts).length > 1;

/** Names one below the other; what is too many to read is counted. */
export function named(things: readonly Thing[]): string {
  const shown = things.slice(0, NAMED_MOST).map(thing => thing.title);
  return [...shown, ...(things.length > NAMED_MOST ? [`and ${things.length - NAMED_MOST} more`] : [])].join('\n');
}

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
    run: async (given, facts, tools) => {
      const servers = markedServers(facts);
      const login = answer(given, 'login').value;
      await confirmed(tools, {
        title: `Open ${servers.length} shells as ${login}?`,
        text: named(servers),
        action: `Open ${servers.length} shells`,
      });
      for (const { id, title } of servers) void tools.terminal.open({ serverId: id, hostname: title, login });
    },
  }),
  command({
    id: 'servers.removeMarked',
    title: 'Remove the marked servers',
    group: 'manage',
    destructive: true,
    words: ['delete', 'forget', 'all', 'selected'],
    when: several,
    blocked: needs('nodes', 'remove', 'servers'),
    run: async (_given, facts, tools) => {
      const servers = markedServers(facts);
      await confirmed(tools, {
        title: `Remove ${servers.length} servers?`,
        text: `${named(servers)}\n\nThey leave the list and their pinned host keys are forgotten. The servers themselves are not touched.`,
        action: `Remove ${servers.length} servers`,
      });
      const failed: string[] = [];
      for (const { id, title } of servers) {
        try {
          await tools.call(deleteNode, { params: { clusterId: facts.clusterId, nodeId: id } });
        } catch (error) {
          failed.push(`${title}: ${error instanceof Error ? error.message : 'failed'}`);
        }
      }
      const removed = servers.length - failed.length;
      tools.notify(
        failed.length === 0
          ? `${removed} servers have been removed`
          : `${removed} of ${servers.length} removed. ${failed.slice(0, 3).join('; ')}`,
      );
    },
  }),
];
