// What the audit log hears of clusters: each request, and whose containers somebody works in.

import type { AuditEntry } from '../../ports/audit.ts';
import type { KubernetesAccess, KubernetesContainer } from '../../ports/kubernetes.ts';
import type { Who } from '../../ports/who.ts';
import { deviceField } from '../device-facts.ts';
import { agentFields } from './agent-facts.ts';

/** Longest path of a request that is kept, characters. */
const PATH_MOST_CHARACTERS = 2048;

const clusterFields = ({ cluster, kubeUser, kubeGroups }: KubernetesAccess) => ({
  proto: 'kube',
  login: kubeUser,
  kubernetes_cluster: cluster.name,
  kubernetes_users: [kubeUser],
  kubernetes_groups: kubeGroups,
  kubernetes_labels: cluster.labels,
});
/** Fields of what is done in a container. */
export const containerFields = (at: KubernetesContainer): Record<string, unknown> => ({
  ...clusterFields(at),
  kubernetes_pod_name: at.pod,
  kubernetes_pod_namespace: at.namespace,
  ...(at.container !== '' && { kubernetes_container_name: at.container }),
});

/** Somebody's request to a cluster. */
export interface KubernetesWish {
  readonly who: Who;
  readonly device?: string;
  readonly access: KubernetesAccess;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly group: string;
    readonly namespace: string | null;
    readonly kind: string;
    readonly name: string | null;
  };
  /** What the audit log has of a guard that is about it. */
  readonly guarded?: Readonly<Record<string, string>>;
}
/** `error`: why the gateway itself refused it; '' where the cluster has answered. */
export const requestEvent = (
  { who, device, access, request, guarded }: KubernetesWish,
  code: number,
  error = '',
): AuditEntry => ({
  code: 'T3009I',
  user: who.user,
  ...deviceField(who),
  user_id: who.userId,
  ...agentFields(who),
  'addr.remote': who.remoteAddr,
  ...(device && { with_mfa: device }),
  ...clusterFields(access),
  verb: request.method,
  request_path: request.path.slice(0, PATH_MOST_CHARACTERS),
  resource_api_group: request.group,
  resource_namespace: request.namespace ?? '',
  resource_kind: request.kind,
  resource_name: request.name ?? '',
  response_code: code,
  ...guarded,
  ...(error !== '' && { error, success: false }),
});
