// Clusters that trust each other: at a leaf its roots, at a root its leaves.
import { answer } from './answer.ts';
import { type Command, command } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, may, needs, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./trust-acts.ts');

const rootArgument = listedArgument('trustedCluster', 'root');
const leafArgument = listedArgument('cluster', 'cluster');
const words = ['root', 'leaf', 'join', 'federation'];

const show: Command['run'] = (given, facts, tools) =>
  showOn('trust', { edit: answer(given, 'root').value }, facts, tools);

export const trust: readonly Command[] = [
  command({
    id: 'trust.create',
    title: 'Connect to a root cluster',
    group: 'manage',
    words: ['new', 'add', 'trusted cluster', ...words],
    when: inConsole,
    blocked: needs('trustedClusters', 'create', 'trusted_cluster'),
    run: (_given, facts, tools) => showOn('trust', { new: 'yes' }, facts, tools),
  }),
  command({
    id: 'trust.edit',
    title: 'Edit a trusted cluster…',
    group: 'manage',
    words: ['change', 'yaml', 'role map', 'enable', 'disable', ...words],
    when: inConsole,
    blocked: needs('trustedClusters', 'edit', 'trusted_cluster'),
    args: [rootArgument],
    onThing: { label: 'Edit', title: name => `Edit ${name}`, icon: 'Pencil' },
    run: show,
  }),
  command({
    id: 'trust.view',
    title: 'View a trusted cluster…',
    group: 'manage',
    words: ['show', 'read', 'yaml', 'role map', ...words],
    when: facts => inConsole(facts) && !may('trustedClusters', 'edit')(facts),
    blocked: needs('trustedClusters', 'list', 'trusted_cluster'),
    args: [rootArgument],
    onThing: { label: 'View', title: name => `View ${name}`, icon: 'Eye' },
    run: show,
  }),
  command({
    id: 'trust.delete',
    title: 'Leave a root cluster…',
    group: 'manage',
    destructive: true,
    words: ['remove', 'disconnect', 'trusted cluster', ...words],
    when: signedIn,
    blocked: needs('trustedClusters', 'remove', 'trusted_cluster'),
    args: [rootArgument],
    run: async (...asked) => (await loadActs()).leave(...asked),
  }),
  command({
    id: 'trust.forget',
    title: 'Take a leaf cluster out…',
    group: 'manage',
    destructive: true,
    words: ['remove', 'delete', 'disconnect', 'remote cluster', ...words],
    when: signedIn,
    blocked: needs('trustedClusters', 'remove', 'remote_cluster'),
    args: [leafArgument],
    run: async (...asked) => (await loadActs()).forget(...asked),
  }),
];
