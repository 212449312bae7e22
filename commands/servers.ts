// Adding and removing OpenSSH servers by hand, with the host key confirmed (contract/nodes).
import { isPort, readAddress, SSH_PORT } from '../src/contract/address.ts';
import { isLabelName, LABELS_MOST } from '../src/contract/shapes.ts';
import { type Argument, type Command, command, type Given } from './command.ts';
import { inConsole, needs, onlyAtRoot, signedIn } from './gates.ts';
import { loginArgument, serverArgument } from './sessions.ts';

/** What is wrong with `host` or `host:port`, or undefined. */
export function wrongAddress(typed: string): string | undefined {
  const address = readAddress(typed.trim());
  if (address === null) return 'Type host or host:port, such as db-3.example.com:22; an IPv6 address goes in brackets';
  return isPort(address.port ?? SSH_PORT) ? undefined : 'A port is a number from 1 to 65535';
}

interface LabelRead {
  readonly name: string;
  readonly value: string;
}

/** `env=prod team="data base"` as labels; a sentence when it is not that. */
export function readLabels(typed: string): readonly LabelRead[] | string {
  const labels: LabelRead[] = [];
  const form = /\s*([^\s="]+)=(?:"([^"]{0,1024})"|([^\s"]{0,1024}))(?=\s|$)/y;
  const text = typed.trimEnd();
  while (form.lastIndex < text.length) {
    const at = form.lastIndex;
    const found = form.exec(text);
    if (found === null || !isLabelName(found[1] ?? ''))
      return `"${text.slice(at).trim()}" is not name=value; names hold letters, digits and / . _ * -`;
    const name = found[1] ?? '';
    if (labels.some(label => label.name === name)) return `The label ${name} is there twice`;
    labels.push({ name, value: found[2] ?? found[3] ?? '' });
  }
  return labels.length > LABELS_MOST ? `A server has at most ${LABELS_MOST} labels` : labels;
}

export const labelsArgument: Argument = {
  name: 'labels',
  title: 'Labels, such as env=prod team=data',
  optional: true,
  free: typed => {
    const read = readLabels(typed);
    return typeof read === 'string' ? read : undefined;
  },
  choices: () => [],
};
/** What was answered to it. Throws with the sentence for what is none. */
export function labelsOf({ labels }: Given): LabelRead[] {
  const read = readLabels(labels?.value ?? '');
  if (typeof read === 'string') throw new Error(read);
  return [...read];
}

/** Fetched when one of them is run. */
const loadActs = () => import('./server-acts.ts');

export const servers: readonly Command[] = [
  command({
    id: 'servers.add',
    title: 'Add a server…',
    manual: 'addServer',
    group: 'manage',
    words: ['new', 'register', 'openssh', 'node', 'host', 'enroll'],
    when: signedIn,
    blocked: facts => needs('nodes', 'create', 'servers')(facts) ?? onlyAtRoot(facts),
    args: [
      { name: 'address', title: 'Address, host or host:port', free: wrongAddress, choices: () => [] },
      {
        name: 'hostKey',
        title: 'Is this the host key?',
        // Nothing that is typed may change the key that is being looked at; a step back asks for it anew.
        once: true,
        choices: async (...asked) => (await loadActs()).hostKeys(...asked),
      },
      labelsArgument,
    ],
    run: async (...asked) => (await loadActs()).add(...asked),
  }),
  command({
    id: 'servers.try',
    title: 'Try a server…',
    manual: 'addServer',
    group: 'session',
    words: ['test', 'check', 'diagnose', 'connection', 'why'],
    when: inConsole,
    args: [serverArgument, { ...loginArgument, optional: true }],
    run: async (...asked) => (await loadActs()).trial(...asked),
  }),
  command({
    id: 'servers.trust',
    title: 'Trust the new host key of a server…',
    manual: 'trustHostKey',
    group: 'manage',
    words: ['changed', 'fingerprint', 'pin', 'reinstalled', 'host key'],
    when: signedIn,
    blocked: facts => needs('nodes', 'edit', 'servers')(facts) ?? onlyAtRoot(facts),
    args: [serverArgument],
    phrase: {
      example: 'Trust the new host key of db-3',
      usage: { name: 'trust the new host key of', args: [{ name: 'server', text: 'SERVER' }] },
      read: typed => {
        const server = /^trust the new host key of (?!a server)([^\s…]+)…?\s*$/i.exec(typed)?.[1];
        return server === undefined ? undefined : { server };
      },
      write: ({ server = '' }) => `Trust the new host key of ${server}`,
    },
    run: async (...asked) => (await loadActs()).trust(...asked),
  }),
  command({
    id: 'servers.remove',
    title: 'Remove a server…',
    group: 'manage',
    destructive: true,
    words: ['delete', 'forget', 'node', 'host'],
    when: signedIn,
    blocked: facts => needs('nodes', 'remove', 'servers')(facts) ?? onlyAtRoot(facts),
    args: [serverArgument],
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];
