// The gateway's own cluster, and the alerts shown as banners.
import { X509Certificate } from 'node:crypto';
import { type Cluster, getThumbprint, listAlerts, listClusters } from '../../contract/clusters.ts';
import { Failure } from '../../contract/failure.ts';
import type { Who } from '../ports/who.ts';
import type { Leaf } from '../services/trust/leaves.ts';
import { askLeaf } from './leaf.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** A list of clusters waits no longer for what one of them says of itself, ms. */
const LEAF_MS = 2000;

/** The cluster that this gateway is, with the number of servers the person can see. */
export async function ownCluster(
  { config, servers, clock }: Pick<Services, 'config' | 'servers' | 'clock'>,
  who: Who,
): Promise<Cluster> {
  return {
    name: config.clusterName,
    lastConnected: clock().toISOString(),
    status: 'online',
    nodeCount: await servers.count(who),
    publicURL: hostAndPort(config.publicUrl),
    authVersion: config.version,
    proxyVersion: config.version,
  };
}

/** A leaf, with what it says of itself to this person; without that where it is offline, or says nothing in time. */
async function leafCluster(
  leaves: Services['leaves'],
  { name, connection, lastConnected }: Leaf,
  who: Who,
): Promise<Cluster> {
  const said = connection ? await askLeaf(listClusters, leaves, who, name, LEAF_MS).catch(() => null) : null;
  const {
    nodeCount = 0,
    publicURL = '',
    authVersion = '',
    proxyVersion = '',
  } = said?.find(one => one.name === name) ?? {};
  return {
    name,
    lastConnected,
    status: connection ? 'online' : 'offline',
    nodeCount,
    publicURL,
    authVersion,
    proxyVersion,
  };
}

/** host:port of an address, the port also where the scheme implies it. */
export function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** Of a PEM file's last certificate: the leaf comes first, who signed it after it. */
export function thumbprint(chain: string): string {
  const last = chain.lastIndexOf('-----BEGIN CERTIFICATE-----');
  return new X509Certificate(chain.slice(Math.max(0, last))).fingerprint.replaceAll(':', '').toLowerCase();
}

export function serveClusters(serve: Serve, services: Services): void {
  serve(listClusters, async (_asked, who) => {
    const leaves = await services.leaves.shownTo(who);
    return Promise.all([ownCluster(services, who), ...leaves.map(leaf => leafCluster(services.leaves, leaf, who))]);
  });

  serve(getThumbprint, async ({ reply }) => {
    const { tls } = services.config;
    if (!tls)
      throw new Failure('not_found', 'this gateway has no certificate of its own: what stands before it speaks TLS');
    // A string would be sent as plain text.
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(thumbprint(String(tls.cert))));
  });

  serve(listAlerts, async (_asked, who) => ({ alerts: [...(await services.alerts.shownTo(who))] }));
}
