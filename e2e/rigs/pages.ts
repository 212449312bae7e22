// Every page a signed-in person can open by address, from the feature table, with what its path needs filled in.

import { goToIds } from '../../commands/goto.ts';
import { to } from '../../src/features/paths.ts';
import { type FeatureId, featureIds, features } from '../../src/features/table.ts';

export interface PageVisit {
  readonly id: FeatureId;
  readonly path: string;
}

/** Pages whose path needs nothing but the cluster; `public` ones only when asked for. */
export function pages(clusterId: string, kind: 'private' | 'public'): readonly PageVisit[] {
  return featureIds
    .filter(id => (features[id].public === true) === (kind === 'public'))
    .filter(id => !/:(?!clusterId)[A-Za-z]+(?!\?)\b/.test(features[id].path.replace(/:[A-Za-z]+\?/g, '')))
    .map(id => ({ id, path: to(id, { clusterId }) }));
}

/** Pages that a gateway as it is prepared has, and that chords go to. There is no assistant before a model is set: its page has journeys of its own. */
export const chordIds: readonly FeatureId[] = goToIds.filter(id => features[id].keys !== undefined && id !== 'assist');
