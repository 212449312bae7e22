// Access lists: opening, reviewing and changing them, and who is in them.
import { parseDuration } from '../src/contract/duration.ts';
import type { Thing } from '../src/features/thing.ts';
import { answer, textChoice } from './answer.ts';
import { type Argument, type Command, command } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, needs, onlyAtRoot, reachesInConsole, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./access-list-acts.ts');

const listArgument = listedArgument('accessList', 'list');
const words = ['access list', 'grants'];
const managed = ({ list }: Thing): string | undefined =>
  list?.mayManage === false ? 'Only owners of this access list manage it' : undefined;
const edited = ({ list }: Thing): string | undefined =>
  list?.mayEdit === false ? 'None of your roles lets you change this access list' : undefined;
const removed = ({ list }: Thing): string | undefined =>
  list?.mayDelete === false ? 'None of your roles lets you delete this access list' : undefined;
const reasonArgument: Argument = {
  name: 'reason',
  title: 'Why, for whoever reviews the list; nothing: no reason',
  optional: true,
  free: typed => (typed.length > 1000 ? 'A reason has at most 1000 characters' : undefined),
  choices: () => [],
};

export const accessLists: readonly Command[] = [
  command({
    id: 'accessLists.open',
    title: 'Open an access list…',
    group: 'list',
    words: ['show', 'members', 'owners', ...words],
    when: reachesInConsole('accessLists'),
    args: [listArgument],
    onThing: { label: 'Open', title: name => `Open ${name}`, icon: 'Eye' },
    run: (given, _facts, tools) => tools.go('accessLists', { name: answer(given, 'list').value }),
  }),
  command({
    id: 'accessLists.create',
    title: 'Create an access list',
    group: 'manage',
    words: ['new', 'add', ...words],
    when: inConsole,
    blocked: facts => needs('accessList', 'create', 'access_list')(facts) ?? onlyAtRoot(facts),
    manual: 'accessLists',
    run: (_given, facts, tools) => showOn('accessLists', { new: 'yes' }, facts, tools),
  }),
  command({
    id: 'accessLists.edit',
    title: 'Edit an access list…',
    group: 'manage',
    words: ['change', 'yaml', 'owners', 'requirements', ...words],
    when: reachesInConsole('accessLists'),
    blocked: needs('accessList', 'edit', 'access_list'),
    args: [listArgument],
    onThing: { label: 'Edit…', title: name => `Edit ${name}…`, icon: 'Pencil' },
    refuses: edited,
    run: (given, _facts, tools) => tools.go('accessLists', { name: answer(given, 'list').value }, { edit: 'yes' }),
  }),
  command({
    id: 'accessLists.review',
    title: 'Review an access list…',
    group: 'manage',
    words: ['audit', 'recertify', 'members', 'keep', ...words],
    when: reachesInConsole('accessLists'),
    args: [listArgument],
    onThing: { label: 'Review…', title: name => `Review ${name}…`, icon: 'ShieldCheck' },
    refuses: managed,
    manual: 'accessLists',
    run: (given, _facts, tools) => tools.go('accessLists', { name: answer(given, 'list').value }, { review: 'yes' }),
  }),
  command({
    id: 'accessLists.addMember',
    title: 'Add a member to an access list…',
    group: 'manage',
    words: ['grant', 'give', 'user', 'person', ...words],
    when: signedIn,
    args: [
      listArgument,
      {
        name: 'member',
        title: 'A user, or list:NAME for the members of another list',
        free: typed => (typed.trim() === '' ? 'Type the name of a user, or list:NAME' : undefined),
        choices: async (...asked) => (await loadActs()).newMembers(...asked),
      },
      {
        name: 'ttl',
        title: 'For how long, such as 30d; nothing: until somebody takes it away',
        optional: true,
        free: typed =>
          typed === '' || (parseDuration(typed) ?? 0) > 0 ? undefined : 'Type a time such as 30d, or nothing',
        choices: () => ['7d', '30d', '90d', '365d'].map(textChoice),
      },
      reasonArgument,
    ],
    onThing: { label: 'Add a member…', title: name => `Add a member to ${name}…`, icon: 'Plus' },
    refuses: managed,
    manual: 'accessLists',
    run: async (...asked) => (await loadActs()).addMember(...asked),
  }),
  command({
    id: 'accessLists.removeMember',
    title: 'Remove a member from an access list…',
    group: 'manage',
    destructive: true,
    words: ['revoke', 'take away', 'user', 'person', ...words],
    when: signedIn,
    args: [
      listArgument,
      {
        name: 'member',
        title: 'Who is taken out',
        choices: async (...asked) => (await loadActs()).members(...asked),
      },
    ],
    onThing: { label: 'Remove a member…', title: name => `Remove a member from ${name}…` },
    refuses: managed,
    run: async (...asked) => (await loadActs()).removeMember(...asked),
  }),
  command({
    id: 'accessLists.delete',
    title: 'Delete an access list…',
    group: 'manage',
    destructive: true,
    words: ['remove', ...words],
    when: signedIn,
    blocked: needs('accessList', 'remove', 'access_list'),
    args: [listArgument],
    onThing: { label: 'Delete…', title: name => `Delete ${name}…` },
    refuses: removed,
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];
