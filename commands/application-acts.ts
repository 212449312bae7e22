// What the commands of applications do once they are asked: fetched then.
import { listApps } from '../src/contract/resources.ts';
import { launchPath } from '../src/features/items.ts';
import { answer, CHOICES_MOST } from './answer.ts';
import type { Choice, Command, Facts, Tools } from './command.ts';

/** The console's page that leads to it; one that was answered by name alone, as a typed line does, is asked for. */
async function launchOf({ value, title, thing }: Choice, { clusterId }: Facts, tools: Tools): Promise<string> {
  if (thing?.launch !== undefined) return thing.launch;
  const query = { search: value, limit: CHOICES_MOST };
  const { items } = thing ? { items: [] } : await tools.call(listApps, { params: { clusterId }, query });
  const found = items.find(({ name }) => name === value);
  if (!found || found.fqdn === '') throw new Error(`${title} has no address for a browser`);
  return launchPath(found);
}

export const open: Command['run'] = async (given, facts, tools) => {
  const path = await launchOf(answer(given, 'application'), facts, tools);
  if (tools.openTab) tools.openTab(path);
  else tools.notify(tools.link?.(path) ?? path);
};
