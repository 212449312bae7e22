// The gateway's own cluster, and the alerts shown as banners.
import { X509Certificate } from 'node:crypto';
import * as z from 'zod/mini';
import type { RuleResource, Verb } from '../../contract/acl.ts';
import { ALERT_BILLING_LABEL, type Cluster, getThumbprint, listAlerts, listClusters } from '../../contract/clusters.ts';
import { Failure } from '../../contract/failure.ts';
import type { Who } from '../ports.ts';
import type { Resource } from '../store/store.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Most banners at once. */
const ALERTS_MOST = 100;
/** Alerts looked at to find them. */
const ALERTS_READ = 1000;
/** Without one of these an alert is for those who may read alerts. */
const EVERYONE_LABEL = 'postern.internal/alert-permit-all';
/** Whoever has one of the rights it lists, `resource:verb|resource:verb`. */
const VERB_LABEL = 'postern.internal/alert-verb-permit';
/** About releases, which a dashboard does not have (specification section 6). */
const RELEASE_ALERTS: readonly string[] = ['upgrade-suggestion', 'security-patch-available'];

/** The cluster that this gateway is, with the number of servers the person can see. */
export async function ownCluster(
  { config, store, clock }: Pick<Services, 'config' | 'store' | 'clock'>,
  who: Who,
): Promise<Cluster> {
  const nodes = await store.resources.list('node', { limit: 1, selection: who.rights.listing('node'), count: true });
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

/** Of a PEM file's last certificate: the leaf comes first, who signed it after it. */
function thumbprint(chain: string): string {
  const last = chain.lastIndexOf('-----BEGIN CERTIFICATE-----');
  return new X509Certificate(chain.slice(Math.max(0, last))).fingerprint.replaceAll(':', '').toLowerCase();
}

const alertSpec = z.object({ severity: z.number(), message: z.string(), created: z.optional(z.string()) });

export function serveClusters(serve: Serve, services: Services): void {
  serve(listClusters, async (_asked, who) => [await ownCluster(services, who)]);

  serve(getThumbprint, async ({ reply }) => {
    const { tls } = services.config;
    if (!tls)
      throw new Failure('not_found', 'this gateway has no certificate of its own: what stands before it speaks TLS');
    // A string would be sent as plain text.
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(thumbprint(String(tls.cert))));
  });

  serve(listAlerts, async (_asked, who) => {
    const { items } = await services.store.resources.list('cluster_alert', {
      limit: ALERTS_READ,
      selection: null,
      count: false,
    });
    const { isCloud, isDashboard } = services.config.webConfig;
    const seesBilling = (isCloud || isDashboard) && who.rights.may('billing', 'list');
    const shown = items.flatMap(alert => {
      const spec = z.safeParse(alertSpec, alert.spec);
      const hidden =
        (isDashboard && RELEASE_ALERTS.includes(alert.name)) ||
        (alert.labels[ALERT_BILLING_LABEL] === 'yes' && !seesBilling);
      return spec.success && !hidden && permitted(alert, who) ? [{ ...alert, spec: spec.data }] : [];
    });
    // Where there are too many, the gravest stay, the newest of them first.
    shown.sort((a, b) => b.spec.severity - a.spec.severity || b.created.getTime() - a.created.getTime());
    return {
      alerts: shown.slice(0, ALERTS_MOST).map(({ name, labels, expires, spec, created }) => ({
        kind: 'cluster_alert' as const,
        version: 'v1' as const,
        metadata: { name, labels: { ...labels }, ...(expires ? { expires: expires.toISOString() } : {}) },
        spec: { created: created.toISOString(), ...spec },
      })),
    };
  });
}

function permitted({ name, labels }: Resource, who: Who): boolean {
  if (labels[EVERYONE_LABEL] === 'yes') return true;
  if (who.rights.may('cluster_alert', 'list', { resource: { name, labels } })) return true;
  const needs = labels[VERB_LABEL] ?? '';
  return needs.split('|').some(need => {
    const [resource = '', verb = ''] = need.split(':');
    return resource !== '' && who.rights.may(resource as RuleResource, verb as Verb);
  });
}
