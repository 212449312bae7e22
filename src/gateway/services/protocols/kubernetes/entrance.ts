// The way into clusters: for a person who is known, and for a client that has shown its certificate.
import type { Who } from '../../../ports/who.ts';
import type { Identity } from '../identity.ts';
import { type DoorParts, type KubernetesDoor, openDoor } from './door.ts';
import { clusterOf, type TargetParts } from './target.ts';

export interface ClusterParts extends DoorParts, TargetParts {
  /** The person as they are now. Throws Failure signed_out when their web session is over. */
  readonly again: (of: Pick<Who, 'userId' | 'webSessionId' | 'remoteAddr'>) => Promise<Who>;
}
export interface Clusters {
  /** `device`: of the second factor that was shown for it. Throws Failure not_found, also where no role selects it; unsupported. */
  open(who: Who, cluster: string, device?: string): Promise<KubernetesDoor>;
  /** For whoever a certificate names, as they are now. Throws Failure signed_out beside that. */
  enter(identity: Identity, remoteAddr: string): Promise<KubernetesDoor>;
}

export function createClusters(parts: ClusterParts): Clusters {
  const open: Clusters['open'] = async (who, cluster, device = '') =>
    openDoor(parts, who, await clusterOf(parts, who.rights, cluster), device);
  return {
    open,
    async enter({ userId, webSessionId, target, device }, remoteAddr) {
      return open(await parts.again({ userId, webSessionId, remoteAddr }), target, device);
    },
  };
}
