// The gateway's own cluster, and the alerts shown as banners (contract/api.md 1.6).
import * as z from 'zod/mini';
import type { Verb } from '../../contract/acl.ts';
import { type Cluster, listAlerts, listClusters } from '../../contract/clusters.ts';
import type { Who } from '../ports.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Most banners at once. */
const ALERTS_MOST = 100;
/** An alert with this label is shown only to who has one of the rights it lists: `resource:verb|resource:verb`. */
const VERB_LABEL = 'postern.internal/alert-verb-permit';

/** The cluster that this gateway is, with the number of servers the person can see. */
export async function ownCluster(
  { config, store, clock }: Pick<Services, 'config' | 'store' | 'clock'>,
  who: Who,
): Promise<Cluster> {
  const nodes = await store.resources.list('node', { limit: 1, selection: who.rights.selection('node'), count: true });
  return {
    name: config.clusterName,
    lastConnected: clock().toISOString(),
    status: 'online',
    nodeCount: nodes.totalCount,
    publicURL: hostAndPort(config.publicUrl),
    authVersion: config.version,
    proxyVersion: config.version,
  };
}

/** host:port of an address, the port also where the scheme implies it. */
export function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

const alertSpec = z.object({ severity: z.number(), message: z.string(), created: z.optional(z.string()) });

export function serveClusters(serve: Serve, services: Services): void {
  serve(listClusters, async (_asked, who) => [await ownCluster(services, who)]);

  serve(listAlerts, async (_asked, who) => {
    const { items } = await services.store.resources.list('cluster_alert', {
      limit: ALERTS_MOST,
      selection: null,
      count: false,
    });
    const shown = items.filter(({ labels }) => permitted(labels[VERB_LABEL], who));
    return {
      alerts: shown.flatMap(({ name, labels, expires, spec, created }) => {
        const parsed = z.safeParse(alertSpec, spec);
        if (!parsed.success) return [];
        return {
          kind: 'cluster_alert' as const,
          version: 'v1' as const,
          metadata: { name, labels: { ...labels }, ...(expires ? { expires: expires.toISOString() } : {}) },
          spec: { created: created.toISOString(), ...parsed.data },
        };
      }),
    };
  });
}

function permitted(needs: string | undefined, who: Who): boolean {
  if (!needs) return true;
  return needs.split('|').some(need => {
    const [resource = '', verb = ''] = need.split(':');
    return who.rights.may(resource as Parameters<typeof who.rights.may>[0], verb as Verb);
  });
}
