// What a person's certificate for one target says of them: ids in URIs, each encoded, so that no name can pretend to be another field.
import type { X509Certificate } from 'node:crypto';
import type { TunnelKind } from '../../../contract/tunnels.ts';

/** What a certificate is for: a database, a Kubernetes cluster, a tunnel to a TCP application or to a database that is not spoken. */
export type CertifiedKind = 'db' | 'kube' | 'tcp-app' | 'tcp-db';
/** Those of tunnels, by what they lead to. */
export const certifiedAs = { app: 'tcp-app', db: 'tcp-db' } as const satisfies Record<TunnelKind, CertifiedKind>;

/** Whose certificate it is, and what for. */
export interface Identity {
  readonly userId: string;
  /** The certificate counts as long as the web session that it was made in. */
  readonly webSessionId: string;
  /** Name of the database, the cluster or the application. */
  readonly target: string;
  /** Id of the device of the second factor that was shown for it; '' where none was. */
  readonly device: string;
  /** Of the API of a cloud: as whom. */
  readonly chosen?: string;
  /** Of the API of a cloud, where the certificate outlives its connections: the one session that it is for, and when it was made, ms. */
  readonly session?: string;
  /** The leaf cluster that the target is in; absent: this one. */
  readonly cluster?: string;
}

const fieldsOf = (kind: CertifiedKind) =>
  ({
    userId: 'user',
    webSessionId: 'web-session',
    target: kind,
    device: 'device',
    chosen: 'chosen',
    session: 'session',
    cluster: 'cluster',
  }) as const;
const SCHEME = 'postern';

export const identityUris = (kind: CertifiedKind, identity: Identity): readonly string[] =>
  Object.entries(fieldsOf(kind)).flatMap(([field, name]) => {
    const value = identity[field as keyof Identity];
    return value === undefined ? [] : [`${SCHEME}:${name}:${encodeURIComponent(value)}`];
  });

/** Undefined for a certificate that is not for this kind. */
export function identityOf(
  kind: CertifiedKind,
  { subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>,
): Identity | undefined {
  const said = new Map(
    [...(subjectAltName ?? '').matchAll(/(?:^|, )URI:postern:([a-z-]+):([^\s,"]*)/g)].map(
      ([, name = '', value = '']) => [name, decodeURIComponent(value)] as const,
    ),
  );
  const identity = Object.fromEntries(
    Object.entries(fieldsOf(kind)).flatMap(([field, name]) => (said.has(name) ? [[field, said.get(name)]] : [])),
  ) as unknown as Identity;
  return identity.userId && identity.webSessionId && identity.target ? identity : undefined;
}
