// A service provider as its application says: who it is, where answers go, by which keys its requests are known.
import * as z from 'zod/mini';
import { Failure } from '../../../../contract/failure.ts';
import { elementsOf, parseXml, pemOf } from '../sso/saml-metadata.ts';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
export const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

interface AnswerAddress {
  readonly url: string;
  readonly index: string;
}
export interface ServiceProvider {
  readonly entityId: string;
  /** Where answers may go; the first is the default. */
  readonly acs: readonly [AnswerAddress, ...AnswerAddress[]];
  /** PEM; where there are any, requests must be signed with one of them. */
  readonly certificates: readonly string[];
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  /** Goes with what begins here; '' for nothing. */
  readonly relayState: string;
}

/** `saml` of the spec of an application. */
const written = z.object({
  entity_descriptor: z.optional(z.string()),
  entity_id: z.optional(z.string()),
  acs_url: z.optional(z.string()),
  attributes: z._default(z.array(z.object({ name: z.string(), value: z.string() })), []),
  relay_state: z._default(z.string(), ''),
});

/** Throws Error with what is missing. */
export function readServiceProvider(spec: unknown): ServiceProvider {
  const { entity_descriptor: descriptor, entity_id, acs_url, attributes, relay_state } = z.parse(written, spec);
  const more = { attributes, relayState: relay_state };
  if (descriptor !== undefined) return { ...readSpMetadata(descriptor), ...more };
  if (!entity_id || !acs_url) throw new Error('entity_descriptor, or entity_id and acs_url expected');
  return { entityId: entity_id, acs: [{ url: checkedUrl(acs_url), index: '0' }], certificates: [], ...more };
}

/** Throws Failure bad_request. */
export function checkServiceProvider(spec: unknown): void {
  try {
    readServiceProvider(spec);
  } catch (error) {
    throw new Failure('bad_request', `spec.saml: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readSpMetadata(text: string): Pick<ServiceProvider, 'entityId' | 'acs' | 'certificates'> {
  const { documentElement: root } = parseXml(text);
  const entityId = root.getAttribute('entityID') ?? '';
  if (root.localName !== 'EntityDescriptor' || root.namespaceURI !== METADATA || entityId === '')
    throw new Error('an EntityDescriptor with its entityID expected');
  const descriptors = elementsOf(root, METADATA, 'SPSSODescriptor');
  const services = descriptors
    .flatMap(one => elementsOf(one, METADATA, 'AssertionConsumerService'))
    .filter(one => one.getAttribute('Binding') === POST_BINDING)
    .sort((left, right) => Number(isDefault(right)) - Number(isDefault(left)))
    .map(one => ({ url: checkedUrl(one.getAttribute('Location') ?? ''), index: one.getAttribute('index') ?? '' }));
  const [first, ...others] = services;
  if (!first) throw new Error('it has no AssertionConsumerService with the binding HTTP-POST');
  const certificates = descriptors
    .flatMap(one => elementsOf(one, METADATA, 'KeyDescriptor'))
    .filter(key => (key.getAttribute('use') || 'signing') === 'signing')
    .flatMap(key => elementsOf(key, SIGNATURES, 'X509Certificate'))
    .map(({ textContent }) => pemOf(textContent ?? ''));
  return { entityId, acs: [first, ...others], certificates };
}

const isDefault = (one: Element): boolean => ['true', '1'].includes(one.getAttribute('isDefault') ?? '');

function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Error(`"${text.slice(0, 200)}" is no address that an answer could be posted to`);
  return url.href;
}
