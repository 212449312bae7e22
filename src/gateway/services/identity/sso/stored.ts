// How a connector is kept: what people wrote without its secrets, and the secrets sealed beside it.
import { isDeepStrictEqual } from 'node:util';
import type { ConnectorKind } from '../../../../contract/connectors.ts';
import { dotted, shown } from '../../../../contract/explain.ts';
import { Failure } from '../../../../contract/failure.ts';
import { checkPattern } from '../../../../contract/pattern.ts';
import type { ResourceDocument } from '../../../../contract/resource-documents.ts';
import type { NewResource, Resource } from '../../../store/store.ts';
import type { SecretBox } from '../secret-box.ts';
import { newKeyPair } from './certificate.ts';

type ConnectorSpec<Kind extends ConnectorKind = ConnectorKind> = ResourceDocument<Kind>['spec'];
/** Fields that say where the client secret is sent: whoever changes one gives it again. */
const PLACES = ['issuer_url', 'endpoint_url', 'api_endpoint_url'] as const;
interface Secrets {
  /** GitHub and OpenID Connect. */
  readonly clientSecret?: string;
  /** SAML: PEM of the key that signs requests and opens encrypted assertions. */
  readonly privateKey?: string;
}
/** Spec of the stored resource. */
interface StoredSpec {
  readonly written: Omit<ConnectorSpec, 'client_secret'>;
  readonly sealed: string;
  /** SAML: PEM of the certificate of `privateKey`. */
  readonly certificate?: string;
}

/** A connector that can be used. */
export interface Connector<Kind extends ConnectorKind = ConnectorKind> extends Secrets {
  readonly kind: Kind;
  readonly name: string;
  /** Text of its button. */
  readonly display: string;
  readonly spec: ConnectorSpec<Kind>;
  readonly certificate?: string;
  /** Grows with each change. */
  readonly revision: number;
}

const placeOf = ({ kind, name }: Pick<Resource, 'kind' | 'name'>): string => `connector:${kind}/${name}`;
const storedSpec = ({ spec }: Resource): StoredSpec => spec as StoredSpec;
const open = (box: SecretBox, resource: Resource): Secrets =>
  JSON.parse(box.open(storedSpec(resource).sealed, placeOf(resource)));

/** The columns of a document: a secret that it leaves out is that of `before`. Throws Failure bad_request when there is none. */
export async function connectorColumns(
  box: SecretBox,
  document: ResourceDocument<ConnectorKind>,
  before: Resource | null,
): Promise<Pick<NewResource, 'title' | 'spec'>> {
  const { kind, metadata, spec } = document;
  const { client_secret: given, ...written } = spec as ConnectorSpec<'oidc'>;
  const old = before && open(box, before);
  const described = (spec as ConnectorSpec<'saml'>).entity_descriptor;
  if (described !== undefined)
    try {
      const { readIdpMetadata } = await import('./saml-metadata.ts');
      readIdpMetadata(described);
    } catch (error) {
      throw new Failure(
        'bad_request',
        `spec.entity_descriptor: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  if (kind !== 'saml' && !given && !old)
    throw new Failure('bad_request', 'spec.client_secret: missing: a text expected');
  const placed = (of: object): Readonly<Record<string, unknown>> => of as Readonly<Record<string, unknown>>;
  const moved = PLACES.find(one => before && placed(storedSpec(before).written)[one] !== placed(written)[one]);
  if (kind !== 'saml' && !given && moved !== undefined)
    throw new Failure('bad_request', `spec.client_secret: give it again: with another ${moved} it is sent elsewhere`);
  const pair = kind === 'saml' && !old ? await newKeyPair(`Postern ${metadata.name}`) : null;
  const secrets: Secrets =
    kind === 'saml'
      ? { privateKey: pair?.privateKey ?? old?.privateKey ?? '' }
      : { clientSecret: given ?? old?.clientSecret ?? '' };
  const certificate = pair?.certificate ?? (before ? storedSpec(before).certificate : undefined);
  const place = placeOf({ kind, name: metadata.name });
  return {
    title: spec.display ?? metadata.name,
    spec: {
      written,
      // What has not changed stays as it is, so that writing it again is no change.
      sealed:
        before && isDeepStrictEqual(old, secrets)
          ? storedSpec(before).sealed
          : await box.seal(JSON.stringify(secrets), place),
      ...(certificate && { certificate }),
    } satisfies StoredSpec,
  };
}

/** What people wrote, without secrets. */
export const writtenSpec = (resource: Resource): object => storedSpec(resource).written;

/** The connector with its secrets. Throws Error when the key is not the one that sealed them. */
export function openConnector(box: SecretBox, resource: Resource): Connector {
  const { written, certificate } = storedSpec(resource);
  return {
    kind: resource.kind as ConnectorKind,
    name: resource.name,
    display: resource.title,
    spec: written as ConnectorSpec,
    revision: resource.revision,
    ...open(box, resource),
    ...(certificate && { certificate }),
  };
}

/** The rules of a connector that give roles, with where its document says each. */
const rulesIn = (spec: object) =>
  Object.entries(spec).flatMap(([key, rules]) =>
    key.endsWith('_to_roles')
      ? (rules as readonly { readonly value?: string; readonly roles: readonly string[] }[]).map((rule, index) => ({
          path: ['spec', key, index] as readonly PropertyKey[],
          ...rule,
        }))
      : [],
  );
/** Roles that a connector gives, with where its document says so. */
export const rolesGiven = (spec: object): readonly { readonly path: readonly PropertyKey[]; readonly role: string }[] =>
  rulesIn(spec).flatMap(({ path, roles }) => roles.map((role, index) => ({ path: [...path, 'roles', index], role })));
/** Patterns of a connector's rules that could not be run, with why. */
export const unreadablePatterns = (
  spec: object,
): readonly { readonly path: readonly PropertyKey[]; readonly text: string }[] =>
  rulesIn(spec).flatMap(({ path, value = '' }) => {
    try {
      checkPattern(value);
      return [];
    } catch (error) {
      const at = [...path, 'value'];
      return [{ path: at, text: `${dotted(at)}: ${shown(value)}: ${error instanceof Error ? error.message : error}` }];
    }
  });
