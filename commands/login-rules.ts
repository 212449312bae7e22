// Login rules: writing, changing, trying and deleting them. The YAML is written on their page.
import { answer, confirmed } from './answer.ts';
import { type Command, command } from './command.ts';
import { listedArgument, thingArgument } from './find.ts';
import { inConsole, needs, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';
import { writtenCommands } from './written.ts';

const ruleArgument = listedArgument('loginRule', 'loginRule');

const words = ['traits', 'claims', 'attributes', 'sso'];

export const loginRules: readonly Command[] = [
  ...writtenCommands({
    ...{ id: 'loginRules', one: 'a login rule', page: 'loginRules', right: ['loginRules', 'login_rule'] },
    argument: ruleArgument,
    words,
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
