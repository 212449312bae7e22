// What a person chose for their lists: pins, saved views, columns. Pure; kept with the preferences (contract/preferences console).

import type { Label } from '../../contract/shapes.ts';
import type { NounId, Thing } from '../../features/thing.ts';
import type { Column } from '../ui/table-column.ts';

/** A view is a name for a list's query. */
export interface View {
  readonly title: string;
  /** The URL's query, without its question mark. */
  readonly search: string;
}

/** Bounds of contract/preferences. */
const PINNED_MOST = 500;
const VIEWS_MOST = 50;
const KEY_MOST_CHARACTERS = 255;
const SEARCH_MOST_CHARACTERS = 4096;

/** How pins and recents name a thing (console/palette/recents). */
export const thingKey = ({ kind, id }: Pick<Thing, 'kind' | 'id'>): string =>
  `${kind} ${id}`.slice(0, KEY_MOST_CHARACTERS);

/** Ids of one kind among pinned or recent keys, in their order. */
export function idsOf(keys: readonly string[], kind: NounId): readonly string[] {
  return keys.filter(key => key.startsWith(`${kind} `)).map(key => key.slice(kind.length + 1));
}

/** Pins what is not pinned; when all of it is, unpins it. The newest pin comes first. */
export function pinned(before: readonly string[], keys: readonly string[]): readonly string[] {
  if (keys.every(key => before.includes(key))) return before.filter(key => !keys.includes(key));
  return [...keys.filter(key => !before.includes(key)), ...before].slice(0, PINNED_MOST);
}

/** Saves a view; one of that name is replaced. Throws for a name or a query that cannot be kept. */
export function withView(views: readonly View[], title: string, search: string): readonly View[] {
  const name = title.trim();
  if (name === '') throw new Error('A view has a name');
  if (name.length > KEY_MOST_CHARACTERS)
    throw new Error(`The name of a view has at most ${KEY_MOST_CHARACTERS} characters`);
  if (search.length > SEARCH_MOST_CHARACTERS) throw new Error('This filter is too long to be saved');
  const others = views.filter(view => view.title !== name);
  if (others.length >= VIEWS_MOST) throw new Error(`A list has at most ${VIEWS_MOST} views; delete one first`);
  return [...others, { title: name, search }].toSorted((one, other) => one.title.localeCompare(other.title, 'en'));
}

/** Parts of the address that say where in a list someone is, not which list it is. */
const notOfAView: ReadonlySet<string> = new Set(['row', 'live']);

/** The query of the page as a view keeps it: always in the same order, so that two can be compared. */
export function viewSearch(query: Readonly<Record<string, string>>): string {
  const kept = Object.entries(query).filter(([name, value]) => value !== '' && !notOfAView.has(name));
  return new URLSearchParams(kept.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString();
}

/** What changes in the address when a view is chosen: its query, and nothing of the one before. */
export function viewChange(
  now: Readonly<Record<string, string>>,
  search: string,
): Readonly<Record<string, string | undefined>> {
  const cleared = Object.fromEntries(Object.keys(now).map(name => [name, undefined]));
  return { ...cleared, ...Object.fromEntries(new URLSearchParams(search)) };
}

const LABEL = 'label:';
/** Key of the column that holds the labels without a column of their own. */
export const LABELS = 'labels';
export const labelKey = (name: string): string => LABEL + name;

/** Columns that may be hidden: all but the first, which names the row, and those without a heading. */
export const isOptional = (column: Pick<Column<never>, 'key' | 'quiet'>, index: number): boolean =>
  index > 0 && column.quiet !== true;

/** Labels that get a column by themselves, in a wide window, in a narrow one, and on a phone, whose rows have two lines. */
export const LABEL_COLUMNS_MOST = { wide: 3, narrow: 1, phone: 0 } as const;

/** Names of labels that more than half of the rows carry, the most common first: worth a column of their own. */
export function commonLabels<Row>(rows: readonly Row[], labelsOf: (row: Row) => readonly Label[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const name of new Set(labelsOf(row).map(label => label.name))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count * 2 > rows.length)
    .toSorted(([one, count], [other, more]) => more - count || one.localeCompare(other, 'en'))
    .map(([name]) => name);
}

/** The keys of the columns shown while nobody has chosen: all there are, and those of the common labels. */
export const columnsAtFirst = (
  all: readonly Pick<Column<never>, 'key' | 'quiet'>[],
  labels: readonly string[],
): readonly string[] => [...all.filter(isOptional).map(column => column.key), ...labels.map(labelKey)];

/** Names of the labels that are columns. */
export const labelNames = (keys: readonly string[]): readonly string[] =>
  keys.filter(key => key.startsWith(LABEL)).map(key => key.slice(LABEL.length));

/** The columns to draw: those chosen, and a column for each label chosen, before the rest of the labels and the actions. */
export function chosenColumns<Row>(
  all: readonly Column<Row>[],
  chosen: readonly string[],
  labelColumn: (name: string) => Column<Row>,
): readonly Column<Row>[] {
  const own = all.filter((column, index) => !isOptional(column, index) || chosen.includes(column.key));
  const added = labelNames(chosen).map(labelColumn);
  const isLast = (column: Column<Row>): boolean =>
    column.key === LABELS || (column.quiet === true && own.indexOf(column) > 0);
  return [...own.filter(column => !isLast(column)), ...added, ...own.filter(isLast)];
}

/** The choice after a column was turned on or off. */
export const toggledColumn = (shown: readonly string[], key: string): readonly string[] =>
  shown.includes(key) ? shown.filter(one => one !== key) : [...shown, key];
