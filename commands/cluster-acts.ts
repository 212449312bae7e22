// What the commands of Kubernetes clusters do once they are asked: fetched then.
import { createKubernetes, deleteKubernetes, updateKubernetes } from '../src/contract/kubernetes-changes.ts';
import { answer, confirmed } from './answer.ts';
import type { Command, Facts, Tools } from './command.ts';
import { labelsOf } from './servers.ts';
import { tryUntilUsable } from './trial.ts';

const tryCluster = (name: string, facts: Pick<Facts, 'clusterId'>, tools: Tools): Promise<void> =>
  tryUntilUsable(
    'kube_cluster',
    { name },
    { good: 'rights, way, certificate and acting for you are in order', manual: 'addCluster' },
    facts,
    tools,
  );

export const add: Command['run'] = async (given, facts, tools) => {
  const name = answer(given, 'name').value.trim();
  await tools.call(createKubernetes, {
    params: { clusterId: facts.clusterId },
    body: { name, kubeconfig: answer(given, 'kubeconfig').value, labels: labelsOf(given) },
  });
  tools.notify(`${name} has been added`);
  if (facts.surface === 'console') tools.go('kubes', { clusterId: facts.clusterId });
  await tryCluster(name, facts, tools);
};

export const trial: Command['run'] = async (given, facts, tools) => {
  await tryCluster(answer(given, 'kubernetes').value, facts, tools);
};

export const change: Command['run'] = async (given, facts, tools) => {
  const { value: name } = answer(given, 'kubernetes');
  const kubeconfig = given.kubeconfig?.value;
  const labels = labelsOf(given);
  if (kubeconfig === undefined && labels.length === 0) throw new Error('Paste a kubeconfig, or type labels');
  await tools.call(updateKubernetes, {
    params: { clusterId: facts.clusterId, name },
    body: { ...(kubeconfig !== undefined && { kubeconfig }), ...(labels.length > 0 && { labels }) },
  });
  tools.notify(`${name} has been changed`);
  tools.list.reload?.();
  if (kubeconfig !== undefined) await tryCluster(name, facts, tools);
};

export const remove: Command['run'] = async (given, facts, tools) => {
  const { value: name } = answer(given, 'kubernetes');
  await confirmed(tools, {
    title: `Remove ${name}?`,
    text: 'It leaves the list, and what goes on in it through the gateway ends. The cluster itself is not touched.',
    action: 'Remove the cluster',
  });
  await tools.call(deleteKubernetes, { params: { clusterId: facts.clusterId, name } });
  tools.notify(`${name} has been removed`);
  tools.list.reload?.();
};
