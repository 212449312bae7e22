// The cluster that a path names: this gateway's own, by its name or as the one that is meant anyway.
import { Failure } from '../../contract/failure.ts';

/** The path segment that stands for the gateway's own cluster. */
const CURRENT_CLUSTER = '-current-';

/** Throws Failure not_found for a cluster that is not this one. */
export function refuseOtherCluster(clusterId: string, clusterName: string): void {
  if (clusterId !== clusterName && clusterId !== CURRENT_CLUSTER)
    throw new Failure('not_found', `cluster "${clusterId}" not found`);
}
