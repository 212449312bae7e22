// Agents: what people do with them. What agents do themselves comes in at mcp.ts.
import { AGENTS_PATH, createAgent, deleteAgent, listAgents, renewAgent, stopAgent } from '../../contract/agents.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveAgents(serve: Serve, { agents, config }: Services): void {
  const url = `${config.publicUrl}${AGENTS_PATH}`;
  serve(listAgents, async (_asked, who) => ({ items: [...(await agents.list(who))] }));
  serve(createAgent, async ({ body }, who) => ({ ...(await agents.add(who, body)), url }));
  serve(renewAgent, async ({ params, body }, who) => ({ ...(await agents.renew(who, params.id, body)), url }));
  serve(stopAgent, async ({ params }, who) => {
    await agents.stop(who, params.id);
    return OK;
  });
  serve(deleteAgent, async ({ params }, who) => {
    await agents.remove(who, params.id);
    return OK;
  });
}
