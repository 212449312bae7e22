// What the command line prints about itself: one list of every verb, and one page for each.

import type { Line } from './read.ts';
import { columns } from './table.ts';
import type { Typed, Usage, Verb } from './verb.ts';

const usageOf = ({ verb, words, flags }: Usage): string =>
  [verb, ...words, ...flags.filter(({ needed }) => needed).map(({ name, argument }) => `${name} ${argument}`)].join(
    ' ',
  );

/** The text of `--help`. */
export function allHelp(verbs: readonly Usage[]): string {
  const rows = verbs
    .toSorted((a, b) => a.verb.localeCompare(b.verb, 'en') || Number(a.local === true) - Number(b.local === true))
    .map(verb => [`${verb.local ? '*' : ' '} ${usageOf(verb)}`, verb.help]);
  return [
    'Usage: postern VERB [words and flags]        (npm run postern -- VERB …, where it is not on your path)',
    '',
    columns(rows),
    '',
    '  Verbs without a star act as whoever signed in with "sign-in", from anywhere, over the web API.',
    "* Verbs with a star are for the gateway's own account on its machine: they ask the gateway that runs on the data folder,",
    '  and when none does, they work on the folder itself. --data FOLDER, --config FILE and --store URL say which gateway.',
    '  A verb that is there twice acts as you when you are signed in, and with a star otherwise, or when --local says so.',
    '',
    '"VERB --help" tells more of one. Exit codes: 0 done, 1 refused or failed, 2 mistyped; a shell ends with its own.',
  ].join('\n');
}

/** The page of one verb, which may be there for people and for the machine. Throws as the verb does that says more. */
export async function verbHelp({ rows, flags }: Line<Verb>): Promise<string> {
  const blocks = rows.map(async row => {
    const said = {
      words: [],
      all: name => flags.get(name) ?? [],
      one: name => flags.get(name)?.[0],
      has: name => flags.has(name),
    } satisfies Typed;
    const more = (await row.more?.(said)) ?? [];
    return [
      `  postern ${usageOf(row)}${row.local && rows.length > 1 ? ' --local' : ''}`,
      '',
      `${row.help}${row.local ? " (for the gateway's own account, on its machine)" : ''}.`,
      ...(row.flags.length === 0 ? [] : ['', flagRows(row)]),
      ...(more.length === 0 ? [] : ['', ...more]),
    ].join('\n');
  });
  return (await Promise.all(blocks)).join('\n\n');
}

const flagRows = ({ flags }: Usage): string =>
  columns(
    flags.map(flag => [
      `  ${[flag.name, flag.argument ?? ''].join(' ').trimEnd()}`,
      `${flag.help}${flag.needed ? ' (needed)' : ''}${flag.many ? ' (may be given again)' : ''}`,
    ]),
  );
