// Shells and running sessions.

import { listNodes } from '../src/contract/nodes.ts';
import { joinModes, modeIds, modeIn } from '../src/features/join-modes.ts';
import { to } from '../src/features/paths.ts';
import { answer, Cancelled, CHOICES_MOST, confirmed, textChoice } from './answer.ts';
import { type Argument, type Choice, type Command, command } from './command.ts';
import { thingArgument } from './find.ts';
import { closedTo, hasTerminal, lockedWith, needs, signedIn } from './gates.ts';
import { wrongLogin } from './login.ts';

/** Picks a server. */
export const serverArgument = thingArgument('server');

export const loginArgument: Argument = {
  name: 'login',
  title: 'Login',
  free: wrongLogin,
  sole: true,
  choices: (typed, { server }, facts, tools) => {
    const wanted = typed.toLowerCase();
    const fitting = (logins: readonly string[]): readonly Choice[] =>
      logins
        .filter(login => login.toLowerCase().includes(wanted))
        .slice(0, CHOICES_MOST)
        .map(textChoice);
    const known = server === undefined ? [] : server.thing?.logins;
    return known !== undefined || server === undefined
      ? fitting(known ?? [])
      : loginsOf(server, facts.clusterId, tools).then(fitting);
  },
};

/** A server that was answered by id alone, as a link or a script does: its logins are asked for. */
async function loginsOf(
  server: Choice,
  clusterId: string,
  tools: Parameters<Argument['choices']>[3],
): Promise<readonly string[]> {
  const page = await tools.call(listNodes, {
    params: { clusterId },
    query: { search: server.value, limit: CHOICES_MOST },
  });
  return page.items.find(node => node.id === server.value)?.sshLogins ?? [];
}

const sessionArgument = thingArgument('session', { title: 'Session' });

/** `ssh login@host`, `ssh host`, or `login@host` alone; after `ssh ` the host may still be missing. */
export function readSsh(typed: string): Readonly<Record<string, string>> | undefined {
  const [, login, server] =
    /^ssh\s+(?:([^\s@]+)@)?([^\s@]*)\s*$/.exec(typed) ?? /^([^\s@]+)@([^\s@]+)\s*$/.exec(typed) ?? [];
  if (server === undefined) return undefined;
  return login === undefined ? { server } : { server, login };
}

export const writeSsh = ({ login, server = '' }: Readonly<Record<string, string>>): string =>
  `ssh ${login === undefined ? '' : `${login}@`}${server}`;

/** Asks for a thing to open or to join: those that this person cannot open stay among the choices, with the reason. */
export const openable = (argument: Argument): Argument => ({
  ...argument,
  choices: async (...asked) =>
    (await argument.choices(...asked)).map(choice => {
      const refused = choice.thing && closedTo(choice.thing);
      return refused === undefined ? choice : { ...choice, refused };
    }),
});

/** Only what worked is remembered as used, and the terminal shows its own failure. */
const openShell =
  (beside?: 'right' | 'down'): Command['run'] =>
  async (given, _facts, tools) => {
    const { value: serverId, title: hostname } = answer(given, 'server');
    const login = answer(given, 'login').value;
    if (!(await tools.terminal.open({ serverId, hostname, login, ...(beside && { beside }) }))) throw new Cancelled();
  };

export const sessions: readonly Command[] = [
  command({
    id: 'shell.open',
    title: 'Open a shell…',
    group: 'session',
    keys: 'o',
    terminalKeys: 'ctrl+shift+o',
    words: ['ssh', 'connect', 'terminal', 'log in', 'server'],
    when: signedIn,
    blocked: needs('nodes', 'list', 'servers'),
    args: [openable(serverArgument), loginArgument],
    onThing: { label: 'Connect', closedLabel: 'No login', title: name => `Connect to ${name}`, icon: 'Terminal' },
    phrase: {
      example: 'ssh root@db-3',
      usage: {
        name: 'ssh',
        args: [
          { name: 'login', text: '[LOGIN@]' },
          { name: 'server', text: 'SERVER' },
        ],
      },
      read: readSsh,
      write: writeSsh,
    },
    run: openShell(),
  }),
  ...(['right', 'down'] as const).map(beside =>
    command({
      id: `shell.${beside}`,
      title: beside === 'right' ? 'Open a shell to the right…' : 'Open a shell below…',
      group: 'session',
      words: ['ssh', 'split', 'beside', 'terminal', 'server'],
      when: hasTerminal,
      blocked: needs('nodes', 'list', 'servers'),
      args: [openable(serverArgument), loginArgument],
      run: openShell(beside),
    }),
  ),
  command({
    id: 'session.join',
    title: 'Join a running session…',
    manual: 'joinSession',
    group: 'session',
    onThing: { label: 'Join', title: name => `Join ${name}`, icon: 'SquareTerminal' },
    words: ['watch', 'share', 'observe', 'active'],
    when: facts => signedIn(facts) && facts.config.canJoinSessions,
    blocked: lockedWith('activeSessions'),
    args: [
      openable(sessionArgument),
      {
        name: 'mode',
        title: 'Join as',
        once: true,
        sole: true,
        choices: (_typed, given) =>
          modeIds.map(mode => {
            const { title, detail, refused } = joinModes[mode];
            const isOffered = given.session?.thing?.modes?.includes(mode) ?? true;
            return { value: mode, title, detail, ...(isOffered ? {} : { refused }) };
          }),
      },
    ],
    run: (given, { clusterId }, tools) => {
      const session = answer(given, 'session');
      if (session.thing?.showsPictures) {
        if (!tools.openTab) throw new Error('A desktop is watched in the console');
        return tools.openTab(to('watchDesktop', { clusterId, sid: session.value }));
      }
      const said = answer(given, 'mode').value;
      const mode = modeIn(said);
      if (mode === undefined) throw new Error(`A session is joined as ${modeIds.join(', ')}; not as "${said}"`);
      tools.terminal.join({ sid: session.value, title: session.title, mode });
    },
  }),
  command({
    id: 'session.end',
    title: 'End a running session…',
    group: 'session',
    destructive: true,
    onThing: { label: 'End', title: name => `End ${name}` },
    words: ['terminate', 'kill', 'stop', 'disconnect'],
    when: signedIn,
    args: [thingArgument('session', { title: 'Session to end' })],
    run: async (given, facts, tools) => {
      const session = answer(given, 'session');
      await confirmed(tools, {
        title: 'End this session?',
        text: `${session.title} ends for everyone in it. What runs in it is told to stop.`,
        action: 'End the session',
      });
      const { endSession } = await import('../src/contract/live-sessions.ts');
      await tools.call(endSession, { params: { clusterId: facts.clusterId, sid: session.value } });
      tools.notify(`The session ${session.title} has ended`);
    },
  }),
];
