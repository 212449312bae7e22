// The gateway's own cluster and its leaves, and the alerts shown as banners.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, time } from './shapes.ts';

export const cluster = z.object({
  name: z.string(),
  lastConnected: time,
  status: z.enum(['online', 'offline']),
  nodeCount: z.number(),
  publicURL: z.string(),
  authVersion: z.string(),
  proxyVersion: z.string(),
});
export type Cluster = z.infer<typeof cluster>;

export const listClusters = call('GET', 'sites', {
  summary: 'The clusters this person may enter.',
  access: 'signedIn',
  reply: z.array(cluster),
});

export const getThumbprint = call('GET', 'thumbprint', {
  summary: "SHA-1 of the certificate that the gateway's own chain ends in, as lower-case hex.",
  access: 'public',
  reply: z.string(),
});

export const alert = z.object({
  kind: z.literal('cluster_alert'),
  version: z.literal('v1'),
  metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()), expires: z.optional(time) }),
  /** Severity: below 5 info, 5 to 9 warning, 10 and above danger (specification section 9). */
  spec: z.object({ severity: z.number(), message: z.string(), created: z.optional(time) }),
});
export type Alert = z.infer<typeof alert>;
/** Label that holds an alert's link. */
export const ALERT_LINK_LABEL = 'postern.internal/link';
/** Label of an alert about billing, shown only to those whose billing flag is on (specification section 6). */
export const ALERT_BILLING_LABEL = 'postern.internal/alert-billing';

export const listAlerts = call('GET', 'sites/:clusterId/alerts', {
  summary: 'Alerts of the cluster, shown as banners.',
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({ alerts: z.array(alert) }),
});
