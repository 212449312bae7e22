// What people in one session do with each other: whose keys count, whether it goes on, who else may come.
import { joinModes, modeIds, modeIn } from '../src/features/join-modes.ts';
import { answer, confirmed } from './answer.ts';
import { type Command, command, type Facts } from './command.ts';
import { hasTerminal, noTab } from './gates.ts';

const notConnected = (facts: Facts): string | undefined =>
  noTab(facts) ?? (facts.company ? undefined : 'This terminal is not connected');
const onlyTyping = (facts: Facts): string | undefined =>
  notConnected(facts) ?? (facts.company?.mode === 'peer' ? undefined : 'You watch this session');
const onlyModerating = (facts: Facts): string | undefined =>
  notConnected(facts) ?? (facts.company?.mode === 'moderator' ? undefined : 'Only moderators pause a session');
/** Others who type here. */
const others = ({ company }: Facts) =>
  company?.parties.filter(({ id, mode }) => mode === 'peer' && id !== company.party) ?? [];

export const joined: readonly Command[] = [
  command({
    id: 'session.takeKeys',
    title: 'Take the keys of this session, or return them to all',
    group: 'session',
    terminalKeys: 'ctrl+shift+y',
    words: ['control', 'writer', 'keyboard', 'alone', 'release'],
    when: hasTerminal,
    blocked: onlyTyping,
    run: (_given, facts, tools) => {
      const { writer, user } = facts.company ?? { writer: '', user: '' };
      tools.terminal.control({ action: writer !== '' && writer === user ? 'return' : 'take', party: '' });
    },
  }),
  command({
    id: 'session.giveKeys',
    title: 'Hand the keys of this session to…',
    group: 'session',
    words: ['control', 'writer', 'keyboard', 'give'],
    when: hasTerminal,
    blocked: facts => onlyTyping(facts) ?? (others(facts).length > 0 ? undefined : 'Nobody else types in this session'),
    args: [
      {
        name: 'party',
        title: 'To whom',
        choices: (typed, _given, facts) =>
          others(facts)
            .filter(({ user }) => user.includes(typed))
            .map(({ id, user }) => ({ value: id, title: user })),
      },
    ],
    run: (given, _facts, tools) => tools.terminal.control({ action: 'give', party: answer(given, 'party').value }),
  }),
  command({
    id: 'session.pause',
    title: 'Pause this session, or let it go on',
    group: 'session',
    terminalKeys: 'ctrl+shift+h',
    words: ['moderate', 'hold', 'halt', 'resume', 'freeze'],
    when: hasTerminal,
    blocked: onlyModerating,
    run: (_given, facts, tools) =>
      tools.terminal.control({ action: facts.company?.state === 'paused' ? 'resume' : 'pause', party: '' }),
  }),
  command({
    id: 'session.endThis',
    title: 'End this session for everyone',
    group: 'session',
    destructive: true,
    words: ['terminate', 'kill', 'stop', 'moderate'],
    when: hasTerminal,
    blocked: facts =>
      notConnected(facts) ??
      (facts.company?.isOwner || facts.company?.mode === 'moderator'
        ? undefined
        : 'Only its owner or a moderator may end a session'),
    run: async (_given, facts, tools) => {
      await confirmed(tools, {
        title: 'End this session?',
        text: `${facts.terminal?.title} ends for everyone in it. What runs in it is told to stop.`,
        action: 'End the session',
      });
      tools.terminal.control({ action: 'end', party: '' });
    },
  }),
  command({
    id: 'session.invite',
    title: 'Invite to this session…',
    group: 'session',
    words: ['share', 'link', 'join', 'watch', 'together', 'pair'],
    when: hasTerminal,
    blocked: notConnected,
    args: [
      {
        name: 'mode',
        title: 'To join as',
        choices: () =>
          modeIds.map(mode => ({ value: mode, title: joinModes[mode].title, detail: joinModes[mode].detail })),
      },
    ],
    run: (given, _facts, tools) => {
      const mode = modeIn(answer(given, 'mode').value);
      if (mode) tools.terminal.invite(mode);
    },
  }),
];
