// The way into clusters: for a person who is known, and for a client that has shown its certificate.
import type { Who } from '../../../ports/who.ts';
import type { Identity } from '../identity.ts';
import { PROVEN_LIFE_MS } from '../person-certificates.ts';
import { type DoorParts, type KubernetesDoor, openDoor } from './door.ts';
import { clusterOf, type TargetParts } from './target.ts';

export interface ClusterParts extends DoorParts, TargetParts {
  /** The person as they are now. Throws Failure signed_out when their web session is over. */
  readonly again: (of: Pick<Who, 'userId' | 'webSessionId' | 'remoteAddr'>) => Promise<Who>;
}
export interface Clusters {
  /**
   * `device`: of the second factor that was shown for it, '' for none; absent: what a page of this web session was opened with. Throws Failure
   * not_found, also where no role selects it; unsupported.
   */
  open(who: Who, cluster: string, device?: string): Promise<KubernetesDoor>;
  /**
   * A page about the cluster was opened with this device: what the web session asks the cluster counts as proven until a minute after the answer
   * is called.
   */
  prove(who: Who, cluster: string, device: string): () => void;
  /** For whoever a certificate names, as they are now. Throws Failure signed_out beside that. */
  enter(identity: Identity, remoteAddr: string): Promise<KubernetesDoor>;
}

export function createClusters(parts: ClusterParts): Clusters {
  /** `pages`: that are open with it. */
  const proofs = new Map<string, { readonly device: string; pages: number; until: number }>();
  const keyOf = ({ webSessionId }: Who, cluster: string): string => JSON.stringify([webSessionId, cluster]);
  function provenWith(who: Who, cluster: string): string {
    for (const [key, { pages, until }] of proofs) if (pages === 0 && until <= Date.now()) proofs.delete(key);
    return proofs.get(keyOf(who, cluster))?.device ?? '';
  }
  const open: Clusters['open'] = async (who, cluster, device = provenWith(who, cluster)) =>
    openDoor(parts, who, await clusterOf(parts, who.rights, cluster), device);
  return {
    open,
    prove(who, cluster, device) {
      const key = keyOf(who, cluster);
      const known = proofs.get(key);
      const proof = known?.device === device ? known : { device, pages: 0, until: 0 };
      proofs.set(key, proof);
      proof.pages += 1;
      return () => {
        proof.pages -= 1;
        proof.until = Date.now() + PROVEN_LIFE_MS;
      };
    },
    async enter({ userId, webSessionId, target, device }, remoteAddr) {
      return open(await parts.again({ userId, webSessionId, remoteAddr }), target, device);
    },
  };
}
