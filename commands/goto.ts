// Going to pages: nobody writes a "Go to" command, the feature table already says it.

import { flagsOf, reaches } from '../src/features/access.ts';
import { type FeatureId, featureIds, features } from '../src/features/table.ts';
import { answer } from './answer.ts';
import { type Command, command } from './command.ts';
import { thingArgument } from './find.ts';
import { hasPage, inConsole, isPage, signedIn } from './gates.ts';

/** Pages that a command of their own opens, because something must be picked first or because the verb says it better. */
export const openedBy: Readonly<Partial<Record<FeatureId, string>>> = {
  consoleConnect: 'shell.open',
  launch: 'applications.open',
  consoleSession: 'session.join',
  desktop: 'desktops.open',
  watchDesktop: 'session.join',
  player: 'recording.play',
  compareRecordings: 'recording.compare',
  headless: 'account.approve',
  accountPassword: 'account.password',
  cluster: 'cluster.switch',
  settings: 'goto.account',
  why: 'rights.why',
  runs: 'servers.run',
  files: 'files.open',
  pods: 'kubernetes.pods',
  pod: 'pods.logs',
};

/** The pages that get a "Go to" command: all but the public ones and those that another command opens. */
export const goToIds: readonly FeatureId[] = featureIds.filter(id => isPage(id) && openedBy[id] === undefined);

/** What each cluster has of its own. */
const clusterPages: readonly FeatureId[] = ['nodes', 'apps', 'kubes', 'databases', 'desktops', 'audit', 'recordings'];

const rows: readonly Command[] = goToIds.map(id => {
  const { title, keys, words } = features[id];
  return command({
    id: `goto.${id}`,
    title: `Go to ${title}`,
    group: 'go',
    ...(keys === undefined ? {} : { keys }),
    ...(words === undefined ? {} : { words }),
    when: facts => facts.surface === 'console' && signedIn(facts) && hasPage(id)(facts),
    run: (_given, facts, tools) => tools.go(id, { clusterId: facts.clusterId }),
  });
});

export const goTo: readonly Command[] = [
  ...rows,
  command({
    id: 'category.switch',
    title: 'Switch between Resources and Management',
    // Beside a player its keys go from mark to mark.
    group: 'list',
    keys: '[, ]',
    words: ['sidebar', 'category', 'other'],
    when: facts => inConsole(facts) && facts.feature !== 'player' && flagsOf(facts).managementSection,
    run: (_given, _facts, tools) => tools.switchCategory(),
  }),
  command({
    id: 'cluster.switch',
    title: 'Switch to a cluster…',
    group: 'go',
    words: ['leaf', 'root', 'site'],
    when: inConsole,
    args: [thingArgument('cluster')],
    run: (given, _facts, tools) => tools.switchCluster(answer(given, 'cluster').value),
  }),
  command({
    id: 'cluster.page',
    title: 'Go to a page of a cluster…',
    group: 'go',
    words: ['leaf', 'root', 'site', 'servers', 'recordings'],
    when: inConsole,
    args: [
      thingArgument('cluster'),
      {
        name: 'page',
        title: 'Page',
        once: true,
        choices: (_typed, _given, facts) =>
          clusterPages.filter(id => reaches(id, facts)).map(id => ({ value: id, title: features[id].title })),
      },
    ],
    onThing: { label: 'Pages', title: name => `Pages of ${name}`, icon: 'Network' },
    run: (given, _facts, tools) => {
      const page = clusterPages.find(id => id === answer(given, 'page').value);
      if (page !== undefined) tools.go(page, { clusterId: answer(given, 'cluster').value });
    },
  }),
];
