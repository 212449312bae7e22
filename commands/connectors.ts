// Sign-in connectors: writing, changing and deleting them, and which of the ways in comes first.
import { answer } from './answer.ts';
import { type Command, command } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, needs, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';
import { writtenCommands } from './written.ts';

/** Fetched when one of them is run that changes something. */
const loadActs = () => import('./connector-acts.ts');

const connectorArgument = listedArgument('connector', 'connector');

const words = ['sso', 'single sign-on', 'oidc', 'saml', 'github'];

export const connectors: readonly Command[] = [
  ...writtenCommands({
    ...{ id: 'connectors', one: 'an auth connector', page: 'authConnectors' },
    right: ['authConnectors', 'auth_connector'],
    argument: connectorArgument,
    words,
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
    run: async (...asked) => (await loadActs()).putFirst(...asked),
  }),
  command({
    id: 'connectors.passwordFirst',
    title: 'Put the password first on the sign-in form',
    group: 'manage',
    words: ['default', 'local', ...words],
    when: signedIn,
    blocked: needs('authConnectors', 'edit', 'auth_connector'),
    run: async (...asked) => (await loadActs()).putPasswordFirst(...asked),
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
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];
