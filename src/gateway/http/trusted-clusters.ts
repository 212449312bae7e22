// Clusters that trust each other: at a leaf its roots, at a root its leaves.
import { OK } from '../../contract/shapes.ts';
import {
  createTrustedCluster,
  deleteRemoteCluster,
  deleteTrustedCluster,
  getTrustedCluster,
  joinRootCluster,
  listRemoteClusters,
  listTrustedClusters,
  updateRemoteCluster,
  updateTrustedCluster,
} from '../../contract/trusted-clusters.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveTrustedClusters(serve: Serve, { roots, leaves }: Services): void {
  serve(listTrustedClusters, (_asked, who) => roots.list(who));
  serve(getTrustedCluster, ({ params }, who) => roots.get(params.name, who));
  serve(createTrustedCluster, ({ body }, who) => roots.create(body.content, who));
  serve(updateTrustedCluster, ({ params, body }, who) => roots.update(params.name, body.content, who));
  serve(deleteTrustedCluster, async ({ params }, who) => {
    await roots.remove(params.name, who);
    return OK;
  });
  serve(listRemoteClusters, (_asked, who) => leaves.list(who));
  serve(updateRemoteCluster, ({ params, body }, who) => leaves.relabel(params.name, body.labels, who));
  serve(deleteRemoteCluster, async ({ params }, who) => {
    await leaves.remove(params.name, who);
    return OK;
  });
  serve(joinRootCluster, ({ body }) => leaves.join(body));
}
