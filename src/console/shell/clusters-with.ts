import type { Cluster } from '../../contract/clusters.ts';

/** Clusters whose id holds the text, whatever its case (specification section 5). */
export const clustersWith = (clusters: readonly Cluster[], typed: string): readonly Cluster[] =>
  clusters.filter(cluster => cluster.name.toLowerCase().includes(typed.trim().toLowerCase()));
