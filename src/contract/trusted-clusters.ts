// Clusters that trust each other. A leaf keeps a trusted cluster, which is its root, and dials it; the root keeps the leaf as a remote cluster.
import * as z from 'zod/mini';
import { DNS_NAME } from './address.ts';
import { call } from './call.ts';
import { content, resourceItem } from './roles.ts';
import { givenLabels, labels, name, ok, time } from './shapes.ts';

/** Name of a cluster, as gateways are given one. */
export const clusterName = z
  .string()
  .check(
    z.minLength(1, 'not empty'),
    z.maxLength(63, 'at most 63 characters'),
    z.regex(DNS_NAME, 'letters, digits, dots and dashes'),
  );

/** The name that a visitor from a root has at its leaf. No user of the leaf's own can have a slash in theirs. */
export const visitorName = (root: string, user: string): string => `${root}/${user}`;

/** A root that this cluster trusts, as YAML, and how the connection to it stands. */
const trustedClusterItem = z.extend(resourceItem, {
  /** Ours. */
  status: z.enum(['connected', 'disconnected', 'disabled']),
  /** Ours: why it is not connected; empty where it is. */
  why: z.string(),
});
export type TrustedClusterItem = z.infer<typeof trustedClusterItem>;

const params = z.object({ name });
export const listTrustedClusters = call('GET', 'trustedcluster', {
  summary: 'The root clusters that this cluster trusts and dials, without their tokens.',
  access: { resource: 'trusted_cluster', verb: 'list' },
  reply: z.array(trustedClusterItem),
});
export const getTrustedCluster = call('GET', 'trustedcluster/:name', {
  summary: 'One trusted cluster, without its token.',
  access: { resource: 'trusted_cluster', verb: 'read' },
  params,
  reply: trustedClusterItem,
});
export const createTrustedCluster = call('POST', 'trustedcluster', {
  summary:
    'Join a root cluster from YAML: its name is that of the root, which is asked with the token before anything is kept.',
  access: { resource: 'trusted_cluster', verb: 'create' },
  body: content,
  reply: trustedClusterItem,
});
export const updateTrustedCluster = call('PUT', 'trustedcluster/:name', {
  summary: 'Change whether a trusted cluster is enabled, and its role map; all else stays what it was made with.',
  access: { resource: 'trusted_cluster', verb: 'update' },
  params,
  body: content,
  reply: trustedClusterItem,
});
export const deleteTrustedCluster = call('DELETE', 'trustedcluster/:name', {
  summary: 'Leave a root cluster: nobody comes from there any more, and what they have open ends.',
  access: { resource: 'trusted_cluster', verb: 'delete' },
  params,
  reply: ok,
});

/** A leaf, as its root keeps it. */
const remoteCluster = z.object({
  name: z.string(),
  status: z.enum(['online', 'offline']),
  /** Why it is offline; empty where it is not. */
  why: z.string(),
  labels,
  created: time,
  /** Fingerprint of the key that it is known by. */
  fingerprint: z.string(),
});
export type RemoteCluster = z.infer<typeof remoteCluster>;
export const listRemoteClusters = call('GET', 'remoteclusters', {
  summary: 'The leaf clusters that have joined this one, and that roles let this person go to or keep.',
  access: { resource: 'remote_cluster', verb: 'list' },
  reply: z.array(remoteCluster),
});
export const updateRemoteCluster = call('PUT', 'remoteclusters/:name', {
  summary: 'Change the labels of a leaf cluster, by which roles select it.',
  access: { resource: 'remote_cluster', verb: 'update' },
  params,
  body: z.object({ labels: givenLabels }),
  reply: remoteCluster,
});
export const deleteRemoteCluster = call('DELETE', 'remoteclusters/:name', {
  summary: 'Take a leaf cluster out: its tunnel is cut, and its key opens nothing any more.',
  access: { resource: 'remote_cluster', verb: 'delete' },
  params,
  reply: ok,
});

/** What a leaf asks its root once, with a join token for `Trusted_cluster`. */
export const joinRootCluster = call('POST', 'trustedclusters/validate', {
  summary: 'A leaf gateway joins this cluster: its token is used, and its key is pinned to its name.',
  access: 'public',
  body: z.object({
    token: z.string().check(z.minLength(1, 'not empty'), z.maxLength(256, 'at most 256 characters')),
    cluster_name: clusterName,
    /** The name that it knows the root by. */
    root_name: clusterName,
    /** One line, that the leaf dials in with. */
    public_key: z.string().check(z.regex(/^ssh-ed25519 [A-Za-z0-9+/]{68}$/, 'an Ed25519 public key')),
  }),
  reply: z.object({
    cluster_name: clusterName,
    /** One line: the key that the root's tunnel port shows. */
    host_key: z.string().check(z.regex(/^ssh-ed25519 [A-Za-z0-9+/]{68}$/, 'an Ed25519 public key')),
    /** PEM (SPKI, Ed25519): checks what the root says of its people. */
    identity_key: z.string().check(z.maxLength(1024, 'at most 1024 characters')),
  }),
});
