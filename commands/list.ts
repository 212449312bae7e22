// The list on screen: the same keys on every page that has one.
import { type FeatureId, features } from '../src/features/table.ts';
import { type Command, command, type Facts, type ListAct, type Tools } from './command.ts';
import { onList } from './gates.ts';

/** Lists of resources, which the gateway filters by a predicate too. */
const predicateLists: ReadonlySet<FeatureId> = new Set([
  'nodes',
  'apps',
  'kubes',
  'databases',
  'desktops',
  'consoleNodes',
]);

const isAddedTo = (facts: Facts): boolean =>
  onList(facts) && facts.feature !== null && features[facts.feature].adds !== undefined;

const isFiltered = (facts: Facts): boolean =>
  onList(facts) && facts.feature !== null && predicateLists.has(facts.feature);

const row = (
  id: string,
  title: string,
  keys: string | undefined,
  words: readonly string[],
  run: (list: Tools['list']) => void,
  when: (facts: Facts) => boolean = onList,
): Command =>
  command({
    id: `list.${id}`,
    title,
    group: 'list',
    ...(keys !== undefined && { keys }),
    words,
    when,
    run: (_given, _facts, tools) => run(tools.list),
  });
export const act = (
  what: ListAct,
  title: string,
  keys: string | undefined,
  words: readonly string[],
  when?: typeof onList,
) => row(what, title, keys, words, list => list.act?.(what), when);

export const list: readonly Command[] = [
  row('filter', 'Filter the list', '/', ['search', 'find'], list => list.filter()),
  act(
    'advanced',
    'Filter by a predicate, or by words again',
    'e',
    ['advanced', 'query', 'expression', 'labels'],
    isFiltered,
  ),
  act('add', 'Add to the list', 'a', ['new', 'create', 'register'], isAddedTo),
  row('reload', 'Refresh the list', 'r', ['reload', 'again', 'update'], list => list.reload?.()),
  row('next', 'Next row', 'j, down', [], list => list.move(1)),
  row('previous', 'Previous row', 'k, up', [], list => list.move(-1)),
  row('first', 'First row', 'home, g g', [], list => list.move('first')),
  row('last', 'Last row', 'end, shift+g', [], list => list.move('last')),
  row('open', 'Open the row', 'enter', ['first action'], list => list.open()),
  row('mark', 'Mark the row', 'x', ['select'], list => list.mark()),
  row('menu', 'Actions of the row', '.', ['menu'], list => list.menu()),
  act('sort', 'Sort by the next column', 's', ['order']),
  act('reverse', 'Turn the sort order around', 'shift+s', ['descending', 'ascending', 'order']),
  act('nextPage', 'Next page of the list', 'n', ['forward']),
  act('previousPage', 'Previous page of the list', 'p', ['back']),
  act('pin', 'Pin or unpin the row', 'f', ['favourite', 'star', 'bookmark']),
  act('copy', 'Copy the name of the row', 'y', ['clipboard', 'yank']),
  act('columns', 'Choose columns', 'c', ['labels', 'rows', 'dense']),
  act('views', 'Saved views', 'v', ['save', 'filter', 'pinned', 'recent']),
  act('clear', 'Unmark all rows', undefined, ['selection']),
];
