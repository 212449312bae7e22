// Locks: holding somebody or something back at once, and letting go again.
import {
  createLock,
  deleteLock,
  LOCK_TIME_HINT,
  type Lock,
  listLocks,
  lockEnd,
  lockedThing,
  lockTargets,
  readLockName,
  readLockTargets,
  readLockTime,
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
  title: 'Whom or what: users, role:NAME, login:NAME, servers',
  free: typed => {
    const read = readLockTargets(typed);
    return typeof read === 'string' ? read : undefined;
  },
  choices: async (typed, _given, facts, tools) => {
    const found = await findThings(tools, facts.clusterId, namedKinds, typed, CHOICES_MOST);
    const choices = namedKinds.flatMap(kind =>
      (found.get(kind)?.things ?? []).map(
        (thing): Choice => ({
          value: `${named[kind]}:${thing.id.includes(',') ? `"${thing.id}"` : thing.id}`,
          title: thing.title,
          detail: lockTargets[named[kind]],
        }),
      ),
    );
    return choices.slice(0, CHOICES_MOST);
  },
};

/** `lock alice,bob 2h "left laptop in a taxi"`: the words after the targets are how long, where they say so, and the message. */
function readPhrase(typed: string): Readonly<Record<string, string>> | undefined {
  const [, target, rest = ''] = /^lock\s+("[^"]*"|[^\s"]+)(?:\s+([\s\S]*))?$/i.exec(typed) ?? [];
  if (target === undefined) return undefined;
  const [, first = '', more = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  const isTimed = readLockTime(first) !== undefined;
  const message = (isTimed ? more : rest).trim().replace(/^"([^"]*)"?$/, '$1');
  return {
    target: target.replaceAll('"', ''),
    ...(isTimed && { ttl: first }),
    ...(message !== '' && { message }),
  };
}

/** Whether a lock holds back whoever makes it. */
const isOwn = ({ who }: Facts, targets: Lock['targets']): boolean =>
  who !== null && (targets.user === who.userName || (targets.role !== undefined && who.roles.includes(targets.role)));

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
        free: typed =>
          typed === '' || readLockTime(typed) !== undefined ? undefined : `Type ${LOCK_TIME_HINT}, or nothing`,
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
      const typed = answer(given, 'target');
      const targets = readLockTargets(typed.value);
      if (typeof targets === 'string') throw new Error(targets);
      const whatOf = (one: Lock['targets']): string => {
        const [kind, name] = targetOf({ targets: one });
        // What was picked has a title beside its id; what was typed is its own.
        return `${lockTargets[kind]} ${targets.length === 1 && typed.title !== typed.value ? typed.title : name}`;
      };
      const own = targets.find(one => isOwn(facts, one));
      const questions = own
        ? [
            {
              title: 'Lock yourself?',
              text: `A lock on ${whatOf(own)} holds you back too: you are signed out at once.`,
            },
            {
              title: 'Really lock yourself?',
              text: 'Only somebody else, or the gateway’s machine, can let you in again.',
            },
          ]
        : [];
      for (const question of questions)
        if (!(await tools.confirm({ ...question, action: 'Lock myself' }))) throw new Cancelled();
      const ttl = readLockTime(given.ttl?.value ?? '') ?? '';
      // Whoever locks themselves makes that lock last: after it no call of theirs counts.
      for (const one of targets.toSorted((a, b) => Number(isOwn(facts, a)) - Number(isOwn(facts, b)))) {
        const made = await tools.call(createLock, {
          params: { clusterId: facts.clusterId },
          body: { targets: one, ttl, message: given.message?.value ?? '' },
        });
        tools.notify(`Locked ${whatOf(one)}${made.expires === '' ? '' : ` until ${lockEnd(made)}`}`);
      }
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
          (await tools.call(listLocks, { params: { clusterId } })).map(lock => ({
            value: lock.name,
            title: lockedThing(lock),
            detail: [lockEnd(lock) && `until ${lockEnd(lock)}`, lock.message].filter(part => part !== '').join(' · '),
          })),
      },
    ],
    phrase: {
      example: 'unlock alice',
      usage: { name: 'unlock', args: [{ name: 'lock', text: 'LOCK' }] },
      read: typed => {
        const [, lock] = /^unlock\s+"?([^"]+?)"?\s*$/i.exec(typed) ?? [];
        return lock === undefined ? undefined : { lock: readLockName(lock) };
      },
    },
    run: async (given, { clusterId }, tools) => {
      const { value: name, title } = answer(given, 'lock');
      await tools.call(deleteLock, { params: { clusterId, name } });
      tools.notify(`The lock on ${title} has been taken away`);
    },
  }),
];
