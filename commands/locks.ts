// Locks: holding somebody or something back at once, and letting go again.
import {
  createLock,
  deleteLock,
  isLockTime,
  listLocks,
  lockTargets,
  readLockTarget,
  targetOf,
} from '../src/contract/locks.ts';
import type { SearchedNoun } from '../src/contract/search.ts';
import { answer, Cancelled, CHOICES_MOST, textChoice } from './answer.ts';
import { type Argument, type Choice, type Command, command, type Facts } from './command.ts';
import { findThings } from './find.ts';
import { needs, onlyAtRoot, signedIn } from './gates.ts';

/** Kinds that are looked for by name, and what a lock calls them. */
const named = { user: 'user', role: 'role', server: 'server_id' } as const satisfies Partial<
  Record<SearchedNoun, keyof typeof lockTargets>
>;
const namedKinds = Object.keys(named) as readonly (keyof typeof named)[];

const targetArgument: Argument = {
  name: 'target',
  title: 'Whom or what: a user, role:NAME, login:NAME, a server',
  free: typed => {
    const read = readLockTarget(typed);
    return typeof read === 'string' ? read : undefined;
  },
  choices: async (typed, _given, facts, tools) => {
    const found = await findThings(tools, facts.clusterId, namedKinds, typed, CHOICES_MOST);
    const choices = namedKinds.flatMap(kind =>
      (found.get(kind)?.things ?? []).map(
        (thing): Choice => ({
          value: `${named[kind]}:${thing.id}`,
          title: thing.title,
          detail: lockTargets[named[kind]],
        }),
      ),
    );
    return choices.slice(0, CHOICES_MOST);
  },
};

/** `lock alice 2h "left laptop in a taxi"`: the words after the target are how long, where they say so, and the message. */
function readPhrase(typed: string): Readonly<Record<string, string>> | undefined {
  const [, target, rest = ''] = /^lock\s+("[^"]*"|[^\s"]+)(?:\s+([\s\S]*))?$/i.exec(typed) ?? [];
  if (target === undefined) return undefined;
  const [, first = '', more = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  const isTimed = isLockTime(first);
  const message = (isTimed ? more : rest).trim().replace(/^"([^"]*)"?$/, '$1');
  return {
    target: target.replaceAll('"', ''),
    ...(isTimed && { ttl: first }),
    ...(message !== '' && { message }),
  };
}

/** Whether a lock holds back whoever makes it. */
const isOwn = ({ who }: Facts, targets: ReturnType<typeof readLockTarget>): boolean =>
  typeof targets !== 'string' &&
  who !== null &&
  (targets.user === who.userName || (targets.role !== undefined && who.roles.includes(targets.role)));

export const locks: readonly Command[] = [
  command({
    id: 'locks.create',
    title: 'Lock…',
    group: 'manage',
    words: ['block', 'suspend', 'ban', 'stop', 'hold', 'user', 'role', 'login'],
    when: signedIn,
    blocked: facts =>
      needs('lock', 'create', 'locks')(facts) ?? needs('lock', 'edit', 'locks')(facts) ?? onlyAtRoot(facts),
    args: [
      targetArgument,
      {
        name: 'ttl',
        title: 'For how long, such as 2h; nothing: until it is taken away',
        optional: true,
        free: typed => (typed === '' || isLockTime(typed) ? undefined : 'Type a time such as 2h45m, or nothing'),
        choices: () => ['1h', '8h', '1d', '7d'].map(textChoice),
      },
      {
        name: 'message',
        title: 'What whoever is locked is told',
        optional: true,
        free: typed => (typed.length > 1024 ? 'A message has at most 1024 characters' : undefined),
        choices: () => [],
      },
    ],
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
    run: async (given, facts, tools) => {
      const targets = readLockTarget(answer(given, 'target').value);
      if (typeof targets === 'string') throw new Error(targets);
      const what = `${lockTargets[targetOf({ targets })[0]]} ${answer(given, 'target').title}`;
      const questions = isOwn(facts, targets)
        ? [
            { title: 'Lock yourself?', text: `A lock on ${what} holds you back too: you are signed out at once.` },
            {
              title: 'Really lock yourself?',
              text: 'Only somebody else, or the gateway’s machine, can let you in again.',
            },
          ]
        : [];
      for (const question of questions)
        if (!(await tools.confirm({ ...question, action: 'Lock myself' }))) throw new Cancelled();
      const { expires } = await tools.call(createLock, {
        params: { clusterId: facts.clusterId },
        body: { targets, ttl: given.ttl?.value ?? '', message: given.message?.value ?? '' },
      });
      tools.notify(
        expires === '' ? `Locked ${what}` : `Locked ${what} until ${expires.slice(0, 16).replace('T', ' ')} UTC`,
      );
    },
  }),
  command({
    id: 'locks.remove',
    title: 'Take a lock away…',
    group: 'manage',
    words: ['unlock', 'delete', 'let in', 'release'],
    when: signedIn,
    blocked: facts => needs('lock', 'remove', 'locks')(facts) ?? onlyAtRoot(facts),
    args: [
      {
        name: 'lock',
        title: 'Lock',
        once: true,
        choices: async (_typed, _given, { clusterId }, tools) =>
          (await tools.call(listLocks, { params: { clusterId } })).map(lock => {
            const [kind, name] = targetOf(lock);
            return { value: lock.name, title: `${lockTargets[kind]} ${name}`, detail: lock.message };
          }),
      },
    ],
    run: async (given, { clusterId }, tools) => {
      const { value: name, title } = answer(given, 'lock');
      await tools.call(deleteLock, { params: { clusterId, name } });
      tools.notify(`The lock on ${title} has been taken away`);
    },
  }),
];
