// Locks: holding somebody or something back at once, and letting go again.
import {
  LOCK_TIME_HINT,
  lockTargets,
  readLockName,
  readLockTargets,
  readLockTime,
} from '../src/contract/lock-words.ts';
import type { SearchedNoun } from '../src/contract/search.ts';
import { nouns } from '../src/features/nouns.ts';
import { answer, CHOICES_MOST, textChoice } from './answer.ts';
import { type Argument, type Choice, type Command, command, type Facts } from './command.ts';
import { found, listedArgument, thingArgument } from './find.ts';
import { inConsole, needs, onlyAtRoot, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./lock-acts.ts');

/** Kinds that are looked for by name, and what a lock calls them. */
const named = {
  user: 'user',
  role: 'role',
  server: 'server_id',
  desktop: 'windows_desktop',
} as const satisfies Partial<Record<SearchedNoun, keyof typeof lockTargets>>;
const namedKinds = Object.keys(named) as readonly (keyof typeof named)[];

/** How long a lock holds, and its message; `asked`: what the message is asked for with. Both may stay empty. */
export const lockTerms = (asked: string): readonly Argument[] => [
  {
    name: 'ttl',
    title: 'For how long, such as 2h; nothing: until it is taken away',
    optional: true,
    free: typed =>
      typed === '' || readLockTime(typed) !== undefined ? undefined : `Type ${LOCK_TIME_HINT}, or nothing`,
    choices: () => ['1h', '8h', '1d', '7d'].map(textChoice),
  },
  {
    name: 'message',
    title: asked,
    optional: true,
    free: typed => (typed.length > 1024 ? 'A message has at most 1024 characters' : undefined),
    choices: () => [],
  },
];

const targetArgument: Argument = {
  name: 'target',
  title: 'Whom or what: users, role:NAME, login:NAME, servers',
  free: typed => {
    const read = readLockTargets(typed);
    return typeof read === 'string' ? read : undefined;
  },
  choices: async (typed, _given, facts, tools) => {
    const choices = (await found(tools, facts, namedKinds, typed)).map((thing): Choice => {
      const target = named[thing.kind as keyof typeof named];
      const id = thing.id.includes(',') ? `"${thing.id}"` : thing.id;
      return { value: `${target}:${id}`, title: thing.title, detail: lockTargets[target] };
    });
    return choices.slice(0, CHOICES_MOST);
  },
};

/** `lock alice,bob 2h "left laptop in a taxi"`: the words after the targets are how long, where they say so, and the message. */
function readPhrase(typed: string): Readonly<Record<string, string>> | undefined {
  const [, device, ofDevice = ''] = /^lock\s+device\s+("[^"]*"|[^\s"]+)(?:\s+([\s\S]*))?$/i.exec(typed) ?? [];
  const [, one, more = ''] = /^lock\s+("[^"]*"|[^\s"]+)(?:\s+([\s\S]*))?$/i.exec(typed) ?? [];
  // "lock device 2h" is about a user of that name.
  const isDevice = device !== undefined && readLockTime(device) === undefined;
  const target = isDevice ? `device:${device}` : one;
  const rest = isDevice ? ofDevice : more;
  if (target === undefined) return undefined;
  const [, first = '', after = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  const isTimed = readLockTime(first) !== undefined;
  const message = (isTimed ? after : rest).trim().replace(/^"([^"]*)"?$/, '$1');
  return {
    target: target.replaceAll('"', ''),
    ...(isTimed && { ttl: first }),
    ...(message !== '' && { message }),
  };
}

const lockArgument = listedArgument('lock');
const blocked = (facts: Facts): string | undefined =>
  needs('lock', 'create', 'locks')(facts) ?? needs('lock', 'edit', 'locks')(facts) ?? onlyAtRoot(facts);

/** Leads from something that can be locked to the form that locks it, with it as the first target. */
const lockRows: readonly Command[] = namedKinds.map(kind => {
  const { one, many } = nouns[kind];
  return command({
    id: `${many}.lock`,
    title: `Choose a ${one} to lock…`,
    group: 'manage',
    words: ['block', 'suspend', 'hold', 'stop'],
    when: inConsole,
    blocked,
    args: [thingArgument(kind)],
    onThing: { label: 'Lock…', title: name => `Lock ${name}…`, icon: 'Lock' },
    run: (given, { clusterId }, tools) => {
      const { value, title } = answer(given, kind);
      tools.go('newLock', { clusterId }, { target: `${named[kind]}:${value}`, title });
    },
  });
});

export const locks: readonly Command[] = [
  command({
    id: 'locks.create',
    title: 'Lock…',
    group: 'manage',
    words: ['block', 'suspend', 'ban', 'stop', 'hold', 'user', 'role', 'login'],
    when: signedIn,
    blocked,
    args: [targetArgument, ...lockTerms('What whoever is locked is told')],
    phrase: {
      example: 'lock alice 2h "left laptop in a taxi"',
      usage: {
        name: 'lock',
        args: [
          { name: 'target', text: 'TARGET' },
          { name: 'ttl', text: '[TIME]' },
          { name: 'message', text: '[MESSAGE…]' },
        ],
      },
      read: readPhrase,
    },
    run: async (...asked) => (await loadActs()).create(...asked),
  }),
  ...lockRows,
  command({
    id: 'locks.show',
    title: 'Show a lock…',
    group: 'manage',
    words: ['view', 'details', 'message', 'expires'],
    when: inConsole,
    blocked: needs('lock', 'list', 'locks'),
    args: [lockArgument],
    onThing: { label: 'Show', title: name => `Show the lock on ${name}`, icon: 'Eye' },
    run: (given, facts, tools) => showOn('locks', { lock: answer(given, 'lock').value }, facts, tools),
  }),
  command({
    id: 'locks.remove',
    title: 'Take a lock away…',
    group: 'manage',
    words: ['unlock', 'delete', 'let in', 'release'],
    when: signedIn,
    blocked: facts => needs('lock', 'remove', 'locks')(facts) ?? onlyAtRoot(facts),
    args: [lockArgument],
    phrase: {
      example: 'unlock alice',
      usage: { name: 'unlock', args: [{ name: 'lock', text: 'LOCK' }] },
      read: typed => {
        const [, lock] = /^unlock\s+"?([^"]+?)"?\s*$/i.exec(typed) ?? [];
        return lock === undefined ? undefined : { lock: readLockName(lock) };
      },
    },
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];
