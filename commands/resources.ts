// Databases, Kubernetes clusters, applications and desktops: how each is reached.
import { nouns } from '../src/features/nouns.ts';
import type { FeatureId } from '../src/features/table.ts';
import { answer } from './answer.ts';
import { type Command, command } from './command.ts';
import { thingArgument } from './find.ts';
import { reachesInConsole } from './gates.ts';
import { showOn } from './show-on.ts';

/** The lines that reach it from a terminal, on its page. */
const connect = (
  kind: 'database' | 'kubernetes' | 'application',
  page: FeatureId,
  words: readonly string[],
  more: Pick<Partial<Command>, 'fits'> = {},
): Command =>
  command({
    id: `${kind === 'kubernetes' ? kind : `${kind}s`}.connect`,
    title: kind === 'application' ? 'Connect to an application with a client…' : `Connect to a ${nouns[kind].one}…`,
    group: 'session',
    words,
    when: reachesInConsole(page),
    args: [thingArgument(kind)],
    onThing: { label: 'Connect', title: name => `Connect to ${name}`, icon: 'Terminal' },
    ...more,
    run: (given, facts, tools) => showOn(page, { connect: answer(given, kind).value }, facts, tools),
  });

export const copyAddress = (kind: 'application' | 'desktop', page: FeatureId): Command =>
  command({
    id: `${kind}s.copyAddress`,
    title: `Copy the address of ${kind === 'application' ? 'an' : 'a'} ${kind}…`,
    group: 'session',
    words: ['clipboard', 'url', 'link'],
    when: reachesInConsole(page),
    args: [thingArgument(kind)],
    onThing: { label: 'Copy', title: name => `Copy the address of ${name}`, icon: 'Copy' },
    run: async (given, _facts, tools) => {
      const { title, thing } = answer(given, kind);
      if (!thing?.address) throw new Error(`${title} has no address`);
      await tools.copyText(thing.address);
      tools.notify(`${thing.address} has been copied`);
    },
  });

export const resources: readonly Command[] = [
  connect('database', 'databases', ['sql', 'psql', 'mysql', 'client', 'command line']),
  connect('kubernetes', 'kubes', ['kubectl', 'k8s', 'pods']),
  connect('application', 'apps', ['tcp', 'cloud', 'azure', 'client', 'port', 'proxy', 'command line'], {
    fits: ({ address }) => /^(tcp|cloud):/.test(address ?? ''),
  }),
];
