// How a Kubernetes cluster is kept: what people wrote without its secret, and the secret sealed beside it.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Failure } from '../../../contract/failure.ts';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import type { NewResource, Resource } from '../../store/store.ts';

type ClusterSpec = NonNullable<ResourceDocument<'kube_cluster'>['spec']>;
interface Secret {
  readonly client_key?: string;
  readonly token?: string;
}
/** Spec of the stored resource. Both are absent of one that nobody has said an address of. */
interface StoredSpec {
  readonly written?: Omit<ClusterSpec, keyof Secret>;
  readonly sealed?: string;
}
/** Seals at rest. */
export interface ClusterSecrets {
  seal(secret: string, place: string): Promise<string>;
  /** Throws Error when the key is not the one that sealed it. */
  open(sealed: string, place: string): string;
}

const placeOf = (name: string): string => `kube_cluster:${name}`;
const storedSpec = ({ spec }: Pick<Resource, 'spec'>): StoredSpec => spec as StoredSpec;
const openSecret = (secrets: ClusterSecrets, { name, spec }: Pick<Resource, 'name' | 'spec'>): Secret => {
  const { sealed } = storedSpec({ spec });
  return sealed === undefined ? {} : (JSON.parse(secrets.open(sealed, placeOf(name))) as Secret);
};

/** The columns of a document: a secret that it leaves out is that of `before`. Throws Failure bad_request. */
export async function clusterColumns(
  secrets: ClusterSecrets,
  { metadata: { name }, spec }: ResourceDocument<'kube_cluster'>,
  before: Resource | null,
): Promise<Pick<NewResource, 'address' | 'spec'>> {
  const { client_key, token, ...written } = spec ?? {};
  if (Object.keys(spec ?? {}).length === 0) return { address: '', spec: {} };
  if (written.server === undefined) throw new Failure('bad_request', 'spec.server: missing: an https address expected');
  const old = before && openSecret(secrets, before);
  const secret = secretOf(written, { client_key, token }, old, before);
  if (written.client_cert !== undefined) checkPair(written.client_cert, secret.client_key ?? '');
  return {
    address: written.server.slice(0, 255),
    spec: {
      written,
      // What has not changed stays as it is, so that writing it again is no change.
      sealed:
        before && isDeepStrictEqual(old, secret)
          ? storedSpec(before).sealed
          : await secrets.seal(JSON.stringify(secret), placeOf(name)),
    } satisfies { [Key in keyof StoredSpec]: StoredSpec[Key] | undefined } as StoredSpec,
  };
}

function secretOf(
  written: NonNullable<StoredSpec['written']>,
  given: { readonly client_key: string | undefined; readonly token: string | undefined },
  old: Secret | null,
  before: Resource | null,
): Secret {
  if (written.client_cert !== undefined) {
    if (given.token !== undefined)
      throw new Failure('bad_request', 'spec.token: the gateway shows a certificate or a token, not both');
    const key = given.client_key ?? old?.client_key;
    if (key === undefined)
      throw new Failure('bad_request', 'spec.client_key: missing: the key of client_cert expected');
    return { client_key: key };
  }
  if (given.client_key !== undefined)
    throw new Failure('bad_request', 'spec.client_cert: missing: the certificate of client_key expected');
  if (given.token !== undefined) return { token: given.token };
  const was = before && storedSpec(before).written;
  if (old?.token === undefined) throw new Failure('bad_request', 'spec: client_cert and client_key, or token expected');
  // Whoever may change an address may not have the token sent to a place of theirs.
  if (was?.server !== written.server || was?.ca_cert !== written.ca_cert || was?.server_name !== written.server_name)
    throw new Failure('bad_request', 'spec.token: give it again: it is sent to another server now');
  return { token: old.token };
}

/** Throws Failure bad_request where one is not the other's. */
function checkPair(certificate: string, key: string): void {
  let fits: boolean;
  try {
    fits = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure('bad_request', `spec.client_cert, spec.client_key: cannot be read: ${why}`);
  }
  if (!fits) throw new Failure('bad_request', 'spec.client_key: is not the key of client_cert');
}

/** What people wrote, without the secret. */
export const writtenCluster = (resource: Pick<Resource, 'spec'>): object => storedSpec(resource).written ?? {};

/** What is known of a cluster, with its secret; null where nobody has said its address. Throws Error when the secret cannot be opened. */
export function openStoredCluster(
  secrets: ClusterSecrets,
  resource: Resource,
): (Omit<ClusterSpec, 'server'> & { readonly server: string }) | null {
  const { written } = storedSpec(resource);
  return written?.server === undefined
    ? null
    : { ...written, server: written.server, ...openSecret(secrets, resource) };
}
