// Integrations and plugins: enrolling, changing, trying and removing them.
import { answer } from './answer.ts';
import { type Command, command, type Facts } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, may, onlyAtRoot, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./integration-acts.ts');

const integrationArgument = listedArgument('integration');
const words = ['plugin', 'slack', 'webhook', 'mail', 'notify'];
/** The gateway says which of the two rights it takes for what was picked. */
const blockedWithout =
  (flag: 'create' | 'edit' | 'remove', verb: string) =>
  (facts: Facts): string | undefined =>
    may('plugins', flag)(facts) || may('integrations', flag)(facts)
      ? onlyAtRoot(facts)
      : `None of your roles allows "${verb}" on plugins or integrations`;

export const integrations: readonly Command[] = [
  command({
    id: 'integrations.enroll',
    title: 'Enroll an integration or a plugin…',
    group: 'manage',
    words: ['add', 'new', ...words],
    when: inConsole,
    blocked: blockedWithout('create', 'create'),
    args: [
      {
        name: 'kind',
        title: 'What to enroll',
        choices: async () => (await loadActs()).enrollChoices(),
      },
    ],
    run: (given, _facts, tools) => tools.go('enrollIntegration', { type: answer(given, 'kind').value }),
  }),
  command({
    id: 'integrations.edit',
    title: 'Edit an integration…',
    group: 'manage',
    words: ['change', ...words],
    when: inConsole,
    blocked: blockedWithout('edit', 'update'),
    args: [integrationArgument],
    onThing: { label: 'Edit', title: name => `Edit ${name}`, icon: 'Pencil' },
    run: (given, facts, tools) => showOn('integrations', { edit: answer(given, 'integration').value }, facts, tools),
  }),
  command({
    id: 'integrations.test',
    title: 'Send a test message by a plugin…',
    group: 'manage',
    words: ['try', 'check', ...words],
    when: signedIn,
    blocked: blockedWithout('edit', 'update'),
    args: [integrationArgument],
    onThing: { label: 'Send a test', title: name => `Send a test message by ${name}`, icon: 'Play' },
    run: async (...asked) => (await loadActs()).test(...asked),
  }),
  command({
    id: 'integrations.delete',
    title: 'Delete an integration…',
    group: 'manage',
    destructive: true,
    words: ['remove', ...words],
    when: signedIn,
    blocked: blockedWithout('remove', 'delete'),
    args: [integrationArgument],
    onThing: { label: 'Delete…', title: name => `Delete ${name}…` },
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];
