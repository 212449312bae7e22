// People: inviting, resetting and removing them.
import type { BodyOf } from '../src/contract/call.ts';
import {
  checkUser,
  createResetToken,
  createUser,
  deleteUser,
  getUser,
  listUsers,
  type User,
  updateUser,
} from '../src/contract/users.ts';
import { to } from '../src/features/paths.ts';
import { untilText } from '../src/features/times.ts';
import { answer, CHOICES_MOST, confirmed, textChoice } from './answer.ts';
import { type Argument, type Command, command, type Facts, type Given, type Tools } from './command.ts';
import { findThings, thingArgument } from './find.ts';
import { inConsole, may, needs, signedIn } from './gates.ts';
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
const rolesArgument: Argument = {
  name: 'roles',
  title: 'Roles, separated by commas',
  free: typed => {
    const read = readRoles(typed);
    return typeof read === 'string' ? read : undefined;
  },
  choices: async (typed, _given, facts, tools) => {
    const comma = typed.lastIndexOf(',') + 1;
    const kept = typed.slice(0, comma).trim();
    const found = await findThings(tools, facts.clusterId, ['role'], typed.slice(comma), CHOICES_MOST);
    return (found.get('role')?.things ?? []).map(role =>
      textChoice(kept === '' ? role.title : `${kept} ${role.title}`),
    );
  },
};

/** Logins on servers: those that somebody has already are offered. */
const loginsArgument: Argument = {
  name: 'logins',
  title: 'Logins on servers, separated by commas',
  optional: true,
  aside: true,
  free: typed =>
    namesIn(typed)
      .map(wrongLogin)
      .find(wrong => wrong !== undefined),
  choices: async (typed, _given, facts, tools) => {
    if (!may('users', 'list')(facts)) return [];
    const comma = typed.lastIndexOf(',') + 1;
    const kept = typed.slice(0, comma).trim();
    const wanted = typed.slice(comma).trim().toLowerCase();
    const known = (await tools.call(listUsers)).flatMap(({ traits }) => traits?.logins ?? []);
    return [...new Set(known)]
      .filter(login => login.toLowerCase().includes(wanted))
      .sort()
      .slice(0, CHOICES_MOST)
      .map(login => textChoice(kept === '' ? login : `${kept} ${login}`));
  },
};

/** Makes a one-time link and hands it over: to whoever is invited, or must choose a new password. */
async function handOverLink(
  tools: Pick<Tools, 'call' | 'handOver' | 'link'>,
  name: string,
  type: 'invite' | 'password',
): Promise<void> {
  const { tokenId, expiry } = await tools.call(createResetToken, { body: { name, type } });
  const path = to(type === 'invite' ? 'invite' : 'reset', { tokenId });
  await tools.handOver({
    title: type === 'invite' ? `${name} has been invited` : `${name} needs this link to sign in again`,
    text: `Pass this link on to ${name}. It works once, for ${untilText(expiry, new Date())}.`,
    link: tools.link?.(path) ?? path,
  });
}

/** What an administrator is asked who would take their own right to edit users and roles. */
const LAST_RIGHT = {
  title: 'Take your own right to edit users and roles?',
  text: 'With these roles you can no longer edit users and roles. That is so at once, and only somebody else can give it back.',
  action: 'Take it from myself',
} as const;

/** Replaces roles and traits of a user: whoever would lose their own right to edit users and roles is asked first. Throws Cancelled. */
export async function changeUser(
  { call, confirm }: Pick<Tools, 'call' | 'confirm'>,
  who: Facts['who'],
  body: BodyOf<typeof updateUser>,
): Promise<User> {
  if (who?.userName === body.name) {
    const { losesAdministration } = await call(checkUser, { body });
    if (losesAdministration) await confirmed({ confirm }, LAST_RIGHT);
  }
  return call(updateUser, { body });
}

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
      await tools.call(createUser, {
        body: { name, roles: [...roles], ...(logins.length > 0 ? { traits: { logins: [...logins] } } : {}) },
      });
      await handOverLink(tools, name, 'invite');
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
    run: async (given, _facts, tools) => handOverLink(tools, localUser(given), 'invite'),
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
        held: async (given, tools) =>
          (await tools.call(getUser, { params: { name: answer(given, 'user').value } })).roles,
      },
    ],
    run: async (given, { who }, tools) => {
      const name = answer(given, 'user').value;
      const roles = readRoles(answer(given, 'roles').value);
      if (typeof roles === 'string') throw new Error(roles);
      await changeUser(tools, who, { name, roles: [...roles] });
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
      await confirmed(tools, {
        title: `Reset how ${name} signs in?`,
        text: 'The password and all devices of this user are deleted. You get a one-time link to pass on.',
        action: 'Reset',
      });
      await handOverLink(tools, name, 'password');
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
      await confirmed(tools, {
        title: `Delete ${name}?`,
        text: 'This user is signed out everywhere and cannot sign in again.',
        action: 'Delete the user',
      });
      await tools.call(deleteUser, { params: { name } });
      tools.notify(`${name} has been deleted`);
    },
  }),
];
