// Lists where there are no pages: what the console shows on a page, the command line prints. In the console their "Go to" serves.
import { wordsFilter } from '../src/contract/words.ts';
import { itemsOf } from '../src/features/items.ts';
import { nounIds, nouns } from '../src/features/nouns.ts';
import type { Column } from '../src/features/thing.ts';
import { type Argument, type Command, command, type Facts, type Tools } from './command.ts';
import { needs, signedIn } from './gates.ts';

/** Rows that one list shows at most; the search narrows what is beyond. */
const LISTED_MOST = 10_000;
const PAGE_ROWS = 1000;

/** The command line alone: a page of the console shows the same, and better. */
const inShell = (facts: Facts): boolean => signedIn(facts) && facts.surface === 'shell';

const searchArgument: Argument = {
  name: 'search',
  title: 'Words that must all be in it',
  optional: true,
  free: typed => (typed.length > 512 ? 'A search has at most 512 characters' : undefined),
  choices: () => [],
};

/** Rows that hold every word of the search, for lists that the gateway answers whole. */
function holding<Item>(items: readonly Item[], columns: readonly Column<Item>[], search: string): readonly Item[] {
  const fits = wordsFilter(search);
  return items.filter(item => fits(columns.map(column => column.of(item)).join(' ')));
}

/** Asks part by part until the list ends or is as long as any may be, and says so when it was cut. */
async function everyRow<Item>(
  tools: Tools,
  ask: (startKey: string) => Promise<{ readonly items: readonly Item[]; readonly startKey: string }>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let startKey = '';
  do {
    const part = await ask(startKey);
    found.push(...part.items);
    startKey = part.startKey;
  } while (startKey !== '' && found.length < LISTED_MOST);
  if (startKey !== '' || found.length > LISTED_MOST)
    tools.notify(`Only the first ${LISTED_MOST} are listed: search for less`);
  return found.slice(0, LISTED_MOST);
}

/** The rows that only the command line has, beside those of index.ts: one for each noun. */
export const listings: readonly Command[] = nounIds.map(id => {
  const noun = nouns[id];
  const { list, thing, columns, isWhole } = itemsOf(id);
  return command({
    id: noun.listing,
    title: `List ${noun.many}…`,
    group: id === 'session' || id === 'recording' ? 'session' : 'manage',
    when: inShell,
    ...(noun.lists && { blocked: needs(noun.lists, 'list', noun.many) }),
    args: [searchArgument],
    run: async (given, { clusterId }, tools) => {
      const search = given.search?.value.trim() ?? '';
      const found = await everyRow(tools, startKey =>
        list(tools.call, { clusterId, search, limit: PAGE_ROWS, startKey }),
      );
      // A row that names nothing, such as a session's end without its id, says nothing to anyone.
      const rows = found.filter(item => thing(item) !== null);
      tools.show?.(isWhole ? holding(rows, columns, search) : rows, columns);
    },
  });
});
