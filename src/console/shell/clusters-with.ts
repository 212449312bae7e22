import type { Cluster } from '../../contract/clusters.ts';

const byId = new Intl.Collator('en', { numeric: true }).compare;

/** Clusters whose id holds the text, whatever its case (specification section 5), sorted by it. */
export const clustersWith = (clusters: readonly Cluster[], typed: string): readonly Cluster[] =>
  clusters
    .filter(cluster => cluster.name.toLowerCase().includes(typed.trim().toLowerCase()))
    .toSorted((one, other) => byId(one.name, other.name));
