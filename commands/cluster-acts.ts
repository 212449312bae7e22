// What the commands of Kubernetes clusters do once they are asked: fetched then.
import { createKubernetes, deleteKubernetes, updateKubernetes } from '../src/contract/kubernetes-changes.ts';
import { answer } from './answer.ts';
import { registeredActs } from './registered-acts.ts';

export const acts = registeredActs({
  noun: 'kubernetes',
  page: 'kubes',
  diagnosed: 'kube_cluster',
  manual: 'addCluster',
  good: 'rights, way, certificate and acting for you are in order',
  place: 'kubeconfig',
  lacking: 'Paste a kubeconfig, or type labels',
  removal: 'It leaves the list, and what goes on in it through the gateway ends. The cluster itself is not touched.',
  called: 'cluster',
  create: (call, clusterId, given, body) =>
    call(createKubernetes, { params: { clusterId }, body: { ...body, kubeconfig: answer(given, 'kubeconfig').value } }),
  update: (call, params, { place, labels }) =>
    call(updateKubernetes, {
      params,
      body: { ...(place !== undefined && { kubeconfig: place }), ...(labels !== undefined && { labels }) },
    }),
  remove: ({ call }, params) => call(deleteKubernetes, { params }),
});
