// The assistant: its panel, and what it makes for terminals and the audit log. It proposes; what it makes is run by a person's own key.
import { answer } from './answer.ts';
import { type Command, command, type Facts } from './command.ts';
import { hasTerminal, may, needs, reachesInConsole } from './gates.ts';

const isThere = reachesInConsole('assist');
const mayUse = (facts: Facts): boolean => isThere(facts) && may('assist', 'use')(facts);
const inTerminal = (facts: Facts): boolean => mayUse(facts) && hasTerminal(facts);

/** What is made of words. */
const made = (kind: 'command' | 'query', row: Omit<Command, 'id' | 'run'>): Command => ({
  ...row,
  id: `assist.${kind}`,
  args: [
    {
      name: 'words',
      title: 'In words',
      free: typed => (typed.trim() === '' ? 'Say it in words' : undefined),
      choices: () => [],
    },
  ],
  run: (given, _facts, tools) => tools.assist?.({ kind, words: answer(given, 'words').value }),
});

export const assist: readonly Command[] = [
  command({
    id: 'assist.toggle',
    title: 'Show or hide the assistant',
    group: 'console',
    keys: 'mod+/',
    words: ['ai', 'chat'],
    when: isThere,
    run: (_given, _facts, tools) => tools.assist?.({ kind: 'toggle' }),
  }),
  made('command', {
    title: 'Make a command with the assistant…',
    group: 'terminal',
    terminalKeys: 'ctrl+shift+a',
    words: ['ai'],
    when: inTerminal,
  }),
  command({
    id: 'assist.explain',
    title: 'Explain the selection in the terminal',
    group: 'terminal',
    words: ['ai', 'assistant'],
    when: inTerminal,
    blocked: ({ terminal }) => (terminal?.hasSelection ? undefined : 'Select something in the terminal first'),
    run: (_given, _facts, tools) => tools.assist?.({ kind: 'explain' }),
  }),
  made('query', {
    title: 'Write a search of the audit log with the assistant…',
    group: 'manage',
    words: ['ai'],
    when: mayUse,
    blocked: needs('events', 'list', 'audit events'),
  }),
];
