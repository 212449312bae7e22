// The verbs for resources as YAML: apply, list, get, remove.
import type { AdminAnswers } from '../../contract/admin.ts';
import { openFileWatch, readResourceFiles } from '../../node/resource-files.ts';
import { table } from '../table.ts';
import { Refused, type Surface, UsageError } from '../verb.ts';
import type { Gateway } from './gateway.ts';
import { readStdin, STDIN } from './input.ts';
import type { MachineVerb } from './machine-verb.ts';

/** `3 resources: 1 created, 2 unchanged`. */
function totals(resources: AdminAnswers['applied']['resources'], dryRun: boolean): string {
  const counted = [...Map.groupBy(resources, ({ change }) => change)].map(
    ([change, some]) => `${some.length} ${change}`,
  );
  const all = resources.length === 1 ? '1 resource' : `${resources.length} resources`;
  return `${all}: ${counted.join(', ')}${dryRun ? '. Nothing was changed: this was a dry run.' : ''}`;
}

/** Prints what happened to each resource. Throws Refused with all problems. */
async function apply(
  paths: readonly string[],
  dryRun: boolean,
  gateway: Gateway,
  { print }: Pick<Surface, 'print'>,
): Promise<void> {
  const plain = paths.filter(path => path !== STDIN);
  const files = [
    ...(await readResourceFiles(plain)),
    ...(plain.length < paths.length ? [{ name: 'standard input', content: await readStdin() }] : []),
  ];
  const { problems, resources, notes } = await gateway.call<AdminAnswers['applied']>('POST', '/resources', {
    files,
    dryRun,
  });
  if (problems.length > 0) throw new Refused(`${problems.join('\n')}\nNothing was changed.`);
  const tense = (change: string) => (dryRun && change !== 'unchanged' ? `would be ${change}` : change);
  print(
    resources.length === 0
      ? 'There are no resources in it.'
      : table(resources.map(({ kind, name, change }) => [tense(change), `${kind}/${name}`])),
  );
  if (resources.length > 0) print(totals(resources, dryRun));
  for (const note of notes) print(note);
  for (const { kind, name, change } of resources)
    if (kind === 'user' && change === 'created' && !dryRun)
      print(`${name} has no password yet: "users reset ${name}" prints a link to set one.`);
}

/** `KIND/NAME`. Throws UsageError. */
function kindAndName(word = ''): string {
  const slash = word.indexOf('/');
  if (slash < 1 || slash === word.length - 1)
    throw new UsageError(`"${word}": KIND/NAME expected, such as app/grafana or role/access`);
  return `/resources/${encodeURIComponent(word.slice(0, slash))}/${encodeURIComponent(word.slice(slash + 1))}`;
}

export const resourceVerbs: readonly MachineVerb[] = [
  {
    verb: 'resources apply',
    words: ['FILE…'],
    flags: [
      { name: '--dry-run', help: 'Only say what would change' },
      { name: '--watch', help: 'Go on, and apply again whenever a file changes' },
    ],
    help: 'Creates and updates the resources of YAML files and folders; "-" is standard input. All or nothing',
    async run({ words, has }, gateway, surface) {
      const { print } = surface;
      const dryRun = has('--dry-run');
      if (!has('--watch')) return apply(words, dryRun, gateway, surface);
      if (words.includes(STDIN)) throw new UsageError('--watch: standard input cannot be watched');
      if (!gateway.running) throw new UsageError('--watch: no gateway runs on the data folder; start it first');
      const again = async () => {
        try {
          await apply(words, dryRun, gateway, surface);
        } catch (error) {
          // The next save may mend it.
          print(error instanceof Error ? error.message : String(error));
        }
      };
      const ended = surface.untilEnded?.();
      const watch = await openFileWatch(words, again);
      try {
        await again();
        print('Watching; Ctrl+C ends it.');
        await ended;
      } finally {
        watch.dispose();
      }
    },
  },
  {
    verb: 'resources list',
    words: ['[KIND]'],
    flags: [],
    help: 'Lists what is declared, of one kind or of all',
    async run({ words: [kind] }, gateway, { print }) {
      const query = kind === undefined ? '' : `?kind=${encodeURIComponent(kind)}`;
      const found = await gateway.call<readonly AdminAnswers['declared'][]>('GET', `/resources${query}`);
      const labelsOf = ({ labels }: AdminAnswers['declared']) =>
        Object.entries(labels)
          .filter(([name]) => !name.startsWith('postern.'))
          .map(([name, value]) => `${name}=${value}`)
          .join(' ');
      print(
        found.length === 0
          ? 'There are none.'
          : table(found.map(one => [`${one.kind}/${one.name}`, one.title, one.origin, labelsOf(one)])),
      );
    },
  },
  {
    verb: 'resources get',
    words: ['KIND/NAME'],
    flags: [],
    help: 'Prints a resource as YAML that can be applied again',
    async run({ words: [word] }, gateway, { print }) {
      print((await gateway.call<AdminAnswers['document']>('GET', kindAndName(word))).content.trimEnd());
    },
  },
  {
    verb: 'resources remove',
    words: ['KIND/NAME'],
    flags: [
      {
        name: '--force',
        help: 'Also when it comes from the static configuration of a gateway that is gone, or is the last way to sign in',
      },
    ],
    help: 'Removes a resource',
    async run({ words: [word = ''], has }, gateway, { print }) {
      await gateway.call('DELETE', `${kindAndName(word)}${has('--force') ? '?force=yes' : ''}`);
      print(`Removed ${word}.`);
    },
  },
];
