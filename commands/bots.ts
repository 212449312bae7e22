// Bots: users that are machines. Adding one hands over the line by which its machine joins.
import { type Command, command } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, needs, onlyAtRoot, signedIn } from './gates.ts';
import { lockTerms } from './locks.ts';
import { showOn } from './show-on.ts';
import { loginsArgument, rolesArgument } from './users.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./bot-acts.ts');

export const bots: readonly Command[] = [
  command({
    id: 'bot.add',
    title: 'Add a bot…',
    manual: 'addBot',
    group: 'manage',
    words: ['machine identity', 'create', 'new', 'robot', 'pipeline', 'ci', 'service account'],
    when: signedIn,
    blocked: facts => needs('bots', 'create', 'bots')(facts) ?? onlyAtRoot(facts),
    args: [
      {
        name: 'name',
        title: 'Name',
        free: typed =>
          /^[a-z0-9][a-z0-9-]{0,58}$/.test(typed) ? undefined : 'At most 59 lower-case letters, digits and dashes',
        choices: () => [],
      },
      rolesArgument,
      loginsArgument,
    ],
    run: async (...asked) => (await loadActs()).add(...asked),
  }),
  command({
    id: 'bot.create',
    title: 'Fill in the form for a new bot',
    manual: 'addBot',
    group: 'manage',
    words: ['add', 'machine identity', 'robot', 'pipeline', 'github', 'gitlab', 'kubernetes'],
    when: inConsole,
    blocked: facts => needs('bots', 'create', 'bots')(facts) ?? onlyAtRoot(facts),
    run: (_given, facts, tools) => showOn('bots', { new: 'yes' }, facts, tools),
  }),
  command({
    id: 'bot.line',
    title: 'Let another machine join as a bot…',
    manual: 'addBot',
    group: 'manage',
    words: ['line', 'token', 'again', 'copy', 'machine identity', 'robot'],
    when: signedIn,
    blocked: facts => needs('tokens', 'create', 'join tokens')(facts) ?? onlyAtRoot(facts),
    args: [listedArgument('bot')],
    onThing: { label: 'Line to join…', title: name => `Line by which a machine joins as ${name}…`, icon: 'Copy' },
    run: async (...asked) => (await loadActs()).line(...asked),
  }),
  command({
    id: 'bot.lock',
    title: 'Lock a bot…',
    group: 'manage',
    words: ['stop', 'suspend', 'hold', 'machine identity', 'robot'],
    when: signedIn,
    blocked: facts =>
      needs('lock', 'create', 'locks')(facts) ?? needs('lock', 'edit', 'locks')(facts) ?? onlyAtRoot(facts),
    args: [listedArgument('bot'), ...lockTerms('Why it is locked')],
    onThing: { label: 'Lock…', title: name => `Lock ${name}…`, icon: 'Lock' },
    run: async (...asked) => (await loadActs()).lock(...asked),
  }),
  command({
    id: 'bot.remove',
    title: 'Remove a bot…',
    group: 'manage',
    destructive: true,
    words: ['delete', 'machine identity', 'robot'],
    when: signedIn,
    blocked: facts => needs('bots', 'remove', 'bots')(facts) ?? onlyAtRoot(facts),
    args: [listedArgument('bot')],
    onThing: { label: 'Remove…', title: name => `Remove ${name}…` },
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];
