// What the commands of applications do once they are asked: fetched then.
import { createApplication, deleteApplication, updateApplication } from '../src/contract/application-changes.ts';
import { type Application, listApps } from '../src/contract/resources.ts';
import { deleteServiceProvider } from '../src/contract/service-providers.ts';
import { launchPath } from '../src/features/items.ts';
import { answer, CHOICES_MOST, confirmed } from './answer.ts';
import type { Choice, Command, Facts, Tools } from './command.ts';
import { labelsOf } from './servers.ts';
import { tryUntilUsable } from './trial.ts';

/** One that was answered by name alone, as a typed line does, is asked for. */
async function found({ value }: Choice, { clusterId }: Facts, tools: Tools): Promise<Application | undefined> {
  const query = { search: value, limit: CHOICES_MOST };
  const { items } = await tools.call(listApps, { params: { clusterId }, query });
  return items.find(({ name }) => name === value);
}

/** The console's page that leads to it. */
async function launchOf(choice: Choice, facts: Facts, tools: Tools): Promise<string> {
  const { title, thing } = choice;
  if (thing?.launch !== undefined) return thing.launch;
  const app = thing ? undefined : await found(choice, facts, tools);
  if (!app || (app.fqdn === '' && !app.samlApp)) throw new Error(`${title} has no address for a browser`);
  return launchPath(app);
}

export const open: Command['run'] = async (given, facts, tools) => {
  const path = await launchOf(answer(given, 'application'), facts, tools);
  if (tools.openTab) tools.openTab(path);
  else tools.notify(tools.link?.(path) ?? path);
};

const tryApplication = (name: string, facts: Pick<Facts, 'clusterId'>, tools: Tools): Promise<void> =>
  tryUntilUsable(
    'app',
    { name },
    { good: 'rights, name, way and answer are in order', manual: 'addApplication' },
    facts,
    tools,
  );

export const add: Command['run'] = async (given, facts, tools) => {
  const name = answer(given, 'name').value.trim();
  await tools.call(createApplication, {
    params: { clusterId: facts.clusterId },
    body: { name, uri: answer(given, 'address').value.trim(), labels: labelsOf(given) },
  });
  tools.notify(`${name} has been added`);
  if (facts.surface === 'console') tools.go('apps', { clusterId: facts.clusterId });
  await tryApplication(name, facts, tools);
};

export const trial: Command['run'] = async (given, facts, tools) => {
  await tryApplication(answer(given, 'application').value, facts, tools);
};

export const change: Command['run'] = async (given, facts, tools) => {
  const { value: name } = answer(given, 'application');
  const uri = given.address?.value.trim() ?? '';
  const labels = labelsOf(given);
  if (uri === '' && labels.length === 0) throw new Error('Type an address or labels');
  await tools.call(updateApplication, {
    params: { clusterId: facts.clusterId, name },
    body: { ...(uri !== '' && { uri }), ...(labels.length > 0 && { labels }) },
  });
  tools.notify(`${name} has been changed`);
  tools.list.reload?.();
  if (uri !== '') await tryApplication(name, facts, tools);
};

export const remove: Command['run'] = async (given, facts, tools) => {
  const chosen = answer(given, 'application');
  const name = chosen.value;
  await confirmed(tools, {
    title: `Remove ${name}?`,
    text: 'It leaves the list, and its sessions end. The application itself is not touched.',
    action: 'Remove the application',
  });
  const takesSaml = chosen.thing ? chosen.thing.saml : (await found(chosen, facts, tools))?.samlApp;
  await tools.call(takesSaml ? deleteServiceProvider : deleteApplication, {
    params: { clusterId: facts.clusterId, name },
  });
  tools.notify(`${name} has been removed`);
  tools.list.reload?.();
};
