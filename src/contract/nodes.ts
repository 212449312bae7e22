// Servers: the list.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, labels, listQuery, name, ok, page } from './shapes.ts';

/** Where in AWS a machine of EC2 is, and the integration by which it is reached. */
export const awsPlace = z.object({
  accountId: z.string(),
  instanceId: z.string(),
  region: z.string(),
  vpcId: z.string(),
  integration: z.string(),
  subnetId: z.string(),
});
export type AwsPlace = z.infer<typeof awsPlace>;

/** `subKind` of a machine of EC2 that is reached through an instance connect endpoint. */
export const EC2_SUB_KIND = 'openssh-ec2-ice';

export const node = z.object({
  kind: z._default(z.literal('node'), 'node'),
  id: z.string(),
  siteId: z.string(),
  /**
   * 'local' is the machine the gateway runs on; 'openssh' any OpenSSH server; 'openssh-ec2-ice' one of EC2 that is reached through an
   * instance connect endpoint.
   */
  subKind: z._default(z.string(), ''),
  hostname: z.string(),
  /** host:port; empty when `tunnel` is true. */
  addr: z._default(z.string(), ''),
  tunnel: z._default(z.boolean(), false),
  /** Ours: why it cannot be reached over its tunnel now, in words. */
  offline: z.optional(z.string()),
  tags: z._default(labels, []),
  sshLogins: z._default(z.array(z.string()), []),
  aws: z.optional(awsPlace),
});
export type Node = z.infer<typeof node>;

export const listNodes = call('GET', 'sites/:clusterId/nodes', {
  summary: "Servers that this person's roles select.",
  access: { resource: 'node', verb: 'list' },
  params: clusterParams,
  query: listQuery,
  reply: page(node),
});

const nodeParams = z.object({ clusterId: name, nodeId: name });
export const deleteNode = call('DELETE', 'sites/:clusterId/nodes/:nodeId', {
  summary: 'Remove a server from the list.',
  access: { resource: 'node', verb: 'delete' },
  params: nodeParams,
  reply: ok,
});
