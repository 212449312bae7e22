// People: inviting, resetting and removing them.
import { answer } from './answer.ts';
import { type Argument, type Command, command, type Given } from './command.ts';
import { thingArgument } from './find.ts';
import { inConsole, needs, signedIn } from './gates.ts';
import { wrongLogin } from './login.ts';
import { showOn } from './show-on.ts';

/** What is wrong with a user name, or undefined (contract/shapes name). */
export function wrongName(typed: string): string | undefined {
  if (typed.trim() === '') return 'A user name has at least one character';
  if (typed.length > 255) return 'A user name has at most 255 characters';
  return /[\p{Cc}/\s]/u.test(typed) ? 'A user name has no spaces and no slashes' : undefined;
}

/** Names that are separated by commas or spaces, each once. */
export const namesIn = (typed: string): readonly string[] => [
  ...new Set(typed.split(/[\s,]+/).filter(name => name !== '')),
];

/** `access, auditor` as role names; a sentence when it names none. */
export function readRoles(typed: string): readonly string[] | string {
  const names = namesIn(typed);
  if (names.length === 0) return 'A user holds at least one role';
  return names.length > 100 ? 'A user holds at most 100 roles' : names;
}

/** What is done to users, fetched when somebody does it. */
const loadActs = () => import('./change-users.ts');

const userArgument = thingArgument('user');
/** Users who have something to reset here. */
const localUserArgument: Argument = {
  ...userArgument,
  choices: async (...asked) =>
    (await userArgument.choices(...asked)).map(choice =>
      choice.thing?.elsewhere === undefined ? choice : { ...choice, refused: choice.thing.elsewhere },
    ),
};
/** A user whom the command is for. Throws what the gateway would say of anybody else. */
function localUser(given: Given): string {
  const { value, thing } = answer(given, 'user');
  if (thing?.elsewhere !== undefined) throw new Error(thing.elsewhere);
  return value;
}

/** One role from the list, or several names separated by commas: what stands before the last comma is kept. */
export const rolesArgument: Argument = {
  name: 'roles',
  title: 'Roles, separated by commas',
  free: typed => {
    const read = readRoles(typed);
    return typeof read === 'string' ? read : undefined;
  },
  choices: async (...asked) => (await loadActs()).roleChoices(...asked),
};

/** Logins on servers: those that somebody has already are offered. */
export const loginsArgument: Argument = {
  name: 'logins',
  title: 'Logins on servers, separated by commas',
  optional: true,
  aside: true,
  free: typed =>
    namesIn(typed)
      .map(wrongLogin)
      .find(wrong => wrong !== undefined),
  choices: async (...asked) => (await loadActs()).loginChoices(...asked),
};

/** What the console calls it, wherever a form or a button does it. */
export const INVITE = 'Invite a user';

export const users: readonly Command[] = [
  command({
    id: 'users.invite',
    title: `${INVITE}…`,
    manual: 'inviteUser',
    group: 'manage',
    words: ['add', 'create', 'new', 'person'],
    when: signedIn,
    blocked: needs('users', 'create', 'users'),
    args: [{ name: 'name', title: 'User name', free: wrongName, choices: () => [] }, rolesArgument, loginsArgument],
    run: async (given, _facts, tools) => {
      const name = answer(given, 'name').value.trim();
      const roles = readRoles(answer(given, 'roles').value);
      if (typeof roles === 'string') throw new Error(roles);
      const logins = namesIn(given.logins?.value ?? '');
      await (await loadActs()).inviteUser(tools, name, roles, logins);
    },
  }),
  command({
    id: 'users.create',
    title: 'Fill in the form for a new user',
    group: 'manage',
    words: ['add', 'invite', 'person', 'logins', 'traits'],
    when: inConsole,
    blocked: needs('users', 'create', 'users'),
    run: (_given, facts, tools) => showOn('users', { new: 'yes' }, facts, tools),
  }),
  command({
    id: 'users.open',
    title: 'Edit a user…',
    group: 'manage',
    words: ['change', 'roles', 'logins', 'traits', 'person'],
    when: inConsole,
    blocked: needs('users', 'edit', 'users'),
    args: [userArgument],
    onThing: { label: 'Edit', title: name => `Edit ${name}`, icon: 'Pencil' },
    fits: ({ elsewhere }) => elsewhere === undefined,
    run: (given, facts, tools) => showOn('users', { edit: answer(given, 'user').value }, facts, tools),
  }),
  command({
    id: 'users.link',
    title: 'Make a new invite link…',
    group: 'manage',
    words: ['again', 'invitation', 'lost', 'expired', 'user'],
    when: signedIn,
    blocked: needs('users', 'edit', 'users'),
    refuses: ({ elsewhere }) => elsewhere,
    args: [localUserArgument],
    run: async (given, _facts, tools) => (await loadActs()).handOverLink(tools, localUser(given), 'invite'),
  }),
  command({
    id: 'users.edit',
    title: "Change a user's roles…",
    group: 'manage',
    words: ['edit', 'rights', 'person'],
    when: signedIn,
    blocked: needs('users', 'edit', 'users'),
    fits: ({ elsewhere }) => elsewhere === undefined,
    args: [
      userArgument,
      {
        ...rolesArgument,
        title: 'Roles to add or to take away',
        held: async (given, tools) => (await loadActs()).rolesOf(tools, answer(given, 'user').value),
      },
    ],
    run: async (given, { who }, tools) => {
      const name = answer(given, 'user').value;
      const roles = readRoles(answer(given, 'roles').value);
      if (typeof roles === 'string') throw new Error(roles);
      await (await loadActs()).changeUser(tools, who, { name, roles: [...roles] });
      tools.notify(`${name} now holds ${roles.join(', ')}`);
    },
  }),
  command({
    id: 'users.reset',
    title: 'Reset how a user signs in…',
    group: 'manage',
    destructive: true,
    words: ['password', 'authentication', 'forgot'],
    when: signedIn,
    blocked: needs('users', 'edit', 'users'),
    refuses: ({ elsewhere }) => elsewhere,
    args: [localUserArgument],
    run: async (given, _facts, tools) => {
      const name = localUser(given);
      await (await loadActs()).resetUser(tools, name);
    },
  }),
  command({
    id: 'users.remove',
    title: 'Delete a user…',
    group: 'manage',
    destructive: true,
    words: ['remove', 'person'],
    when: signedIn,
    blocked: needs('users', 'remove', 'users'),
    args: [userArgument],
    run: async (given, _facts, tools) => {
      const name = answer(given, 'user').value;
      await (await loadActs()).removeUser(tools, name);
    },
  }),
];
