// The cluster that a path names: this gateway's own, by its name or as the one that is meant anyway.
import { Failure } from '../../contract/failure.ts';

/** The path segment that stands for the gateway's own cluster. */
const CURRENT_CLUSTER = '-current-';

export const isOwnCluster = (clusterId: string, clusterName: string): boolean =>
  clusterId === clusterName || clusterId === CURRENT_CLUSTER;

/** Throws Failure not_found for a cluster that is not this one. */
export function refuseOtherCluster(clusterId: string, clusterName: string): void {
  if (!isOwnCluster(clusterId, clusterName)) throw new Failure('not_found', `cluster "${clusterId}" not found`);
}
