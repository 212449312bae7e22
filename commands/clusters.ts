// Kubernetes clusters: added, tried, changed and removed.
import { type Argument, type Command, command, type Facts } from './command.ts';
import { thingArgument } from './find.ts';
import { needs, onlyAtRoot, reaches, signedIn } from './gates.ts';
import { labelsArgument } from './servers.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./cluster-acts.ts');

const KUBECONFIG_MOST_CHARACTERS = 256 * 1024;
const onClusters = (facts: Facts): boolean => signedIn(facts) && reaches('kubes')(facts);
const wrongName = (typed: string): string | undefined =>
  typed.trim() === '' || typed.length > 255 ? 'A name of 1 to 255 characters' : undefined;
const wrongKubeconfig = (text: string): string | undefined =>
  text.length > KUBECONFIG_MOST_CHARACTERS
    ? 'A kubeconfig has at most 256 kB'
    : text.includes('clusters') && text.includes('users')
      ? undefined
      : 'Paste all that kubectl config view --raw --flatten --minify prints';

const kubeconfigArgument = (title: string): Argument => ({
  name: 'kubeconfig',
  title,
  free: wrongKubeconfig,
  pasted: text => `kubeconfig of ${text.trim().split('\n').length} lines`,
  choices: () => [],
});

export const clusters: readonly Command[] = [
  command({
    id: 'kubernetes.add',
    title: 'Add a cluster…',
    manual: 'addCluster',
    group: 'manage',
    words: ['new', 'register', 'kubernetes', 'k8s', 'kubeconfig', 'enroll'],
    when: onClusters,
    blocked: facts => needs('kubeServers', 'create', 'kube_cluster')(facts) ?? onlyAtRoot(facts),
    args: [
      { name: 'name', title: 'Name, such as production', free: wrongName, choices: () => [] },
      kubeconfigArgument('Its kubeconfig, pasted whole'),
      labelsArgument,
    ],
    run: async (...asked) => (await loadActs()).add(...asked),
  }),
  command({
    id: 'kubernetes.try',
    title: 'Try a cluster…',
    manual: 'addCluster',
    group: 'manage',
    words: ['test', 'check', 'diagnose', 'connection', 'why', 'kubernetes'],
    when: onClusters,
    args: [thingArgument('kubernetes')],
    run: async (...asked) => (await loadActs()).trial(...asked),
  }),
  command({
    id: 'kubernetes.change',
    title: 'Change the kubeconfig or the labels of a cluster…',
    manual: 'addCluster',
    group: 'manage',
    words: ['edit', 'move', 'address', 'credential', 'tags', 'kubernetes'],
    when: onClusters,
    blocked: facts => needs('kubeServers', 'edit', 'kube_cluster')(facts) ?? onlyAtRoot(facts),
    args: [
      thingArgument('kubernetes'),
      { ...kubeconfigArgument('New kubeconfig, pasted whole, or nothing'), optional: true },
      labelsArgument,
    ],
    run: async (...asked) => (await loadActs()).change(...asked),
  }),
  command({
    id: 'kubernetes.remove',
    title: 'Remove a cluster…',
    group: 'manage',
    destructive: true,
    words: ['delete', 'forget', 'kubernetes'],
    when: onClusters,
    blocked: facts => needs('kubeServers', 'remove', 'kube_cluster')(facts) ?? onlyAtRoot(facts),
    args: [thingArgument('kubernetes')],
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];
