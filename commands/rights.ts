// Rights as questions: what somebody may reach, who may reach something, and why.
import { aclFlags, aclResources } from '../src/contract/acl.ts';
import type { AccessAction } from '../src/contract/rights.ts';
import type { SearchedNoun } from '../src/contract/search.ts';
import { nouns } from '../src/features/nouns.ts';
import { actionOn, actions, reachable } from '../src/features/reach.ts';
import { answer, choiceOf, textChoice } from './answer.ts';
import { type Argument, type Command, command, type Facts } from './command.ts';
import { found, thingArgument } from './find.ts';
import { inConsole, needs } from './gates.ts';

/** About others: for whoever may read users and roles. */
const aboutOthers = (facts: Facts): string | undefined =>
  needs('users', 'read', 'users')(facts) ?? needs('roles', 'read', 'roles')(facts);

const actionIn = (typed: string | undefined): AccessAction | undefined => actions.find(name => name === typed);

const ruleVerbs: readonly string[] = Object.values(aclFlags);
const isVerb = (typed: string | undefined): boolean => ruleVerbs.some(verb => verb === typed);

/** Oneself, and everybody else for those who may know. */
const personArgument: Argument = {
  ...thingArgument('user'),
  choices: async (typed, given, facts, tools) => {
    const name = facts.who?.userName ?? '';
    const others =
      aboutOthers(facts) === undefined ? await thingArgument('user').choices(typed, given, facts, tools) : [];
    const own = name.includes(typed.trim()) ? [{ ...textChoice(name), detail: 'you' }] : [];
    return [...own, ...others.filter(({ value }) => value !== name)];
  },
};

const targetArgument: Argument = {
  name: 'target',
  title: 'On what',
  choices: async (typed, given, facts, tools) => {
    if (isVerb(given.action?.value))
      return Object.keys(aclResources)
        .filter(kind => kind.includes(typed.trim()))
        .map(textChoice);
    const kind: SearchedNoun = reachable[actionIn(given.action?.value) ?? 'ssh'].noun;
    return (await found(tools, facts, [kind], typed)).map(choiceOf);
  },
  // What one's own roles do not show can be asked about all the same: the gateway says what it may.
  free: typed => (/^\S{1,255}$/.test(typed) ? undefined : 'Type a name or an id'),
};

const principalArgument: Argument = {
  name: 'login',
  title: 'As which login, database user or group; nothing: as any',
  optional: true,
  free: typed => (typed.length > 255 ? 'A login has at most 255 characters' : undefined),
  choices: (typed, given) =>
    (given.target?.thing?.logins ?? []).filter(login => login.includes(typed.trim())).map(textChoice),
};

/** `can alice ssh root@db-3`; what is not typed yet is asked for. */
function readCan(typed: string): Readonly<Record<string, string>> | undefined {
  const [, user, action, login, target] = /^can\s+(\S+)(?:\s+(\S+)(?:\s+(?:(\S+)@)?(\S+))?)?\s*$/i.exec(typed) ?? [];
  if (user === undefined) return undefined;
  return {
    user,
    ...(action !== undefined && { action }),
    ...(target !== undefined && { target }),
    ...(login !== undefined && { login }),
  };
}

/** The page of everybody who reaches one of a kind, from its row. */
const reachers = (kind: (typeof reachable)[AccessAction]['noun']): Command =>
  command({
    id: `${nouns[kind].listing.split('.')[0]}.reachers`,
    title: `Show who may reach a ${nouns[kind].one}…`,
    group: 'manage',
    words: ['rights', 'access', 'permissions', 'people'],
    when: inConsole,
    blocked: aboutOthers,
    args: [thingArgument(kind)],
    run: (given, { clusterId }, tools) =>
      tools.go('rights', { clusterId }, { action: actionOn(kind) ?? '', target: answer(given, kind).value }),
  });

export const rights: readonly Command[] = [
  command({
    id: 'users.reached',
    title: 'Show what a user may reach…',
    group: 'manage',
    words: ['rights', 'access', 'permissions', 'servers', 'databases'],
    when: inConsole,
    blocked: aboutOthers,
    args: [thingArgument('user')],
    run: (given, { clusterId }, tools) => tools.go('rights', { clusterId }, { user: answer(given, 'user').value }),
  }),
  ...actions.map(action => reachers(reachable[action].noun)),
  command({
    id: 'rights.why',
    title: 'Why may somebody reach something, or not…',
    group: 'manage',
    words: ['can', 'explain', 'denied', 'refused', 'rights', 'permissions'],
    when: inConsole,
    args: [
      personArgument,
      {
        name: 'action',
        title: 'How',
        once: true,
        choices: () => [
          ...actions.map(action => ({ ...textChoice(action), detail: nouns[reachable[action].noun].many })),
          ...ruleVerbs.map(verb => ({ ...textChoice(verb), detail: 'rules of roles' })),
        ],
      },
      targetArgument,
      principalArgument,
    ],
    phrase: {
      example: 'can alice ssh root@db-3',
      usage: {
        name: 'can',
        args: [
          { name: 'user', text: 'USER' },
          { name: 'action', text: [...actions, 'VERB'].join('|') },
          { name: 'login', text: '[LOGIN@]' },
          { name: 'target', text: 'TARGET' },
        ],
      },
      read: readCan,
      write: ({ user = '', action, login, target }) =>
        ['can', user, action, target && `${login === undefined ? '' : `${login}@`}${target}`]
          .filter(word => word !== undefined)
          .join(' '),
    },
    run: (given, { clusterId }, tools) =>
      tools.go(
        'why',
        { clusterId },
        {
          user: answer(given, 'user').value,
          action: answer(given, 'action').value,
          target: answer(given, 'target').value,
          login: given.login?.value ?? '',
        },
      ),
  }),
];
