// Things that are written as YAML on a page of their own: the commands that lead there.
import type { AclKey } from '../src/contract/acl.ts';
import type { FeatureId } from '../src/features/table.ts';
import { answer } from './answer.ts';
import { type Argument, type Command, command } from './command.ts';
import { inConsole, may, needs } from './gates.ts';
import { showOn } from './show-on.ts';

interface Written {
  /** What the ids begin with. */
  readonly id: string;
  /** One of them: `a role`. */
  readonly one: string;
  readonly page: FeatureId;
  /** The right, and what it is called in rules. */
  readonly right: readonly [key: AclKey, resource: string];
  readonly argument: Argument;
  /** Other words by which all of these are found. */
  readonly words: readonly string[];
}

/** Begins a new one, changes one, and shows one to whoever may not change it. */
export function writtenCommands({
  id,
  one,
  page,
  right: [key, resource],
  argument,
  words,
}: Written): readonly Command[] {
  const show: Command['run'] = (given, facts, tools) =>
    showOn(page, { edit: answer(given, argument.name).value }, facts, tools);
  return [
    command({
      id: `${id}.create`,
      title: `Create ${one}`,
      group: 'manage',
      words: ['new', 'add', 'yaml', ...words],
      when: inConsole,
      blocked: needs(key, 'create', resource),
      run: (_given, facts, tools) => showOn(page, { new: 'yes' }, facts, tools),
    }),
    command({
      id: `${id}.edit`,
      title: `Edit ${one}…`,
      group: 'manage',
      words: ['change', 'yaml', ...words],
      when: inConsole,
      blocked: needs(key, 'edit', resource),
      args: [argument],
      onThing: { label: 'Edit', title: name => `Edit ${name}`, icon: 'Pencil' },
      run: show,
    }),
    command({
      id: `${id}.view`,
      title: `View ${one}…`,
      group: 'manage',
      words: ['show', 'read', 'yaml', ...words],
      when: facts => inConsole(facts) && !may(key, 'edit')(facts),
      blocked: needs(key, 'list', resource),
      args: [argument],
      onThing: { label: 'View', title: name => `View ${name}`, icon: 'Eye' },
      run: show,
    }),
  ];
}
