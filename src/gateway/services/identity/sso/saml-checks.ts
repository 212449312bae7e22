// What is checked of a SAML answer beside the library: DOCTYPE, algorithms, Destination, Issuer, and whom its confirmation is for.
import { elementsOf, parseXml } from './saml-metadata.ts';

const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

interface Expected {
  /** The address that answers come to. */
  readonly acs: string;
  /** entityID of the provider. */
  readonly issuer: string;
}

/** A digest, and a signature by a private key over one: anybody could make an HMAC with a certificate, which is public. */
const accepted = {
  DigestMethod: /#sha(?:256|384|512)$/,
  SignatureMethod: /#(?:rsa|ecdsa)-sha(?:256|384|512)$/,
} as const;
/** SHA-1 and MD5 have been broken. Digests of encryption are another matter (RFC 8017, 7.1). */
function checkAlgorithms(document: Document): void {
  for (const signature of elementsOf(document, SIGNATURES, 'Signature'))
    for (const name of ['SignatureMethod', 'DigestMethod'] as const)
      for (const method of elementsOf(signature, SIGNATURES, name)) {
        const algorithm = method.getAttribute('Algorithm') ?? '';
        if (!accepted[name].test(algorithm))
          throw new Error(`signed with ${algorithm || 'no algorithm'}; a private key and SHA-256 or better expected`);
      }
}

const childrenOf = (element: Element, name: string): readonly Element[] =>
  Array.from(element.childNodes).filter(
    (node): node is Element => (node as Element).localName === name && (node as Element).namespaceURI === ASSERTION,
  );

/** The answer as it came. Throws Error. */
export function checkResponse(xml: string, { acs, issuer }: Expected): void {
  const document = parseXml(xml);
  const root = document.documentElement;
  if (root.localName !== 'Response' || root.namespaceURI !== PROTOCOL) throw new Error('no SAML Response');
  checkAlgorithms(document);
  const destination = root.getAttribute('Destination') ?? '';
  const isSigned = Array.from(root.childNodes).some(node => (node as Element).localName === 'Signature');
  if ((isSigned || destination !== '') && destination !== acs)
    throw new Error(`the answer is for ${destination || 'no destination'}, not for ${acs}`);
  for (const { textContent } of childrenOf(root, 'Issuer'))
    if (textContent !== issuer) throw new Error(`the answer is of ${textContent}, not of ${issuer}`);
}

/** The assertion whose signature was verified. `requestId`: the request that it must answer. Throws Error. */
export function checkAssertion(xml: string, { acs, issuer }: Expected, requestId: string): void {
  const document = parseXml(xml);
  const root = document.documentElement;
  if (root.localName !== 'Assertion' || root.namespaceURI !== ASSERTION) throw new Error('no SAML Assertion');
  checkAlgorithms(document);
  const issuers = childrenOf(root, 'Issuer');
  if (issuers.length !== 1 || issuers[0]?.textContent !== issuer)
    throw new Error(`the assertion is of ${issuers[0]?.textContent ?? 'nobody'}, not of ${issuer}`);
  const confirmations = elementsOf(root, ASSERTION, 'SubjectConfirmation');
  if (confirmations.length === 0) throw new Error('the assertion confirms no subject');
  for (const confirmation of confirmations) {
    const [data] = childrenOf(confirmation, 'SubjectConfirmationData');
    const recipient = data?.getAttribute('Recipient') ?? '';
    if (confirmation.getAttribute('Method') !== BEARER) throw new Error('the subject is not confirmed as the bearer');
    if (recipient !== acs) throw new Error(`the assertion is for ${recipient || 'no recipient'}, not for ${acs}`);
    if (data?.getAttribute('InResponseTo') !== requestId) throw new Error('the assertion answers another request');
    if (!data.getAttribute('NotOnOrAfter')) throw new Error('the assertion does not say until when it counts');
  }
}
