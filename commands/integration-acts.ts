// What the commands of integrations and plugins do once they are asked: fetched then.
import { deleteIntegration } from '../src/contract/integrations.ts';
import { deletePlugin, tryPlugin } from '../src/contract/plugins.ts';
import { enrollTiles, readEnrolledId } from '../src/features/integrations.ts';
import { answer, confirmed } from './answer.ts';
import type { Choice, Command } from './command.ts';

export const enrollChoices = (): Choice[] =>
  enrollTiles.map(({ kind, title, detail }) => ({ value: kind, title, detail }));

/** On a command line its bare name was typed: plugins are looked at first. */
const read = (value: string) =>
  value.includes('/') ? readEnrolledId(value) : { type: 'plugin' as const, name: value };

export const test: Command['run'] = async (given, { clusterId }, tools) => {
  const { type, name } = read(answer(given, 'integration').value);
  if (type === 'integration') throw new Error(`${name} is an integration: only plugins send messages`);
  const { statusCode, details } = await tools.call(tryPlugin, { params: { clusterId, name } });
  if (statusCode !== 1) throw new Error(`The test message was not taken: ${details}`);
  tools.notify(`The test message of ${name} was taken`);
};

export const remove: Command['run'] = async (given, { clusterId, surface }, tools) => {
  const { type, name } = read(answer(given, 'integration').value);
  const question = {
    title: `Delete ${name}?`,
    text:
      type === 'plugin'
        ? 'What it has not sent yet is not sent any more. Its secrets are forgotten.'
        : 'What stands on it does not work any more.',
    action: 'Yes, delete',
  };
  // On a command line it was typed whole.
  if (surface === 'console') await confirmed(tools, question);
  if (type === 'plugin') await tools.call(deletePlugin, { params: { clusterId, name } });
  else await tools.call(deleteIntegration, { params: { clusterId, name } });
  tools.notify(`${name} has been deleted`);
};
