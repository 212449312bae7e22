// What the commands of sign-in connectors change at the gateway: fetched when one of them is run.
import { type ConnectorKind, connectorCalls } from '../src/contract/connectors.ts';
import { getSignInSettings, type SignInSettings, updateSignInSettings } from '../src/contract/sign-in-settings.ts';
import { answer, confirmed } from './answer.ts';
import type { Command, Given } from './command.ts';

/** Kind and name of the one that was picked. */
function picked(given: Given): NonNullable<SignInSettings['first']> {
  const [kind = '', name = ''] = answer(given, 'connector').value.split('/');
  return { kind: kind as ConnectorKind, name };
}

export const putFirst: Command['run'] = async (given, _facts, tools) => {
  const first = picked(given);
  const { local } = await tools.call(getSignInSettings);
  await tools.call(updateSignInSettings, { body: { local, first } });
  tools.notify(`The sign-in form begins with ${first.name}`);
};

export const putPasswordFirst: Command['run'] = async (_given, _facts, tools) => {
  await tools.call(updateSignInSettings, { body: { local: true, first: null } });
  tools.notify('The sign-in form begins with the password');
};

export const remove: Command['run'] = async (given, _facts, tools) => {
  const { kind, name } = picked(given);
  await confirmed(tools, {
    title: `Delete the connector ${name}?`,
    text: 'Nobody can sign in by it any more. Whoever is signed in by it stays so until their session ends.',
    action: 'Yes, remove',
  });
  await tools.call(connectorCalls[kind].remove, { params: { name } });
  tools.notify(`The connector ${name} has been deleted`);
};
