// How a container of a Kubernetes cluster is named where the id of a server stands: in the terminal socket, in addresses of the console.
import { readSlashed, slashed } from './prompt-address.ts';

const PREFIX = 'kube';

export interface ContainerAddress {
  readonly cluster: string;
  readonly namespace: string;
  readonly pod: string;
  /** '' = the pod's only one, or its first. */
  readonly container: string;
}
/** No id and no host has a slash: it can be taken for neither. */
export const containerAddress = ({ cluster, namespace, pod, container }: ContainerAddress): string =>
  slashed(PREFIX, cluster, namespace, pod, container);

/** Null for what names no container. */
export function readContainerAddress(serverId: string): ContainerAddress | null {
  const [cluster, namespace, pod, container, ...rest] = readSlashed(PREFIX, serverId) ?? [];
  if (!cluster || !namespace || !pod || container === undefined || rest.length > 0) return null;
  return { cluster, namespace, pod, container };
}
