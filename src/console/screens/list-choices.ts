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
const notOfAView: ReadonlySet<string> = new Set(['after', 'from', 'page', 'live']);

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
export const labelKey = (name: string): string => LABEL + name;

/** Columns that may be hidden: all but the first, which names the row, and those without a heading. */
export const isOptional = (column: Pick<Column<never>, 'key' | 'quiet'>, index: number): boolean =>
  index > 0 && column.quiet !== true;

/** The columns to draw: those chosen, and a column for each label chosen, before the actions. Without a choice: as they come. */
export function chosenColumns<Row>(
  all: readonly Column<Row>[],
  chosen: readonly string[] | undefined,
  labelsOf: ((row: Row) => readonly Label[]) | undefined,
): readonly Column<Row>[] {
  if (chosen === undefined) return all;
  const own = all.filter((column, index) => !isOptional(column, index) || chosen.includes(column.key));
  const names =
    labelsOf === undefined ? [] : chosen.filter(key => key.startsWith(LABEL)).map(key => key.slice(LABEL.length));
  const added = names.map(
    (name): Column<Row> => ({
      key: labelKey(name),
      title: name,
      mono: true,
      draw: row => labelsOf?.(row).find(label => label.name === name)?.value ?? '',
    }),
  );
  const actions = own.filter(column => column.quiet === true && own.indexOf(column) > 0);
  return [...own.filter(column => !actions.includes(column)), ...added, ...actions];
}

/** The choice after a column was turned on or off; the columns shown so far when nothing was chosen yet. */
export function toggledColumn(
  all: readonly Pick<Column<never>, 'key' | 'quiet'>[],
  chosen: readonly string[] | undefined,
  key: string,
): readonly string[] {
  const before = chosen ?? all.filter(isOptional).map(column => column.key);
  return before.includes(key) ? before.filter(one => one !== key) : [...before, key];
}
