// What a SAML provider says about itself, and how XML of strangers is read here.
import { DOMParser } from '@xmldom/xmldom';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

export interface SamlIdp {
  /** entityID. */
  readonly issuer: string;
  readonly sso: string;
  /** PEM; a provider that changes its key has two for a while. */
  readonly certificates: readonly string[];
}

/** A document without a DOCTYPE. Throws Error. */
export function parseXml(text: string): Document {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error('XML with a DOCTYPE is not read');
  const problem = (message: string): never => {
    throw new Error(`not readable as XML: ${message.split('\n', 1)[0]}`);
  };
  const errorHandler = { warning: () => undefined, error: problem, fatalError: problem };
  const document: unknown = new DOMParser({ errorHandler }).parseFromString(text, 'text/xml');
  if (!(document as Document | undefined)?.documentElement) throw new Error('not readable as XML: it is empty');
  return document as Document;
}

export const elementsOf = (within: Document | Element, space: string, name: string): readonly Element[] =>
  Array.from(within.getElementsByTagNameNS(space, name));

/** Throws Error with what is missing. */
export function readIdpMetadata(text: string): SamlIdp {
  const { documentElement: root } = parseXml(text);
  const issuer = root.getAttribute('entityID') ?? '';
  if (root.localName !== 'EntityDescriptor' || root.namespaceURI !== METADATA || issuer === '')
    throw new Error('an EntityDescriptor with its entityID expected');
  const sso = elementsOf(root, METADATA, 'SingleSignOnService')
    .find(one => one.getAttribute('Binding') === REDIRECT)
    ?.getAttribute('Location');
  if (!sso || !/^https?:\/\//.test(sso))
    throw new Error('it has no SingleSignOnService with the binding HTTP-Redirect');
  const certificates = elementsOf(root, METADATA, 'IDPSSODescriptor')
    .flatMap(one => elementsOf(one, METADATA, 'KeyDescriptor'))
    .filter(key => (key.getAttribute('use') || 'signing') === 'signing')
    .flatMap(key => elementsOf(key, SIGNATURES, 'X509Certificate'))
    .map(({ textContent }) => pemOf(textContent ?? ''));
  if (certificates.length === 0) throw new Error('it has no certificate that signs');
  return { issuer, sso, certificates };
}

export const pemOf = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.replace(/\s/g, '').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
