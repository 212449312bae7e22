// A stored Kubernetes cluster as connections need it.
import { Failure } from '../../../../contract/failure.ts';
import type { KubernetesTarget } from '../../../ports/kubernetes.ts';
import type { Rights } from '../../../ports/rights.ts';
import type { Resource, Resources } from '../../../store/store.ts';

/** A cluster and how it is connected to. */
export interface Cluster extends KubernetesTarget {
  readonly host: string;
  readonly port: number;
  /** In front of every path: '' or one without a slash at its end. */
  readonly base: string;
  /** Name that its certificate has. */
  readonly serverName: string;
  /** PEM; null: whom everybody knows. */
  readonly authorities: string | null;
  readonly shown: { readonly certificate: string; readonly privateKey: string } | undefined;
  readonly token: string | undefined;
}
/** What is known of a cluster, its secret with it. */
interface OpenedCluster {
  readonly server: string;
  readonly ca_cert?: string | undefined;
  readonly server_name?: string | undefined;
  readonly client_cert?: string | undefined;
  readonly client_key?: string | undefined;
  readonly token?: string | undefined;
}
export interface TargetParts {
  readonly resources: Pick<Resources, 'get'>;
  /** Null where nobody has said its address. */
  readonly openStored: (resource: Resource) => OpenedCluster | null;
}

/** A cluster that somebody's roles select. Throws Failure not_found, also where none do; unsupported for one without an address. */
export async function clusterOf(parts: TargetParts, rights: Pick<Rights, 'selects'>, name: string): Promise<Cluster> {
  const found = await parts.resources.get('kube_cluster', name);
  if (!found || !rights.selects('kube_cluster', found.labels))
    throw new Failure('not_found', `"${name}" was not found`);
  const opened = parts.openStored(found);
  if (!opened)
    throw new Failure('unsupported', `nobody has said where the API server of ${name} is: add spec.server to it`);
  const { server, ca_cert, server_name, client_cert, client_key, token } = opened;
  const url = new URL(server);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    name,
    address: server,
    labels: found.labels,
    host,
    port: Number(url.port || 443),
    base: url.pathname.replace(/\/+$/, ''),
    serverName: server_name ?? host,
    authorities: ca_cert ?? null,
    shown: client_cert && client_key ? { certificate: client_cert, privateKey: client_key } : undefined,
    token,
  };
}
