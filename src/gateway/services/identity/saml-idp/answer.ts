// Writes and signs what service providers are told (SAML core, 3.3.3): the assertion, and the answer around it.
import { randomBytes } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import type { KeyPair } from '../sso/certificate.ts';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
/** An assertion must have arrived by then, ms. */
const ARRIVAL_MS = 5 * 60_000;
/** Clocks of service providers may be behind by this, ms. */
const CLOCK_SKEW_MS = 30_000;
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
export const nameFormats = [UNSPECIFIED, EMAIL];

export interface Told {
  /** Who says it. */
  readonly issuer: string;
  /** Whom it is for, and where it goes. */
  readonly audience: string;
  readonly acs: string;
  /** Id of the request; '' where there was none. */
  readonly inResponseTo: string;
  readonly user: string;
  readonly attributes: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly now: Date;
  /** The person's session here ends then. */
  readonly expires: Date;
}

export const escapeXml = (text: string): string =>
  [...text]
    // What XML cannot hold in any spelling.
    .filter(one => /[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(one))
    .map(one => (/[&<>"'\t\n\r]/.test(one) ? `&#${one.charCodeAt(0)};` : one))
    .join('');
const newId = (): string => `_${randomBytes(16).toString('hex')}`;
const instant = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** The answer as XML, signed twice: some look at the assertion, some at what is around it. */
export function signedAnswer(told: Told, keys: KeyPair): string {
  const { issuer, audience, acs, inResponseTo, user, attributes } = told;
  const now = told.now.getTime();
  const until = instant(now + ARRIVAL_MS);
  const answers = inResponseTo === '' ? '' : ` InResponseTo="${escapeXml(inResponseTo)}"`;
  const said = attributes
    .filter(({ values }) => values.length > 0)
    .map(
      ({ name, values }) =>
        `<saml:Attribute Name="${escapeXml(name)}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic">${values.map(value => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
    )
    .join('');
  const format = user.includes('@') ? EMAIL : UNSPECIFIED;
  const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0" IssueInstant="${instant(now)}"><saml:Issuer>${escapeXml(issuer)}</saml:Issuer><saml:Subject><saml:NameID Format="${format}">${escapeXml(user)}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${escapeXml(acs)}"${answers}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${instant(now - CLOCK_SKEW_MS)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${escapeXml(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${instant(now)}" SessionIndex="${newId()}" SessionNotOnOrAfter="${instant(told.expires.getTime())}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${said === '' ? '' : `<saml:AttributeStatement>${said}</saml:AttributeStatement>`}</saml:Assertion>`;
  const answer = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0" IssueInstant="${instant(now)}" Destination="${escapeXml(acs)}"${answers}><saml:Issuer>${escapeXml(issuer)}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${signed(assertion, keys)}</samlp:Response>`;
  return signed(answer, keys);
}

/** Signs the root element, right after its Issuer. */
function signed(xml: string, { privateKey, certificate }: KeyPair): string {
  const signer = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm: RSA_SHA256,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signer.addReference({ xpath: '/*', digestAlgorithm: SHA256, transforms: [ENVELOPED, EXCLUSIVE] });
  signer.computeSignature(xml, { location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' } });
  return signer.getSignedXml();
}
