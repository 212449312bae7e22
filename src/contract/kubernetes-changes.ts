// Adding, changing and removing Kubernetes clusters.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { kube } from './resources.ts';
import { clusterParams, givenLabels, name, ok } from './shapes.ts';

/** As `kubectl config view --raw --flatten --minify` writes it: address, authority and the gateway's credential of the current context. */
const kubeconfig = z.string().check(z.minLength(1, 'a kubeconfig expected'), z.maxLength(256 * 1024, 'at most 256 kB'));
const oneCluster = z.extend(clusterParams, { name });

export const createKubernetes = call('POST', 'sites/:clusterId/kubernetes', {
  summary:
    'Add a Kubernetes cluster. Its credential is kept sealed; it is not connected to before somebody uses or tries it.',
  access: { resource: 'kube_cluster', verb: 'create' },
  params: clusterParams,
  body: z.object({ name, kubeconfig, labels: z._default(givenLabels, []) }),
  reply: kube,
});
export const updateKubernetes = call('PUT', 'sites/:clusterId/kubernetes/:name', {
  summary: 'Change the labels of a Kubernetes cluster, or how it is reached; what is left out stays.',
  access: { resource: 'kube_cluster', verb: 'update' },
  params: oneCluster,
  body: z
    .object({ kubeconfig: z.optional(kubeconfig), labels: z.optional(givenLabels) })
    .check(z.refine(body => Object.keys(body).length > 0, 'kubeconfig or labels expected')),
  reply: kube,
});
export const deleteKubernetes = call('DELETE', 'sites/:clusterId/kubernetes/:name', {
  summary: 'Take a Kubernetes cluster out of the list. The cluster itself is not touched.',
  access: { resource: 'kube_cluster', verb: 'delete' },
  params: oneCluster,
  reply: ok,
});
