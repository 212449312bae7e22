// What the commands of access lists do: fetched when one of them is run.
import {
  addAccessListMember,
  deleteAccessList,
  getAccessList,
  listAccessLists,
  removeAccessListMember,
} from '../src/contract/access-lists.ts';
import { parseDuration } from '../src/contract/duration.ts';
import { dateTime } from '../src/features/times.ts';
import { answer, CHOICES_MOST, confirmed } from './answer.ts';
import type { Choice, Command, Facts, Given, Tools } from './command.ts';
import { found } from './find.ts';

type Caller = Pick<Tools, 'call'>;
type Member = { readonly kind: 'user' | 'list'; readonly name: string };
const LIST = 'list:';

/** `list:NAME` means the members of a list, anything else a user. */
const readMember = (typed: string): Member =>
  typed.startsWith(LIST)
    ? { kind: 'list', name: typed.slice(LIST.length).trim() }
    : { kind: 'user', name: typed.trim() };
const typedAs = ({ kind, name }: Member): string => (kind === 'list' ? `${LIST}${name}` : name);
const fits = (typed: string, ...texts: readonly string[]): boolean =>
  texts.some(text => text.toLowerCase().includes(typed.trim().toLowerCase()));

/** People, as far as they may be listed, and other lists. */
export async function newMembers(typed: string, given: Given, facts: Facts, tools: Caller): Promise<readonly Choice[]> {
  const { clusterId } = facts;
  const people = await found(tools, facts, ['user'], typed.startsWith(LIST) ? '' : typed).catch(() => []);
  const { items } = await tools.call(listAccessLists, { params: { clusterId } });
  const lists = items
    .filter(({ name, title }) => name !== given.list?.value && fits(typed, title, `${LIST}${name}`))
    .map(
      ({ name, title }): Choice => ({
        value: `${LIST}${name}`,
        title: `${LIST}${name}`,
        detail: `Members of ${title}`,
      }),
    );
  const users = typed.startsWith(LIST)
    ? []
    : people.map(({ id, title }): Choice => ({ value: id, title, detail: 'User' }));
  return [...users, ...lists].slice(0, CHOICES_MOST);
}

const whole = (tools: Caller, clusterId: string, name: string) =>
  tools.call(getAccessList, { params: { clusterId, name } });

export async function members(
  typed: string,
  given: Given,
  { clusterId }: Facts,
  tools: Caller,
): Promise<readonly Choice[]> {
  const list = await whole(tools, clusterId, answer(given, 'list').value);
  return list.members
    .filter(({ name, title }) => fits(typed, name, title))
    .map((one): Choice => ({ value: typedAs(one), title: one.title, detail: one.ineligible || one.reason }))
    .slice(0, CHOICES_MOST);
}

export const addMember: Command['run'] = async (given, { clusterId }, tools) => {
  const { value: name, title } = answer(given, 'list');
  const forMs = parseDuration(given.ttl?.value ?? '') ?? 0;
  const made = await tools.call(addAccessListMember, {
    params: { clusterId, name },
    body: {
      ...readMember(answer(given, 'member').value),
      reason: given.reason?.value ?? '',
      ...(forMs > 0 && { expires: new Date(Date.now() + forMs).toISOString() }),
    },
  });
  const until = made.expires === '' ? '' : ` until ${dateTime(made.expires)}`;
  const why = made.ineligible === '' ? '' : `, and gets nothing: ${made.ineligible}`;
  tools.notify(`${made.title} is in ${title}${until}${why}`);
  tools.list.reload?.();
};

export const removeMember: Command['run'] = async (given, { clusterId, surface }, tools) => {
  const { value: name, title } = answer(given, 'list');
  const { value, title: who } = answer(given, 'member');
  const member = readMember(value);
  if (surface === 'console')
    await confirmed(tools, {
      title: `Take ${who} out of ${title}?`,
      text: 'What the list gave ends at once, in open sessions too.',
      action: 'Yes, remove',
    });
  await tools.call(removeAccessListMember, {
    params: { clusterId, name, memberKind: member.kind, member: member.name },
  });
  tools.notify(`${who} is no longer in ${title}`);
  tools.list.reload?.();
};

export const remove: Command['run'] = async (given, { clusterId, surface, feature }, tools) => {
  const { value: name, title } = answer(given, 'list');
  if (surface === 'console')
    await confirmed(tools, {
      title: `Delete the access list ${title}?`,
      text: 'What it gave its members ends at once, in open sessions too. Its reviews are forgotten.',
      action: 'Yes, remove',
    });
  await tools.call(deleteAccessList, { params: { clusterId, name } });
  tools.notify(`The access list ${title} has been deleted`);
  if (feature === 'accessLists') tools.go('accessLists');
};
