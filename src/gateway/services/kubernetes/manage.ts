// Kubernetes clusters that people add, change and remove one by one: with a kubeconfig, as clouds and installers hand it out.
import type { Label } from '../../../contract/shapes.ts';
import type { Who } from '../../ports/who.ts';
import { createOneByOne, type OneByOneParts } from '../one-by-one.ts';
import { readKubeconfig } from './kubeconfig.ts';
import { writtenCluster } from './stored.ts';

export interface KubernetesClusters {
  /** Throws Failure exists, bad_request for a kubeconfig that says not enough, or too much. */
  add(
    wanted: { readonly name: string; readonly kubeconfig: string; readonly labels: readonly Label[] },
    by: Who,
  ): Promise<void>;
  /** What is undefined stays. Throws Failure not_found, also for what no role of theirs selects, and bad_request. */
  change(
    name: string,
    to: { readonly kubeconfig: string | undefined; readonly labels: readonly Label[] | undefined },
    by: Who,
  ): Promise<void>;
  /** Throws Failure not_found, bad_request for what a static configuration holds. */
  remove(name: string, by: Who): Promise<void>;
}

export function createKubernetesClusters(parts: OneByOneParts): KubernetesClusters {
  const kind = createOneByOne(parts, 'kube_cluster', 'a cluster');
  return {
    add: async ({ name, kubeconfig, labels }, by) => kind.add(name, labels, readKubeconfig(kubeconfig), by),
    async change(name, { kubeconfig, labels }, by) {
      const spec = kubeconfig === undefined ? null : readKubeconfig(kubeconfig);
      // What is written is without the secret: one that is left out stays.
      await kind.change(name, labels, before => spec ?? writtenCluster({ spec: before }), by);
    },
    remove: kind.remove,
  };
}
