// Reads what a service provider has sent a browser here with: an AuthnRequest over the redirect binding (SAML bindings, 3.4). Its signature
// is over the query as it came, so nothing within the XML can pass for signed.
import { createVerify, X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { parseXml } from '../sso/saml-metadata.ts';
import { POST_BINDING, type ServiceProvider } from './service-provider.ts';

const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
/** Largest request that is read, bytes. */
const REQUEST_MOST_BYTES = 64 * 1024;
/** A request counts for so long, ms; clocks may be off by as much. */
export const REQUEST_LIFE_MS = 5 * 60_000;
/** SHA-1 has been broken. */
const algorithms: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'RSA-SHA256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'RSA-SHA384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'RSA-SHA512',
};

export interface SamlRequest {
  readonly id: string;
  readonly issuer: string;
  /** '' where it names none. */
  readonly acsUrl: string;
  readonly acsIndex: string;
  readonly relayState: string;
  /** Asks for a new proof of who is there. */
  readonly isForced: boolean;
  /** Throws Error unless it is signed as this service provider must. */
  verify(by: Pick<ServiceProvider, 'certificates'>): void;
}

/** `at`: the address of ours that it must be for. Throws Error with a sentence. */
export function readRequest(query: string, at: string, now: Date): SamlRequest {
  const parts = new Map<string, string>();
  for (const part of query.split('&')) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    if (parts.has(name)) throw new Error(`${name} is there twice`);
    parts.set(name, value);
  }
  const textOf = (name: string): string => decoded(parts.get(name) ?? '');
  if (![undefined, '', 'urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE'].includes(textOf('SAMLEncoding')))
    throw new Error('the request is encoded in a way that is not known');
  const xml = inflated(textOf('SAMLRequest'));
  const root = parseXml(xml).documentElement;
  if (root.localName !== 'AuthnRequest' || root.namespaceURI !== PROTOCOL) throw new Error('no SAML AuthnRequest');
  if (root.getElementsByTagNameNS(PROTOCOL, 'AuthnRequest').length > 0) throw new Error('one request within another');
  const issuers = Array.from(root.childNodes).filter(
    node => (node as Element).localName === 'Issuer' && (node as Element).namespaceURI === ASSERTION,
  );
  const issuer = issuers[0]?.textContent?.trim() ?? '';
  if (issuers.length !== 1 || issuer === '') throw new Error('the request does not say who asks');
  const attribute = (name: string): string => root.getAttribute(name) ?? '';
  const id = attribute('ID');
  if (attribute('Version') !== '2.0' || !/^[A-Za-z_][\w.-]{0,255}$/.test(id))
    throw new Error('no request of SAML 2.0 with an ID');
  const age = now.getTime() - Date.parse(attribute('IssueInstant'));
  if (!(Math.abs(age) <= REQUEST_LIFE_MS)) throw new Error('the request has run out: begin again at the application');
  const destination = attribute('Destination');
  if (destination !== '' && destination !== at) throw new Error(`the request is for ${destination}, not for ${at}`);
  if (!['', POST_BINDING].includes(attribute('ProtocolBinding'))) throw new Error('answers are posted alone');
  return {
    id,
    issuer,
    acsUrl: attribute('AssertionConsumerServiceURL'),
    acsIndex: attribute('AssertionConsumerServiceIndex'),
    relayState: textOf('RelayState'),
    isForced: ['true', '1'].includes(attribute('ForceAuthn')),
    verify({ certificates }) {
      if (certificates.length === 0) return;
      const algorithm = algorithms[textOf('SigAlg')];
      if (!parts.has('Signature') || algorithm === undefined)
        throw new Error('the request is not signed with RSA and SHA-256 or better');
      if (destination === '') throw new Error('a signed request says whom it is for');
      const signed = ['SAMLRequest', 'RelayState', 'SigAlg']
        .flatMap(name => (parts.has(name) ? [`${name}=${parts.get(name)}`] : []))
        .join('&');
      const signature = Buffer.from(textOf('Signature'), 'base64');
      const isOurs = certificates.some(pem =>
        createVerify(algorithm).update(signed).verify(new X509Certificate(pem).publicKey, signature),
      );
      if (!isOurs) throw new Error(`the request is not signed by ${issuer}`);
    },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Error('the query cannot be read');
  }
}
function inflated(text: string): string {
  const packed = Buffer.from(text.replaceAll(' ', '+'), 'base64');
  if (packed.length === 0 || packed.length > REQUEST_MOST_BYTES) throw new Error('no SAML request');
  try {
    return inflateRawSync(packed, { maxOutputLength: REQUEST_MOST_BYTES }).toString('utf8');
  } catch {
    throw new Error('the request cannot be unpacked');
  }
}
