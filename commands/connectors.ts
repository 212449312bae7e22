// Sign-in connectors: writing, changing and deleting them, and which of the ways in comes first.

import type { ConnectorKind } from '../src/contract/connectors.ts';
import type { SignInSettings } from '../src/contract/sign-in-settings.ts';
import { answer, confirmed } from './answer.ts';
import { type Command, command, type Given } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, may, needs, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';

/** Fetched when the order of the ways in is changed. */
const loadSettings = () => import('../src/contract/sign-in-settings.ts');

const connectorArgument = listedArgument('connector', 'connector');

/** Kind and name of the one that was picked. */
function picked(given: Given): NonNullable<SignInSettings['first']> {
  const [kind = '', name = ''] = answer(given, 'connector').value.split('/');
  return { kind: kind as ConnectorKind, name };
}
/** Its YAML on its page, which can be changed there by who may. */
const show: Command['run'] = (given, facts, tools) =>
  showOn('authConnectors', { edit: answer(given, 'connector').value }, facts, tools);
const words = ['sso', 'single sign-on', 'oidc', 'saml', 'github'];

export const connectors: readonly Command[] = [
  command({
    id: 'connectors.create',
    title: 'Create an auth connector',
    group: 'manage',
    words: ['new', 'add', ...words],
    when: inConsole,
    blocked: needs('authConnectors', 'create', 'auth_connector'),
    run: (_given, facts, tools) => showOn('authConnectors', { new: 'yes' }, facts, tools),
  }),
  command({
    id: 'connectors.edit',
    title: 'Edit an auth connector…',
    group: 'manage',
    words: ['change', 'yaml', ...words],
    when: inConsole,
    blocked: needs('authConnectors', 'edit', 'auth_connector'),
    args: [connectorArgument],
    onThing: { label: 'Edit', title: name => `Edit ${name}`, icon: 'Pencil' },
    run: show,
  }),
  command({
    id: 'connectors.view',
    title: 'View an auth connector…',
    group: 'manage',
    words: ['show', 'read', 'yaml', ...words],
    when: facts => inConsole(facts) && !may('authConnectors', 'edit')(facts),
    blocked: needs('authConnectors', 'list', 'auth_connector'),
    args: [connectorArgument],
    onThing: { label: 'View', title: name => `View ${name}`, icon: 'Eye' },
    run: show,
  }),
  command({
    id: 'connectors.test',
    title: 'Test sign-in by an auth connector…',
    group: 'manage',
    words: ['try', 'claims', 'attributes', ...words],
    when: inConsole,
    blocked: needs('authConnectors', 'edit', 'auth_connector'),
    args: [connectorArgument],
    onThing: { label: 'Test sign-in', title: name => `Test sign-in by ${name}`, icon: 'Play' },
    run: (given, facts, tools) => showOn('authConnectors', { test: answer(given, 'connector').value }, facts, tools),
  }),
  command({
    id: 'connectors.first',
    title: 'Put an auth connector first on the sign-in form…',
    group: 'manage',
    words: ['default', ...words],
    when: signedIn,
    blocked: needs('authConnectors', 'edit', 'auth_connector'),
    args: [connectorArgument],
    run: async (given, _facts, tools) => {
      const first = picked(given);
      const { getSignInSettings, updateSignInSettings } = await loadSettings();
      const { local } = await tools.call(getSignInSettings);
      await tools.call(updateSignInSettings, { body: { local, first } });
      tools.notify(`The sign-in form begins with ${first.name}`);
    },
  }),
  command({
    id: 'connectors.passwordFirst',
    title: 'Put the password first on the sign-in form',
    group: 'manage',
    words: ['default', 'local', ...words],
    when: signedIn,
    blocked: needs('authConnectors', 'edit', 'auth_connector'),
    run: async (_given, _facts, tools) => {
      const { updateSignInSettings } = await loadSettings();
      await tools.call(updateSignInSettings, { body: { local: true, first: null } });
      tools.notify('The sign-in form begins with the password');
    },
  }),
  command({
    id: 'connectors.delete',
    title: 'Delete an auth connector…',
    group: 'manage',
    destructive: true,
    words: ['remove', ...words],
    when: signedIn,
    blocked: needs('authConnectors', 'remove', 'auth_connector'),
    args: [connectorArgument],
    run: async (given, _facts, tools) => {
      const { kind, name } = picked(given);
      await confirmed(tools, {
        title: `Delete the connector ${name}?`,
        text: 'Nobody can sign in by it any more. Whoever is signed in by it stays so until their session ends.',
        action: 'Yes, remove',
      });
      const { connectorCalls } = await import('../src/contract/connectors.ts');
      await tools.call(connectorCalls[kind].remove, { params: { name } });
      tools.notify(`The connector ${name} has been deleted`);
    },
  }),
];
