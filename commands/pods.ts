// Kubernetes clusters and their pods: shells in containers, logs, and what the cluster says of one.
import { containerAddress, readContainerAddress } from '../src/contract/container-address.ts';
import { answer, Cancelled, CHOICES_MOST, textChoice } from './answer.ts';
import { type Argument, type Choice, type Command, command } from './command.ts';
import { listedArgument, thingArgument } from './find.ts';
import { reachesInConsole } from './gates.ts';

const container: Argument = {
  name: 'container',
  title: 'Container',
  sole: true,
  choices: (typed, { pod }) =>
    (pod?.thing?.logins ?? [])
      .filter(name => name.includes(typed.trim().toLowerCase()))
      .slice(0, CHOICES_MOST)
      .map(textChoice),
};
/** Throws where the answer names no pod. */
function placeOf({ value }: Choice) {
  const place = readContainerAddress(value);
  if (place === null) throw new Error(`There is no pod ${value}`);
  return place;
}
const shown = (view: 'logs' | 'yaml', title: string, label: string, words: readonly string[]): Command =>
  command({
    id: `pods.${view}`,
    title,
    manual: 'pods',
    group: 'session',
    words,
    when: reachesInConsole('pods'),
    args: [listedArgument('pod')],
    onThing: { label, title: name => `${label} of ${name}` },
    run: (given, { clusterId }, tools) => {
      const { cluster, ...place } = placeOf(answer(given, 'pod'));
      tools.go('pod', { clusterId, name: cluster, namespace: place.namespace, pod: place.pod, view });
    },
  });

export const pods: readonly Command[] = [
  command({
    id: 'kubernetes.pods',
    title: 'Show the pods of a Kubernetes cluster…',
    manual: 'pods',
    group: 'session',
    words: ['namespaces', 'containers', 'kubectl'],
    when: reachesInConsole('pods'),
    args: [thingArgument('kubernetes')],
    onThing: { label: 'Pods', title: name => `Pods of ${name}`, icon: 'Container' },
    run: (given, { clusterId }, tools) => tools.go('pods', { clusterId, name: answer(given, 'kubernetes').value }),
  }),
  command({
    id: 'pods.shell',
    title: 'Open a shell in a container…',
    manual: 'pods',
    group: 'session',
    words: ['exec', 'kubectl', 'terminal'],
    when: reachesInConsole('pods'),
    args: [listedArgument('pod'), container],
    onThing: { label: 'Shell', title: name => `Open a shell in ${name}`, icon: 'Terminal' },
    phrase: {
      example: 'kube web-0',
      usage: {
        name: 'kube',
        args: [
          { name: 'pod', text: 'POD' },
          { name: 'container', text: '[CONTAINER]' },
        ],
      },
      read(typed) {
        const [, pod, name] = /^kube\s+(\S*)(?:\s+(\S+))?\s*$/.exec(typed) ?? [];
        return pod === undefined ? undefined : { pod, ...(name !== undefined && { container: name }) };
      },
      write: ({ pod = '', container: name }) => `kube ${pod}${name === undefined ? '' : ` ${name}`}`,
    },
    run: async (given, _facts, tools) => {
      const pod = answer(given, 'pod');
      const { value: login } = answer(given, 'container');
      const serverId = containerAddress({ ...placeOf(pod), container: login });
      if (!(await tools.terminal.open({ serverId, hostname: pod.title, login }))) throw new Cancelled();
    },
  }),
  shown('logs', 'Show the log of a pod…', 'Log', ['kubectl', 'output', 'tail', 'follow']),
  shown('yaml', 'Show a pod as YAML…', 'YAML', ['kubectl', 'describe', 'get']),
];
