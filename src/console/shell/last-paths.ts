// The Resources / Management switch: it goes back to where the person was in the other category (specification section 2).

import { isLocked, placed, reaches } from '../../features/access.ts';
import type { Place, Viewer } from '../../features/feature.ts';
import { hasCluster, match, to } from '../../features/paths.ts';
import { features } from '../../features/table.ts';
import { type KeyValueStorage, keys, readJson, writeJson } from './storage.ts';

/** What a category says that has nothing for a person. */
export const NOTHING_HERE = 'Nothing here is open to your roles';

export type Category = Exclude<Place['category'], 'menu'>;

/** The sidebar category that a path belongs to: that of its page, or of the page that it is part of. */
export function categoryOf(path: string): Category | undefined {
  const id = match(path)?.id;
  const { place, parent } = id === undefined ? {} : features[id];
  const category = (place ?? (parent && features[parent].place))?.category;
  return category === 'menu' ? undefined : category;
}

const lastPaths = (storage: KeyValueStorage): Partial<Record<Category, unknown>> => {
  const stored = readJson(storage, keys.lastPaths);
  return typeof stored === 'object' && stored !== null ? stored : {};
};

/** Remembers a page as the last one of its category; pages of none are not remembered. */
export function rememberPath(storage: KeyValueStorage, path: string): void {
  const category = categoryOf(path.replace(/[?#].*$/, ''));
  if (category !== undefined) writeJson(storage, keys.lastPaths, { ...lastPaths(storage), [category]: path });
}

/**
 * Where the switch to a category goes: the last page visited there, if it can still be reached, else its first. Undefined where the person
 * reaches none of it.
 */
export function pathOfCategory(
  storage: KeyValueStorage,
  category: Category,
  viewer: Viewer,
  clusterId: string,
): string | undefined {
  const last = lastPaths(storage)[category];
  if (typeof last === 'string' && categoryOf(last.replace(/[?#].*$/, '')) === category) {
    const id = match(last.replace(/[?#].*$/, ''))?.id;
    if (id !== undefined && (reaches(id, viewer) || isLocked(id, viewer))) return last;
  }
  const [first] = placed(category, viewer);
  return first && to(first, hasCluster(first) ? { clusterId } : {});
}
