// Who reaches what: the one place that asks a feature's right.
import type { Asking, Place, Section } from './feature.ts';
import { type FeatureId, featureIds, features } from './table.ts';

export { flag, flagsOf } from './flags.ts';

/** Whether a person may open a page. Public pages are open to all; of the others, nobody reaches any before the context has loaded. */
export function reaches(id: FeatureId, { who, config }: Asking): boolean {
  const row = features[id];
  if (row.public) return true;
  return who !== null && row.needs({ who, config });
}

/** Whether a page is shown as its locked variant: still named in the sidebar, with another page behind it. */
export function isLocked(id: FeatureId, { who, config }: Asking): boolean {
  const { locked } = features[id];
  return who !== null && (locked?.when({ who, config }) ?? false);
}

/** The pages a signed-in person reaches, in the sidebar's order. Empty until the user context has loaded; public pages are not in it. */
export function reachable(asking: Asking): FeatureId[] {
  return asking.who === null ? [] : featureIds.filter(id => features[id].public !== true && reaches(id, asking));
}

/** What the sidebar or the user menu shows: the reachable pages of one place, in order. */
export function placed(category: Place['category'], asking: Asking, section?: Section): FeatureId[] {
  return reachable(asking).filter(id => {
    const place = features[id].place;
    if (place?.category !== category) return false;
    return section === undefined || (place.category === 'management' && place.section === section);
  });
}

/** Where the root goes: the first page of Resources that the person reaches, else the support page (specification section 2). */
export function home(asking: Asking): FeatureId {
  return placed('resources', asking)[0] ?? 'support';
}

/** The page that a route without one of its own leads to; undefined for routes that show a page. */
export function leadsTo(id: FeatureId, asking: Asking): FeatureId | undefined {
  const { leads } = features[id];
  return leads === 'home' ? home(asking) : leads;
}
