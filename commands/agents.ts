// Agents: programs that a person lets work in her place, with fewer rights, until a time, for so many calls.
import { parseDuration } from '../src/contract/duration.ts';
import { answer, textChoice } from './answer.ts';
import { type Argument, type Command, command, type Facts, type Thing } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, onlyAtRoot, signedIn } from './gates.ts';
import { labelsArgument } from './servers.ts';
import { showOn } from './show-on.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./agent-acts.ts');

const agentArgument = listedArgument('agent');
const delegateBlocked = (facts: Facts): string | undefined =>
  facts.who?.agents === 'off'
    ? 'None of your roles lets you delegate agents (spec.options.agents: ask, or allow)'
    : onlyAtRoot(facts);
const isOwn = ({ agent }: Thing): boolean => agent?.isOwn === true;

const lifeArgument: Argument = {
  name: 'for',
  title: 'For how long, such as 2h; nothing: two hours',
  optional: true,
  free: typed =>
    typed === '' || (parseDuration(typed) ?? 0) >= 1000 ? undefined : 'Type a time such as 2h or 7d, or nothing',
  choices: () => ['2h', '30m', '8h', '1d', '7d'].map(textChoice),
};
const callsArgument: Argument = {
  name: 'calls',
  title: 'How many calls it may make; nothing: 100',
  optional: true,
  free: typed => (/^([1-9]\d{0,5})?$/.test(typed) ? undefined : 'Type a number, or nothing'),
  choices: () => ['100', '20', '1000'].map(textChoice),
};
const yesNo = (name: string, title: string): Argument => ({
  name,
  title,
  optional: true,
  aside: true,
  free: typed => (['', 'no', 'yes'].includes(typed) ? undefined : 'Type yes or no, or nothing'),
  choices: () => ['no', 'yes'].map(textChoice),
});

export const agents: readonly Command[] = [
  command({
    id: 'agent.add',
    title: 'Delegate an agent…',
    manual: 'agents',
    group: 'manage',
    words: ['mcp', 'ai', 'assistant', 'bot', 'token', 'delegate', 'new'],
    when: signedIn,
    blocked: delegateBlocked,
    args: [
      {
        name: 'name',
        title: 'What it is called, such as deploy-bot',
        free: typed =>
          /^[a-z0-9][a-z0-9._-]{0,62}$/.test(typed)
            ? undefined
            : 'At most 63 lower-case letters, digits and . _ -, such as deploy-bot',
        choices: () => [],
      },
      {
        name: 'roles',
        title: 'Which of your roles, with commas between them; nothing: all, narrowed by what follows',
        optional: true,
        free: () => undefined,
        choices: (_typed, _given, { who }) => (who?.roles ?? []).map(textChoice),
      },
      lifeArgument,
      callsArgument,
      {
        ...labelsArgument,
        title: 'Only what has these labels, such as env=dev; nothing: whatever they reach',
        aside: true,
      },
      {
        name: 'logins',
        title: 'Only as these logins and database users, with commas; nothing: all',
        optional: true,
        aside: true,
        free: () => undefined,
        choices: () => [],
      },
      {
        name: 'kinds',
        title: 'Only these: server, database, cluster, recording, audit; nothing: all',
        optional: true,
        aside: true,
        free: () => undefined,
        choices: () => ['server', 'database', 'server,database'].map(textChoice),
      },
      yesNo('asks', 'Does each of its commands wait for you?'),
    ],
    run: async (...asked) => (await loadActs()).add(...asked),
  }),
  command({
    id: 'agent.show',
    title: 'Show an agent…',
    group: 'list',
    words: ['view', 'details', 'mcp'],
    when: inConsole,
    args: [agentArgument],
    onThing: { label: 'Look', title: name => `Look at ${name}`, icon: 'Eye' },
    run: (given, facts, tools) => showOn('agents', { agent: answer(given, 'agent').value }, facts, tools),
  }),
  command({
    id: 'agent.stop',
    title: 'Stop an agent…',
    manual: 'agents',
    group: 'manage',
    keys: 'shift+x',
    words: ['end', 'kill', 'halt', 'mcp', 'bot'],
    when: signedIn,
    args: [agentArgument],
    onThing: { label: 'Stop', title: name => `Stop ${name}`, icon: 'Lock' },
    refuses: ({ agent }) => (agent?.state === 'stopped' ? 'It is stopped already' : undefined),
    run: async (...asked) => (await loadActs()).stop(...asked),
  }),
  command({
    id: 'agent.renew',
    title: 'Renew an agent…',
    manual: 'agents',
    group: 'manage',
    words: ['extend', 'again', 'longer', 'budget', 'mcp', 'bot', 'new token'],
    when: signedIn,
    blocked: delegateBlocked,
    args: [
      agentArgument,
      lifeArgument,
      callsArgument,
      yesNo('newToken', 'A new token, after which the old one is nothing?'),
    ],
    onThing: { label: 'Renew…', title: name => `Renew ${name}…` },
    fits: isOwn,
    run: async (...asked) => (await loadActs()).renew(...asked),
  }),
  command({
    id: 'agent.remove',
    title: 'Delete an agent…',
    group: 'manage',
    destructive: true,
    words: ['delete', 'remove', 'mcp', 'bot'],
    when: signedIn,
    args: [agentArgument],
    onThing: { label: 'Delete…', title: name => `Delete ${name}…` },
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];
