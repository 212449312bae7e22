// Kubernetes clusters: added, tried, changed and removed.
import type { Argument, Command } from './command.ts';
import { registered } from './registered.ts';

const KUBECONFIG_MOST_CHARACTERS = 256 * 1024;
const wrongName = (typed: string): string | undefined =>
  typed.trim() === '' || typed.length > 255 ? 'A name of 1 to 255 characters' : undefined;
const wrongKubeconfig = (text: string): string | undefined =>
  text.length > KUBECONFIG_MOST_CHARACTERS
    ? 'A kubeconfig has at most 256 kB'
    : text.includes('clusters') && text.includes('users')
      ? undefined
      : 'Paste all that kubectl config view --raw --flatten --minify prints';

const kubeconfigArgument: Argument = {
  name: 'kubeconfig',
  title: 'Its kubeconfig, pasted whole',
  free: wrongKubeconfig,
  pasted: text => `kubeconfig of ${text.trim().split('\n').length} lines`,
  choices: () => [],
};

export const clusters: readonly Command[] = Object.values(
  registered({
    noun: 'kubernetes',
    prefix: 'kubernetes',
    one: 'a cluster',
    page: 'kubes',
    key: 'kubeServers',
    resource: 'kube_cluster',
    manual: 'addCluster',
    words: ['k8s', 'kubeconfig'],
    always: ['kubernetes'],
    name: { name: 'name', title: 'Name, such as production', free: wrongName, choices: () => [] },
    asks: [kubeconfigArgument],
    changes: { what: 'the kubeconfig', title: 'New kubeconfig, pasted whole, or nothing' },
    loadActs: async () => (await import('./cluster-acts.ts')).acts,
  }),
);
