// Servers by the keys that their hosts show: adding one, and trusting a new key.
import * as z from 'zod/mini';
import { hostAndPort, hostName } from './address.ts';
import { awsAccount, awsRegion, instanceId, subnetId, vpcId } from './aws-shapes.ts';
import { call } from './call.ts';
import { EC2_SUB_KIND, node } from './nodes.ts';
import { clusterParams, givenLabels, name, safeName } from './shapes.ts';
import { visible } from './visible-text.ts';

/** One key as OpenSSH writes it on one line, `ssh-ed25519 AAAA…`. */
export const hostKeyLine = z.string().check(z.maxLength(16_384, 'at most 16384 characters'));

/** The key a host shows: what a person compares with the host's own `ssh-keygen -lf`. */
export const hostKey = z.object({ type: z.string(), fingerprint: z.string(), publicKey: z.string() });
export type HostKey = z.infer<typeof hostKey>;

export const probeHostKey = call('POST', 'sites/:clusterId/nodes/hostkey', {
  summary: 'Connect to an address and answer the host key it shows. Nothing is kept.',
  access: { resource: 'node', verb: 'create' },
  params: clusterParams,
  body: z.object({ addr: hostAndPort }),
  reply: z.object({ addr: z.string(), hostKey }),
});
const what = { hostname: hostName, addr: hostAndPort, labels: z._default(givenLabels, []) };
export const createNode = call('POST', 'sites/:clusterId/nodes', {
  summary:
    'Add an OpenSSH server. `hostKey` is the confirmed key, pinned from then on. A machine of EC2 is reached through an instance connect endpoint of its network, which the key that is pinned is read over.',
  access: { resource: 'node', verb: 'create' },
  params: clusterParams,
  body: z.discriminatedUnion(
    'subKind',
    [
      z.object({
        name: z.optional(z.string().check(z.maxLength(255), visible)),
        subKind: z.literal('openssh'),
        ...what,
        hostKey: hostKeyLine,
      }),
      z.object({
        name: safeName,
        subKind: z.literal(EC2_SUB_KIND),
        ...what,
        aws: z.object({
          accountId: awsAccount,
          instanceId,
          region: awsRegion,
          vpcId,
          integration: safeName,
          subnetId,
        }),
      }),
    ],
    'openssh or openssh-ec2-ice',
  ),
  reply: node,
});
const nodeParams = z.object({ clusterId: name, nodeId: name });

/** What a person compares before a new host key is trusted: the keys that are pinned, and the one that the host shows now. */
export const hostKeyChange = z.object({
  id: z.string(),
  hostname: z.string(),
  addr: z.string(),
  pinned: z.array(hostKey),
  shown: hostKey,
});
export type HostKeyChange = z.infer<typeof hostKeyChange>;

export const compareHostKey = call('POST', 'sites/:clusterId/nodes/:nodeId/hostkey', {
  summary: 'Connect to a server and answer the host key it shows beside those that are pinned. Nothing is changed.',
  access: { resource: 'node', verb: 'update' },
  params: nodeParams,
  reply: hostKeyChange,
});
export const trustHostKey = call('PUT', 'sites/:clusterId/nodes/:nodeId/hostkey', {
  summary: 'Pin the key that a host shows now in place of those it had, after a person compared them.',
  access: { resource: 'node', verb: 'update' },
  params: nodeParams,
  body: z.object({
    /** The confirmed key, OpenSSH one-line. Refused when the host shows another one by now. */
    hostKey: hostKeyLine,
    /** Fingerprints of the pinned keys that the person was shown. Refused when others are pinned by now. */
    replaces: z.array(z.string().check(z.maxLength(255))).check(z.maxLength(64)),
  }),
  reply: hostKeyChange,
});
