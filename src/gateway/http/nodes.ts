// Servers: the list that roles select, and adding, pinning anew and removing OpenSSH servers.
import { compareHostKey, createNode, probeHostKey, trustHostKey } from '../../contract/host-keys.ts';
import { deleteNode, listNodes } from '../../contract/nodes.ts';
import { OK } from '../../contract/shapes.ts';
import { onWire } from './resources.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveNodes(serve: Serve, { servers, hostKeys }: Services): void {
  serve(listNodes, async ({ query }, who) => onWire(await servers.list(who, query)));
  serve(probeHostKey, ({ body }) => servers.probe(body.addr));
  serve(compareHostKey, async ({ params }, who) => hostKeys.compare(await servers.toChange(who, params.nodeId)));
  serve(trustHostKey, async ({ params, body }, who) =>
    hostKeys.trust(await servers.toChange(who, params.nodeId), body, who),
  );
  serve(createNode, async ({ body }, who) => servers.shownTo(who, await servers.add(body, who)));
  serve(deleteNode, async ({ params }, who) => {
    await servers.remove(params.nodeId, who);
    return OK;
  });
}
