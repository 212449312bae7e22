// Integrations and plugins.
import {
  createIntegration,
  deleteIntegration,
  getIntegration,
  listEnrolled,
  listIntegrations,
  updateIntegration,
} from '../../contract/integrations.ts';
import { createPlugin, deletePlugin, getPlugin, listPlugins, tryPlugin, updatePlugin } from '../../contract/plugins.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveIntegrations(serve: Serve, { integrations, plugins }: Services): void {
  serve(listIntegrations, async ({ query }, who) => {
    const { items, nextKey } = await integrations.list(who, query);
    return { items: [...items], nextKey };
  });
  serve(createIntegration, ({ body }, who) => integrations.create(body, who));
  serve(getIntegration, ({ params }, who) => integrations.get(params.name, who));
  serve(updateIntegration, ({ params, body }, who) => integrations.update(params.name, body, who));
  serve(deleteIntegration, async ({ params }, who) => {
    await integrations.remove(params.name, who);
    return OK;
  });
  serve(listEnrolled, async (_asked, who) => ({ items: [...(await integrations.enrolled(who))] }));

  serve(listPlugins, async (_asked, who) => ({ items: [...(await plugins.list(who))] }));
  serve(getPlugin, ({ params }, who) => plugins.get(params.name, who));
  serve(createPlugin, ({ body }, who) => plugins.create(body, who));
  serve(updatePlugin, ({ params, body }, who) => plugins.update(params.name, body.spec, who));
  serve(deletePlugin, async ({ params }, who) => {
    await plugins.remove(params.name, who);
    return OK;
  });
  serve(tryPlugin, ({ params }, who) => plugins.test(params.name, who));
}
