// Servers: the list.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, labels, listQuery, name, ok, page } from './shapes.ts';

export const node = z.object({
  kind: z._default(z.literal('node'), 'node'),
  id: z.string(),
  siteId: z.string(),
  /** 'local' is the machine the gateway runs on; 'openssh' any OpenSSH server. */
  subKind: z._default(z.string(), ''),
  hostname: z.string(),
  /** host:port; empty when `tunnel` is true. */
  addr: z._default(z.string(), ''),
  tunnel: z._default(z.boolean(), false),
  /** Ours: why it cannot be reached over its tunnel now, in words. */
  offline: z.optional(z.string()),
  tags: z._default(labels, []),
  sshLogins: z._default(z.array(z.string()), []),
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
