// What commands and forms do to users: apart from the rows, because nobody needs it before somebody does one of them.
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
import { CHOICES_MOST, confirmed, textChoice } from './answer.ts';
import type { Argument, Facts, Tools } from './command.ts';
import { found } from './find.ts';
import { may } from './gates.ts';

/** What stands before the last comma of a list that is typed, and what is wanted after it. */
function lastOf(typed: string): { readonly kept: string; readonly wanted: string } {
  const comma = typed.lastIndexOf(',') + 1;
  return { kept: typed.slice(0, comma).trim(), wanted: typed.slice(comma).trim() };
}

/** Roles, after those that are typed already. */
export const roleChoices: Argument['choices'] = async (typed, _given, facts, tools) => {
  const { kept, wanted } = lastOf(typed);
  const roles = await found(tools, facts, ['role'], wanted);
  return roles.map(role => textChoice(kept === '' ? role.title : `${kept} ${role.title}`));
};

/** Logins that somebody has already, after those that are typed. */
export const loginChoices: Argument['choices'] = async (typed, _given, facts, tools) => {
  if (!may('users', 'list')(facts)) return [];
  const { kept, wanted } = lastOf(typed);
  const known = (await tools.call(listUsers)).flatMap(({ traits }) => traits?.logins ?? []);
  return [...new Set(known)]
    .filter(login => login.toLowerCase().includes(wanted.toLowerCase()))
    .sort()
    .slice(0, CHOICES_MOST)
    .map(login => textChoice(kept === '' ? login : `${kept} ${login}`));
};

/** Makes a user and hands over the link that invites them. */
export async function inviteUser(
  tools: Tools,
  name: string,
  roles: readonly string[],
  logins: readonly string[],
): Promise<void> {
  const traits = logins.length > 0 ? { traits: { logins: [...logins] } } : {};
  await tools.call(createUser, { body: { name, roles: [...roles], ...traits } });
  await handOverLink(tools, name, 'invite');
}

/** Names of the roles that a user holds. */
export const rolesOf = async (tools: Pick<Tools, 'call'>, name: string): Promise<readonly string[]> =>
  (await tools.call(getUser, { params: { name } })).roles;

/** Makes a one-time link and hands it over: to whoever is invited, or must choose a new password. */
export async function handOverLink(
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

/** Takes a user's ways to sign in away, once that is confirmed, and hands over the link to new ones. Throws Cancelled. */
export async function resetUser(tools: Tools, name: string): Promise<void> {
  await confirmed(tools, {
    title: `Reset how ${name} signs in?`,
    text: 'The password and all devices of this user are deleted. You get a one-time link to pass on.',
    action: 'Reset',
  });
  await handOverLink(tools, name, 'password');
}

/** Deletes a user, once that is confirmed. Throws Cancelled. */
export async function removeUser(tools: Tools, name: string): Promise<void> {
  await confirmed(tools, {
    title: `Delete ${name}?`,
    text: 'This user is signed out everywhere and cannot sign in again.',
    action: 'Delete the user',
  });
  await tools.call(deleteUser, { params: { name } });
  tools.notify(`${name} has been deleted`);
}
