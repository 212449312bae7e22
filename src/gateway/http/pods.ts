// Pods of Kubernetes clusters: looked for in all of them, and described one by one.

import { Failure } from '../../contract/failure.ts';
import { describePod, findPods, PODS_MOST, type Pod } from '../../contract/pods.ts';
import { wordsFilter } from '../../contract/words.ts';
import { ConnectError } from '../ports/reach.ts';
import { describe, listPods } from '../services/protocols/kubernetes/pods.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Clusters that one search asks. */
const CLUSTERS_MOST = 20;

export function servePods(serve: Serve, { clusters, reachable }: Pick<Services, 'clusters' | 'reachable'>): void {
  serve(findPods, async ({ query }, who) => {
    const fits = wordsFilter(query.search ?? '');
    const { kubeCluster, kubeNamespace = '' } = query;
    const { items } = kubeCluster
      ? { items: [{ name: kubeCluster }] }
      : await reachable.kubes(who, { limit: CLUSTERS_MOST, sort: 'name:asc' });
    const found = await Promise.all(
      items.map(async ({ name }): Promise<Pod[]> => {
        try {
          const { pods } = await listPods(await clusters.open(who, name), name, kubeNamespace);
          return pods.filter(pod => fits(`${pod.name} ${pod.namespace} ${pod.cluster}`));
        } catch (error) {
          // One that cannot be looked into keeps nobody from the others.
          if (error instanceof Failure || error instanceof ConnectError) return [];
          throw error;
        }
      }),
    );
    const all = found.flat();
    return { items: all.slice(0, PODS_MOST), startKey: '', totalCount: all.length };
  });
  serve(describePod, async ({ params: { name, namespace, pod } }, who) => {
    const found = await describe(await clusters.open(who, name), name, { namespace, pod });
    return found;
  });
}
