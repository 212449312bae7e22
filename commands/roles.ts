// Roles: writing, changing and deleting them. The YAML is written on the roles' page.
import { answer, confirmed } from './answer.ts';
import { type Command, command } from './command.ts';
import { thingArgument } from './find.ts';
import { may, needs, signedIn } from './gates.ts';
import { writtenCommands } from './written.ts';

/** People named before a role is deleted. */
const LOSERS_NAMED = 3;

const roleArgument = thingArgument('role');

export const roles: readonly Command[] = [
  ...writtenCommands({
    ...{ id: 'roles', one: 'a role', page: 'roles', right: ['roles', 'role'] },
    argument: roleArgument,
    words: ['rights', 'permissions'],
  }),
  command({
    id: 'roles.delete',
    title: 'Delete a role…',
    group: 'manage',
    destructive: true,
    words: ['remove', 'rights'],
    when: signedIn,
    blocked: needs('roles', 'remove', 'role'),
    args: [roleArgument],
    run: async (given, facts, tools) => {
      const name = answer(given, 'role').value;
      const { effectsText, previewRole } = await import('../src/contract/role-preview.ts');
      const effects = may('roles', 'edit')(facts) ? await tools.call(previewRole, { body: { name } }) : null;
      const { holders, people } = effects ?? { holders: 0, people: [] };
      const losers = people.slice(0, LOSERS_NAMED).map(one => `${effectsText(one)}.`);
      await confirmed(tools, {
        title: `Delete the role ${name}?`,
        text: [
          holders === 0 ? 'Nobody can be given this role again.' : `${holders} hold it: take it from them first.`,
          ...losers,
          ...(people.length > LOSERS_NAMED ? ['Others would lose something, too.'] : []),
          'A role that someone still holds is not deleted.',
        ].join(' '),
        action: 'Yes, remove',
      });
      const { deleteRole } = await import('../src/contract/roles.ts');
      await tools.call(deleteRole, { params: { name } });
      tools.notify(`The role ${name} has been deleted`);
    },
  }),
];
