// People: inviting, resetting and removing them.
import { createResetToken, createUser, deleteUser, updateUser } from '../src/contract/users.ts';
import { to } from '../src/features/paths.ts';
import { answer, Cancelled, CHOICES_MOST, textChoice } from './answer.ts';
import { type Argument, type Command, command, type Facts, type Tools } from './command.ts';
import { findThings, thingArgument } from './find.ts';
import { needs, signedIn } from './gates.ts';

/** What is wrong with a user name, or undefined (contract/shapes name). */
export function wrongName(typed: string): string | undefined {
  if (typed.trim() === '') return 'A user name has at least one character';
  if (typed.length > 255) return 'A user name has at most 255 characters';
  return /[\p{Cc}/\s]/u.test(typed) ? 'A user name has no spaces and no slashes' : undefined;
}

/** `access, auditor` as role names; a sentence when it names none. */
export function readRoles(typed: string): readonly string[] | string {
  const names = [...new Set(typed.split(/[\s,]+/).filter(name => name !== ''))];
  if (names.length === 0) return 'A user holds at least one role';
  return names.length > 100 ? 'A user holds at most 100 roles' : names;
}

const userArgument = thingArgument('user');

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

/** Shows a one-time link and copies it when the person says so; the command line just shows it. */
async function share(
  { surface }: Facts,
  tools: Tools,
  page: 'invite' | 'reset',
  tokenId: string,
  title: string,
  expiry: string,
): Promise<void> {
  const path = to(page, { tokenId });
  const link = tools.link?.(path) ?? path;
  const minutes = Math.max(1, Math.round((Date.parse(expiry) - Date.now()) / 60_000));
  const valid = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  if (surface === 'shell') return tools.notify(`${title}:\n${link}\nThe link works once, for ${valid}.`);
  const copy = await tools.confirm({
    title,
    text: `${link}\nThe link works once, for ${valid}.`,
    action: 'Copy the link',
  });
  if (!copy) return;
  await tools.copyText(link);
  tools.notify('The link has been copied');
}

export const users: readonly Command[] = [
  command({
    id: 'users.invite',
    title: 'Invite a user…',
    group: 'manage',
    words: ['add', 'create', 'new', 'person'],
    when: signedIn,
    blocked: needs('users', 'create', 'users'),
    args: [{ name: 'name', title: 'User name', free: wrongName, choices: () => [] }, rolesArgument],
    run: async (given, facts, tools) => {
      const name = answer(given, 'name').value.trim();
      const roles = readRoles(answer(given, 'roles').value);
      if (typeof roles === 'string') throw new Error(roles);
      await tools.call(createUser, { body: { name, roles: [...roles] } });
      const { tokenId, expiry } = await tools.call(createResetToken, { body: { name, type: 'invite' } });
      await share(facts, tools, 'invite', tokenId, `${name} has been invited`, expiry);
    },
  }),
  command({
    id: 'users.edit',
    title: "Change a user's roles…",
    group: 'manage',
    words: ['edit', 'rights', 'person'],
    when: signedIn,
    blocked: needs('users', 'edit', 'users'),
    args: [userArgument, rolesArgument],
    run: async (given, _facts, tools) => {
      const name = answer(given, 'user').value;
      const roles = readRoles(answer(given, 'roles').value);
      if (typeof roles === 'string') throw new Error(roles);
      await tools.call(updateUser, { body: { name, roles: [...roles] } });
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
    args: [userArgument],
    run: async (given, facts, tools) => {
      const name = answer(given, 'user').value;
      const sure = await tools.confirm({
        title: `Reset how ${name} signs in?`,
        text: 'The password and all devices of this user are deleted. You get a one-time link to pass on.',
        action: 'Reset',
      });
      if (!sure) throw new Cancelled();
      const { tokenId, expiry } = await tools.call(createResetToken, { body: { name, type: 'password' } });
      await share(facts, tools, 'reset', tokenId, `${name} needs this link to sign in again`, expiry);
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
      const sure = await tools.confirm({
        title: `Delete ${name}?`,
        text: 'This user is signed out everywhere and cannot sign in again.',
        action: 'Delete the user',
      });
      if (!sure) throw new Cancelled();
      await tools.call(deleteUser, { params: { name } });
      tools.notify(`${name} has been deleted`);
    },
  }),
];
