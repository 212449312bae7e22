// The services of Kubernetes clusters over what the rest of the gateway is made of.
import type { Trace } from '../contract/diagnostics.ts';
import type { AuditLog } from './ports/audit.ts';
import type { Reach } from './ports/reach.ts';
import type { Who } from './ports/who.ts';
import type { SecretBox } from './services/identity/secret-box.ts';
import type { Sessions } from './services/identity/web-sessions.ts';
import { createKubernetesClusters, type KubernetesClusters } from './services/kubernetes/manage.ts';
import { openStoredCluster } from './services/kubernetes/stored.ts';
import type { OneByOneParts } from './services/one-by-one.ts';
import { type ClusterClients, openClusterClients } from './services/protocols/kubernetes/clients.ts';
import { openClusterConnections } from './services/protocols/kubernetes/connection.ts';
import {
  createKubernetesCredentials,
  type KubernetesCredentials,
} from './services/protocols/kubernetes/credentials.ts';
import { tryCluster } from './services/protocols/kubernetes/diagnose.ts';
import { type Clusters, createClusters } from './services/protocols/kubernetes/entrance.ts';
import type { PersonCertificates } from './services/protocols/person-certificates.ts';
import { requestEvent } from './services/sessions/kubernetes-audit.ts';
import type { Broker } from './services/sessions/participant.ts';
import type { Passages } from './services/sessions/passages.ts';
import { kubernetesDoor, type SessionPolicy } from './services/sessions/policy/policy.ts';
import { createRequestGuards } from './services/sessions/request-guards.ts';
import type { StatementReviews } from './services/sessions/reviews.ts';
import type { Resources } from './store/store.ts';

interface ClusterServiceParts {
  readonly resources: Pick<Resources, 'get'>;
  readonly declared: OneByOneParts['declared'];
  readonly secretBox: SecretBox;
  readonly again: Sessions['again'];
  readonly reach: Pick<Reach, 'stream'>;
  readonly audit: AuditLog;
  readonly policy: Pick<SessionPolicy, 'permit' | 'connect'>;
  readonly passages: Pick<Passages, 'enter'>;
  readonly reviews: Pick<StatementReviews, 'ask'>;
  readonly sessions: Pick<Broker, 'relayContainer'>;
  readonly personCertificates: PersonCertificates;
  /** Where people's own clients connect; null: nowhere. */
  readonly listensOn: () => { readonly host: string; readonly tlsPort: number } | null;
  readonly report: (problem: string, error: unknown) => void;
}
export interface ClusterServices {
  readonly clusters: Clusters;
  readonly kubernetesCredentials: KubernetesCredentials;
  readonly kubernetesClusters: KubernetesClusters;
  readonly clusterClients: ClusterClients;
  clusterTrials(who: Who, of: { readonly name: string; readonly namespace: string }): Promise<readonly Trace[]>;
  close(): void;
}

/** You must close them. */
export function openClusterServices(parts: ClusterServiceParts): ClusterServices {
  const { resources, secretBox, again, audit, policy, passages, sessions, report } = parts;
  const target = {
    resources,
    openStored: (found: Parameters<typeof openStoredCluster>[1]) => openStoredCluster(secretBox, found),
  };
  const connections = openClusterConnections(parts.reach);
  const clusters = createClusters({
    ...target,
    again,
    connections,
    audit,
    permit: wish => policy.permit(wish, kubernetesDoor(wish)),
    connect: wish => policy.connect(wish, kubernetesDoor(wish)),
    requestEvent,
    guards: createRequestGuards(parts.reviews),
    enter: passages.enter,
    sessions,
  });
  const clusterClients = openClusterClients(clusters, report);
  return {
    clusters,
    clusterClients,
    kubernetesClusters: createKubernetesClusters(parts),
    clusterTrials: (who, of) => tryCluster(clusters, who, of),
    kubernetesCredentials: createKubernetesCredentials({ ...target, ...parts }),
    close() {
      clusterClients.close();
      connections.close();
    },
  };
}
