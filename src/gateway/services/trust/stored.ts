// Clusters that trust each other, as the store keeps them: at the leaf its root, at the root its leaf.
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { withPort } from '../../../contract/address.ts';
import { Failure } from '../../../contract/failure.ts';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import type { RoleMap } from '../../../contract/role-map.ts';
import type { NewResource, Resource } from '../../store/store.ts';
import type { SharedKeyParts } from '../shared-key.ts';

/** Where a root listens unless its addresses say so. */
const TUNNEL_PORT = 3023;
const WEB_PORT = 443;

const rootSpec = z.object({
  enabled: z.boolean(),
  tunnelAddr: z.string(),
  webProxyAddr: z.string(),
  roleMap: z.array(z.object({ remote: z.string(), local: z.array(z.string()) })),
  /** Public key that this cluster dials with, one line, and the private one, sealed. */
  publicKey: z.string(),
  sealedKey: z.string(),
  /** The join token, sealed, until it has been used. */
  sealedToken: z.nullable(z.string()),
  /** What the root is known by once this cluster has joined it. */
  joined: z.nullable(z.object({ hostKey: z.string(), identityKey: z.string() })),
  /** The gateway that spends the token now, and until when it alone may, ms of the epoch. */
  joining: z._default(z.nullable(z.object({ gateway: z.string(), until: z.number() })), null),
});
export type RootSpec = z.output<typeof rootSpec> & { readonly roleMap: RoleMap };

/** Null for a row that holds none. */
export function readRoot({ spec }: Pick<Resource, 'spec'>): RootSpec | null {
  const read = z.safeParse(rootSpec, spec);
  return read.success ? read.data : null;
}
export const keyPlace = (name: string): string => `trusted_cluster:${name}:key`;
export const tokenPlace = (name: string): string => `trusted_cluster:${name}:token`;

/** What makes a row a trusted cluster. Throws Failure bad_request for a change of what may not change. */
export async function rootColumns(
  box: SharedKeyParts['secrets'],
  newKey: () => Promise<{ readonly privateKey: string; readonly line: string }>,
  { metadata: { name }, spec }: ResourceDocument<'trusted_cluster'>,
  before: Resource | null,
): Promise<Pick<NewResource, 'address' | 'spec'>> {
  const given = {
    enabled: spec.enabled,
    tunnelAddr: withPort(spec.tunnel_addr, TUNNEL_PORT),
    webProxyAddr: withPort(spec.web_proxy_addr, WEB_PORT),
    roleMap: spec.role_map,
  };
  const kept = before && readRoot(before);
  if (kept) {
    const isSame =
      isDeepStrictEqual([given.tunnelAddr, given.webProxyAddr], [kept.tunnelAddr, kept.webProxyAddr]) &&
      (spec.token === undefined ||
        (kept.sealedToken !== null && box.open(kept.sealedToken, tokenPlace(name)) === spec.token));
    if (!isSame)
      throw new Failure(
        'bad_request',
        'spec: only enabled and role_map of a trusted cluster can be changed: to join anew, delete it and create it with a new token',
      );
    return { address: given.tunnelAddr, spec: { ...kept, ...given } satisfies RootSpec };
  }
  if (spec.token === undefined)
    throw new Failure('bad_request', 'spec.token: missing: a join token of the root for Trusted_cluster expected');
  const { privateKey, line } = await newKey();
  return {
    address: given.tunnelAddr,
    spec: {
      ...given,
      publicKey: line,
      sealedKey: await box.seal(privateKey, keyPlace(name)),
      sealedToken: await box.seal(spec.token, tokenPlace(name)),
      joined: null,
      joining: null,
    } satisfies RootSpec,
  };
}

/** The spec as a document shows it: without token and keys. */
export function writtenRoot(resource: Resource): object {
  const root = readRoot(resource);
  if (!root) return {};
  return {
    enabled: root.enabled,
    tunnel_addr: root.tunnelAddr,
    web_proxy_addr: root.webProxyAddr,
    role_map: root.roleMap,
  };
}

const leafSpec = z.object({
  /** Public key that it dials with, one line. */
  publicKey: z.string(),
  /** Name of the join token. */
  token: z.string(),
  /** Where and when it was last seen: '' before that. */
  gateway: z._default(z.string(), ''),
  gatewayName: z._default(z.string(), ''),
  seenAt: z._default(z.string(), ''),
});
export type LeafSpec = z.output<typeof leafSpec>;
/** Null for a row that holds none. */
export function readLeaf({ spec }: Pick<Resource, 'spec'>): LeafSpec | null {
  const read = z.safeParse(leafSpec, spec);
  return read.success ? read.data : null;
}
export const newLeaf = (
  name: string,
  labels: Readonly<Record<string, string>>,
  spec: z.input<typeof leafSpec>,
): NewResource => ({
  kind: 'remote_cluster',
  name,
  title: name,
  description: '',
  address: '',
  subtype: '',
  labels,
  words: [],
  spec,
  expires: null,
});

/** The blob of a key's line, as it goes over the wire. */
export const blobOf = (line: string): Buffer => Buffer.from(line.split(' ')[1] ?? '', 'base64');
/** For writing it back. */
export const withoutTimes = ({
  revision: _revision,
  created: _created,
  updated: _updated,
  ...row
}: Resource): NewResource => row;
