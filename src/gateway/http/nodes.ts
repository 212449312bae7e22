// Servers: the list that roles select, and adding, pinning anew and removing OpenSSH servers.
import { compareHostKey, createNode, probeHostKey, trustHostKey } from '../../contract/host-keys.ts';
import { deleteNode, listNodes } from '../../contract/nodes.ts';
import { OK } from '../../contract/shapes.ts';
import { onWire, searcher } from './resources.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveNodes(serve: Serve, { servers, hostKeys, requests }: Services): void {
  const asking = searcher(requests);
  serve(listNodes, async ({ query }, who) => onWire(await servers.list(await asking(who, query, 'node'), query)));
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
