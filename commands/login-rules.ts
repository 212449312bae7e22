// Login rules: writing, changing, trying and deleting them. The YAML is written on their page.
import { answer, confirmed } from './answer.ts';
import { type Command, command } from './command.ts';
import { listedArgument, thingArgument } from './find.ts';
import { inConsole, may, needs, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';

const ruleArgument = listedArgument('loginRule', 'loginRule');

/** Its YAML on its page, which can be changed there by who may. */
const show: Command['run'] = (given, facts, tools) =>
  showOn('loginRules', { edit: answer(given, 'loginRule').value }, facts, tools);
const words = ['traits', 'claims', 'attributes', 'sso'];

export const loginRules: readonly Command[] = [
  command({
    id: 'loginRules.create',
    title: 'Create a login rule',
    group: 'manage',
    words: ['new', 'add', 'yaml', ...words],
    when: inConsole,
    blocked: needs('loginRules', 'create', 'login_rule'),
    run: (_given, facts, tools) => showOn('loginRules', { new: 'yes' }, facts, tools),
  }),
  command({
    id: 'loginRules.edit',
    title: 'Edit a login rule…',
    group: 'manage',
    words: ['change', 'yaml', ...words],
    when: inConsole,
    blocked: needs('loginRules', 'edit', 'login_rule'),
    args: [ruleArgument],
    onThing: { label: 'Edit', title: name => `Edit ${name}`, icon: 'Pencil' },
    run: show,
  }),
  command({
    id: 'loginRules.view',
    title: 'View a login rule…',
    group: 'manage',
    words: ['show', 'read', 'yaml', ...words],
    when: facts => inConsole(facts) && !may('loginRules', 'edit')(facts),
    blocked: needs('loginRules', 'list', 'login_rule'),
    args: [ruleArgument],
    onThing: { label: 'View', title: name => `View ${name}`, icon: 'Eye' },
    run: show,
  }),
  command({
    id: 'loginRules.test',
    title: 'Test the login rules on a user…',
    group: 'manage',
    words: ['try', 'dry run', ...words],
    when: inConsole,
    blocked: facts => needs('loginRules', 'read', 'login_rule')(facts) ?? needs('users', 'read', 'users')(facts),
    args: [thingArgument('user')],
    run: (given, facts, tools) => showOn('loginRules', { test: answer(given, 'user').value }, facts, tools),
  }),
  command({
    id: 'loginRules.delete',
    title: 'Delete a login rule…',
    group: 'manage',
    destructive: true,
    words: ['remove', ...words],
    when: signedIn,
    blocked: needs('loginRules', 'remove', 'login_rule'),
    args: [ruleArgument],
    run: async (given, _facts, tools) => {
      const name = answer(given, 'loginRule').value;
      await confirmed(tools, {
        title: `Delete the login rule ${name}?`,
        text: 'It is not applied any more at the next sign-in. Whoever is signed in keeps the traits that it made.',
        action: 'Yes, remove',
      });
      const { deleteLoginRule } = await import('../src/contract/login-rule-calls.ts');
      await tools.call(deleteLoginRule, { params: { name } });
      tools.notify(`The login rule ${name} has been deleted`);
    },
  }),
];
