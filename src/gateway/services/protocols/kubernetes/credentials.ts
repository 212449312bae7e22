// A person's certificate for one cluster, and where its clients connect.
import type { Who } from '../../../ports/who.ts';
import { type PersonCertificate, type PersonCertificates, placeFor } from '../person-certificates.ts';
import { actAs } from './judge.ts';
import { clusterOf, type TargetParts } from './target.ts';

interface KubernetesCredential extends PersonCertificate {
  /** Where clients ask, such as `https://gateway:3081/v1/clusters/prod`. */
  readonly server: string;
  /** Users and groups that roles name there; `*`: any. */
  readonly users: readonly string[];
  readonly groups: readonly string[];
}
export interface KubernetesCredentials {
  /** `device`: id of the one that was shown for it. Throws Failure not_found, denied, unsupported, bad_request for a key that is none. */
  issue(who: Who, cluster: string, publicKey: string, device?: string): Promise<KubernetesCredential>;
}

/** Where clients ask for a cluster. */
export function clusterAddress(at: { readonly host: string; readonly tlsPort: number }, name: string): string {
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  return `https://${host}:${at.tlsPort}/v1/clusters/${encodeURIComponent(name)}`;
}

export function createKubernetesCredentials(
  parts: TargetParts & {
    readonly personCertificates: PersonCertificates;
    /** Where clients connect; null: nowhere. */
    readonly listensOn: () => { readonly host: string; readonly tlsPort: number } | null;
  },
): KubernetesCredentials {
  return {
    async issue(who, name, publicKey, device = '') {
      const { labels } = await clusterOf(parts, who.rights, name);
      const users = who.rights.principals('kubernetes_users', labels);
      const groups = who.rights.principals('kubernetes_groups', labels);
      // What is chosen later is judged with each request: here it counts whether there is anything to choose.
      actAs(who.rights, who.user, labels, { kubeUser: who.user });
      const at = placeFor(who, parts.listensOn());
      const route = { kubernetes_cluster: name, kubernetes_users: users, kubernetes_groups: groups };
      return {
        ...(await parts.personCertificates.issue(who, { kind: 'kube', name, publicKey, device, route })),
        server: clusterAddress(at, name),
        users,
        groups,
      };
    },
  };
}
