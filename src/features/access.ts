// Who reaches what: the one place that asks a feature's right.
import type { Feature, Place, Section, Viewer } from './feature.ts';
import { type FeatureId, featureIds, features } from './table.ts';

export { flag, flagsOf } from './flags.ts';

/** The rules of access over a table of pages: the product's own, or a test's. */
export function createAccess<Id extends string>(rows: Readonly<Record<Id, Feature>>) {
  /** Whether a person has the right to a page, locked or not; nobody has one before the context has loaded. */
  const hasRight = (id: Id, { who, config }: Viewer): boolean => who !== null && rows[id].needs({ who, config });

  /** A child of a locked parent is skipped (specification section 2). */
  function isSkipped(id: Id, viewer: Viewer): boolean {
    const parent = rows[id].parent as Id | undefined;
    return parent !== undefined && (isLocked(parent, viewer) || isSkipped(parent, viewer));
  }

  /** Whether a page is shown as its locked variant: still named in the sidebar, with another page behind it. */
  function isLocked(id: Id, viewer: Viewer): boolean {
    const { who, config } = viewer;
    if (who === null || !rows[id].locked?.when({ who, config })) return false;
    return hasRight(id, viewer) && !isSkipped(id, viewer);
  }

  /**
   * Whether a person may open a page. Public pages are open to all; of the others, nobody reaches any before the context has loaded.
   * A locked page is not reached: its locked variant stands in for it.
   */
  function reaches(id: Id, viewer: Viewer): boolean {
    if (rows[id].public) return true;
    return hasRight(id, viewer) && !isLocked(id, viewer) && !isSkipped(id, viewer);
  }

  return { isLocked, reaches };
}

export const { isLocked, reaches } = createAccess<FeatureId>(features);

/** The pages a signed-in person reaches, in the sidebar's order. Empty until the user context has loaded; public pages are not in it. */
export function reachable(viewer: Viewer): FeatureId[] {
  return viewer.who === null ? [] : featureIds.filter(id => features[id].public !== true && reaches(id, viewer));
}

/** What the sidebar or the user menu shows: the pages of one place that are reached or locked, in order. */
export function placed(category: Place['category'], viewer: Viewer, section?: Section): FeatureId[] {
  return featureIds.filter(id => {
    const place = features[id].place;
    if (place?.category !== category || !(reaches(id, viewer) || isLocked(id, viewer))) return false;
    return section === undefined || (place.category === 'management' && place.section === section);
  });
}

/**
 * Where the root goes: the first page of Resources that the person reaches, else the support page (specification section 2). Access requests, which
 * everybody reaches, count for none.
 */
export function home(viewer: Viewer): FeatureId {
  return placed('resources', viewer).find(id => id !== 'accessRequests' && reaches(id, viewer)) ?? 'support';
}

/** The page that a route without one of its own leads to; undefined for routes that show a page. */
export function leadsTo(id: FeatureId, viewer: Viewer): FeatureId | undefined {
  const { leads } = features[id];
  return leads === 'home' ? home(viewer) : leads;
}
