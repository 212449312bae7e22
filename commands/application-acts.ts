// What the commands of applications do once they are asked: fetched then.
import { createApplication, deleteApplication, updateApplication } from '../src/contract/application-changes.ts';
import { type Application, listApps } from '../src/contract/resources.ts';
import { deleteServiceProvider } from '../src/contract/service-providers.ts';
import { launchPath } from '../src/features/items.ts';
import { answer, CHOICES_MOST } from './answer.ts';
import type { Choice, Command, Facts, Tools } from './command.ts';
import { registeredActs } from './registered-acts.ts';

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

export const acts = registeredActs({
  noun: 'application',
  page: 'apps',
  diagnosed: 'app',
  manual: 'addApplication',
  good: 'rights, name, way and answer are in order',
  place: 'address',
  lacking: 'Type an address or labels',
  removal: 'It leaves the list, and its sessions end. The application itself is not touched.',
  called: 'application',
  create: (call, clusterId, given, body) =>
    call(createApplication, {
      params: { clusterId },
      body: { ...body, uri: answer(given, 'address').value.trim() },
    }),
  update: (call, params, { place, labels }) =>
    call(updateApplication, {
      params,
      body: { ...(place !== undefined && { uri: place }), ...(labels !== undefined && { labels }) },
    }),
  remove: async (tools, params, chosen, facts) => {
    const takesSaml = chosen.thing ? chosen.thing.saml : (await found(chosen, facts, tools))?.samlApp;
    return tools.call(takesSaml ? deleteServiceProvider : deleteApplication, { params });
  },
});
