// SAML at the wire: an identity provider made of text, signed by hand, so that every attack can be made as well.
import { execFileSync } from 'node:child_process';
import { type BinaryLike, createHmac, type KeyLike, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SignedXml } from 'xml-crypto';
import { encrypt } from 'xml-encryption';
import { samlConnector } from '../../e2e/rigs/saml-provider.ts';
import { type Browser, call, openRig, type Rig } from './app.testing.ts';

const ACS = 'https://console.example.com/v1/webapi/saml/acs';
const IDP = 'https://idp.example.com/metadata';
const SHA256 = {
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
};
const SHA1 = {
  signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
};
const HMAC = { ...SHA256, signature: 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256' };
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';

interface Pair {
  readonly key: string;
  readonly cert: string;
}
function newPair(name: string): Pair {
  const folder = mkdtempSync(join(tmpdir(), 'postern-saml-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const words = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`, '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...words], { stdio: 'ignore' });
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return pair;
}
const [idp, stranger] = [newPair('idp'), newPair('stranger')];

let rig: Rig;
let admin: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('admin', ['access', 'editor', 'auditor']);
  admin = await rig.signIn('admin');
  await connect('idp');
  await connect('both', { signed_response: true });
});
afterAll(() => rig.dispose());

const system = { user: 'system', rights: null };
const bare = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '');
const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${IDP}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="${SIGNATURES}"><X509Data><X509Certificate>${bare(idp.cert)}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/></IDPSSODescriptor></EntityDescriptor>`;
const connect = (name: string, spec = {}) =>
  rig.services.connectors.create('saml', samlConnector({ metadata }, name, spec), system);

/** A browser that has left for the provider: what it brings back, and the request that is to be answered. */
async function leave(connector = 'idp') {
  const { headers } = await call(rig.app, {
    method: 'GET',
    url: `/v1/webapi/saml/sso?connector_id=${connector}&redirect_url=/web/users`,
  });
  const address = new URL(String(headers.location));
  const request = inflateRawSync(Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  return {
    address,
    request,
    id: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
    state: address.searchParams.get('RelayState') ?? '',
    cookie: /__Host-postern_sso_\w+=\w+/.exec(String(headers['set-cookie']))?.[0] ?? '',
  };
}
type Left = Awaited<ReturnType<typeof leave>>;
const post = ({ state, cookie }: Pick<Left, 'state' | 'cookie'>, xml: string) =>
  rig.app.inject({
    method: 'POST',
    url: '/v1/webapi/saml/acs',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(cookie && { cookie }) },
    payload: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: state }).toString(),
  });
const cause = async (): Promise<unknown> => {
  const { json } = await admin.call('GET', '/v1/webapi/sites/here/events/search?include=user.login&limit=1');
  return (json as { events: { error?: string }[] }).events[0]?.error;
};

const at = (ms: number) => new Date(Date.now() + ms).toISOString();
/** What an answer says; each attack changes some of it before it is signed. */
interface Said {
  readonly email: string;
  readonly issuer: string;
  readonly recipient: string;
  readonly destination: string;
  readonly audience: string;
  readonly until: string;
  readonly inResponseTo: string;
  readonly group: string;
  readonly method: string;
}
const saying = (id: string, changed: Partial<Said> = {}): Said => ({
  email: 'ann@example.com',
  issuer: IDP,
  recipient: ACS,
  destination: ACS,
  audience: ACS,
  until: at(300_000),
  inResponseTo: id,
  group: 'dev',
  method: 'bearer',
  ...changed,
});
const assertionOf = (said: Said) =>
  `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${said.issuer}</saml:Issuer><saml:Subject><saml:NameID>${said.email}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${said.method}"><saml:SubjectConfirmationData NotOnOrAfter="${said.until}" Recipient="${said.recipient}" InResponseTo="${said.inResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-30_000)}" NotOnOrAfter="${said.until}"><saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="groups"><saml:AttributeValue>${said.group}</saml:AttributeValue><saml:AttributeValue>ops</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>`;
const responseOf = (said: Said, assertion: string) =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="${at(0)}" Destination="${said.destination}" InResponseTo="${said.inResponseTo}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${said.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`;

function sign(xml: string, tag: 'Assertion' | 'Response', pair = idp, algorithms = SHA256): string {
  const path = tag === 'Response' ? "/*[local-name(.)='Response']" : "//*[local-name(.)='Assertion']";
  const signed = new SignedXml({
    privateKey: pair.key,
    publicCert: pair.cert,
    signatureAlgorithm: algorithms.signature,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signed.SignatureAlgorithms[HMAC.signature] = class {
    getSignature = (text: BinaryLike, key: KeyLike): string => createHmac('sha256', key).update(text).digest('base64');
    verifySignature = (): boolean => false;
    getAlgorithmName = (): string => HMAC.signature;
  };
  const transforms = [`${SIGNATURES}enveloped-signature`, EXCLUSIVE];
  signed.addReference({ xpath: path, digestAlgorithm: algorithms.digest, transforms });
  signed.computeSignature(xml, { location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' } });
  return signed.getSignedXml();
}
/** An honest answer: its assertion signed, and the whole too where that is asked. */
function answer(said: Said, { whole = false, pair = idp, algorithms = SHA256 } = {}): string {
  const xml = responseOf(said, sign(assertionOf(said), 'Assertion', pair, algorithms));
  return whole ? sign(xml, 'Response', pair, algorithms) : xml;
}

const find = (node: Document | Element, name: string): Element =>
  Array.from(node.getElementsByTagName('*')).find(one => one.localName === name) as Element;
const signatureOf = (node: Element): Element =>
  Array.from(node.childNodes).find(one => (one as Element).localName === 'Signature') as Element;
const unsigned = (node: Element): Element => {
  node.removeChild(signatureOf(node));
  return node;
};
/** A copy that says to be somebody else. */
const evil = (assertion: Element): Element => {
  const copy = assertion.cloneNode(true) as Element;
  copy.setAttribute('ID', '_evil');
  find(copy, 'NameID').textContent = 'root@example.com';
  return copy;
};
function spoiled(xml: string, change: (document: Document, assertion: Element, root: Element) => void): string {
  const parsed = new DOMParser().parseFromString(xml, 'text/xml') as unknown as Document;
  change(parsed, find(parsed, 'Assertion'), parsed.documentElement);
  return new XMLSerializer().serializeToString(parsed as never);
}
const extensions = (parsed: Document) =>
  parsed.createElementNS('urn:oasis:names:tc:SAML:2.0:protocol', 'samlp:Extensions');
const signatureObject = (parsed: Document) => parsed.createElementNS(SIGNATURES, 'ds:Object');

/** The wrappings of "On Breaking SAML" (Somorovsky and others, 2012), and what else changes an answer after it was signed. */
const attacks: Readonly<Record<string, (document: Document, assertion: Element, root: Element) => void>> = {
  'a changed NameID': parsed => {
    find(parsed, 'NameID').textContent = 'root@example.com';
  },
  'a changed group': parsed => {
    find(parsed, 'AttributeValue').textContent = 'boss';
  },
  'the signature of the assertion taken off': (_parsed, assertion) => void unsigned(assertion),
  'wrapping 3: another assertion before the signed one': (_parsed, assertion) =>
    void assertion.parentNode?.insertBefore(unsigned(evil(assertion)), assertion),
  'wrapping 4: another assertion around the signed one': (_parsed, assertion) => {
    const other = unsigned(evil(assertion));
    assertion.parentNode?.replaceChild(other, assertion);
    other.appendChild(assertion);
  },
  'wrapping 5: another assertion keeps the signature, the signed one at the end': (_parsed, assertion, root) => {
    const original = unsigned(assertion.cloneNode(true) as Element);
    find(assertion, 'NameID').textContent = 'root@example.com';
    assertion.setAttribute('ID', '_evil');
    root.appendChild(original);
  },
  'wrapping 6: the signed assertion inside its own signature': (_parsed, assertion) => {
    const original = unsigned(assertion.cloneNode(true) as Element);
    find(assertion, 'NameID').textContent = 'root@example.com';
    assertion.setAttribute('ID', '_evil');
    signatureOf(assertion).appendChild(original);
  },
  'wrapping 7: the signed assertion inside Extensions': (parsed, assertion, root) => {
    const other = evil(assertion);
    const place = extensions(parsed);
    place.appendChild(assertion.cloneNode(true));
    root.replaceChild(other, assertion);
    root.insertBefore(place, other);
  },
  'wrapping 8: the signed assertion inside an Object of the signature': (parsed, assertion) => {
    const other = evil(assertion);
    const place = signatureObject(parsed);
    place.appendChild(unsigned(assertion.cloneNode(true) as Element));
    signatureOf(other).appendChild(place);
    assertion.parentNode?.replaceChild(other, assertion);
  },
  'the same ID twice': (parsed, assertion, root) => {
    const other = unsigned(evil(assertion));
    other.setAttribute('ID', assertion.getAttribute('ID') ?? '');
    root.insertBefore(extensions(parsed), assertion).appendChild(other);
  },
};
/** Those that are about the signature of the whole. */
const wholeAttacks: typeof attacks = {
  ...attacks,
  'both signatures taken off': (_parsed, assertion, root) => void [unsigned(root), unsigned(assertion)],
  'the signature of the whole taken off': (_parsed, _assertion, root) => void unsigned(root),
  'wrapping 1: another answer around the signed one': (parsed, _assertion, root) => {
    const other = root.cloneNode(true) as Element;
    other.setAttribute('ID', '_evil');
    find(other, 'NameID').textContent = 'root@example.com';
    signatureOf(other).appendChild(unsigned(root.cloneNode(true) as Element));
    parsed.replaceChild(other, root);
  },
};

async function refused(left: Left, xml: string, said: string | RegExp = /./): Promise<void> {
  const { statusCode, headers } = await post(left, xml);
  expect([statusCode, headers.location]).toEqual([302, '/web/msg/error/login/callback']);
  expect(String(headers['set-cookie'])).not.toContain('__Host-session');
  expect(await cause()).toMatch(said);
}

describe.each([
  ['idp', false, attacks],
  ['both', true, wholeAttacks],
] as const)('connector %s', (connector, whole, tried) => {
  test('an honest answer signs in, once', async () => {
    const left = await leave(connector);
    const xml = answer(saying(left.id), { whole });
    const { statusCode, body, headers } = await post(left, xml);
    expect([statusCode, await cause()]).toEqual([200, undefined]);
    expect(body).toContain('url=/web/users');
    expect(String(headers['set-cookie'])).toMatch(/__Host-session=[0-9a-f]+/);
    const user = await rig.store.users.get('ann@example.com');
    expect(user).toMatchObject({ roles: ['access'], authType: 'saml', traits: { groups: ['dev', 'ops'] } });
    await refused(left, xml, /under way/);
    await rig.services.identity.sessions.endOf(user?.id ?? '');
  });

  test.each(Object.keys(tried))('%s is refused', async name => {
    const left = await leave(connector);
    const xml = spoiled(answer(saying(left.id), { whole }), tried[name] as (typeof attacks)[string]);
    await refused(left, xml);
    expect(await rig.store.users.get('root@example.com')).toBeNull();
  });

  test.each<[string, Partial<Said>, RegExp]>([
    ['Recipient', { recipient: 'https://other.example/acs' }, /assertion is for https:\/\/other.example\/acs/],
    ['no Recipient', { recipient: '' }, /for no recipient/],
    ['Destination', { destination: 'https://other.example/acs' }, /answer is for https:\/\/other.example\/acs/],
    ['Issuer', { issuer: 'https://evil.example' }, /of https:\/\/evil.example/],
    ['Audience', { audience: 'https://other.example' }, /audience/i],
    ['time', { until: '2020-01-01T00:00:00Z' }, /No valid subject confirmation/],
    ['request', { inResponseTo: '_of-another' }, /InResponseTo/],
    ['confirmation', { method: 'holder-of-key' }, /bearer/],
  ])('a well-signed answer with another %s is refused', async (_what, changed, said) => {
    const left = await leave(connector);
    await refused(left, answer(saying(left.id, changed), { whole }), said);
  });

  test('SHA-1, an HMAC with the certificate, another key and a DOCTYPE are refused', async () => {
    const one = await leave(connector);
    await refused(
      one,
      answer(saying(one.id), { whole, algorithms: SHA1 }),
      /sha1; a private key and SHA-256 or better/,
    );
    for (const secret of [idp.cert, bare(idp.cert)]) {
      const left = await leave(connector);
      const pair = { key: secret, cert: idp.cert };
      await refused(left, answer(saying(left.id), { whole, pair, algorithms: HMAC }), /hmac-sha256; a private key/);
    }
    const two = await leave(connector);
    await refused(two, answer(saying(two.id), { whole, pair: stranger }), /signature/i);
    const three = await leave(connector);
    await refused(three, `<!DOCTYPE r [<!ENTITY x "root">]>${answer(saying(three.id), { whole })}`, /DOCTYPE/);
  });
});

test('a comment in a name cuts nothing off', async () => {
  const left = await leave();
  const xml = answer(saying(left.id, { email: 'ann@example.com.evil.example' }));
  await post(left, xml.replace('ann@example.com.evil', 'ann@example.com<!---->.evil'));
  expect([await rig.store.users.get('ann@example.com')].filter(Boolean)).toEqual([]);
});

test('the request is signed, for the browser that began, and tells nobody else', async () => {
  const left = await leave();
  expect([...left.address.searchParams.keys()]).toEqual(['SAMLRequest', 'RelayState', 'SigAlg', 'Signature']);
  expect(left.address.searchParams.get('SigAlg')).toBe(SHA256.signature);
  expect(left.request).toContain(`AssertionConsumerServiceURL="${ACS}"`);
  await refused({ ...left, cookie: '' }, answer(saying(left.id)), /another browser/);
});

test('the provider is told our addresses and our certificate, and nothing else', async () => {
  const told = await call(rig.app, { method: 'GET', url: '/v1/webapi/saml/metadata?connector_id=idp' });
  const { certificate = '' } = (await rig.services.connectors.open('saml', 'idp')) ?? {};
  expect([told.status, told.headers['content-type']]).toEqual([200, 'application/samlmetadata+xml; charset=utf-8']);
  expect(told.body).toContain(`Location="${ACS}"`);
  expect(told.body.replace(/\s/g, '').split(bare(certificate))).toHaveLength(3);
  expect(told.body.replace(/\s/g, '')).not.toContain(bare(idp.cert));
  const nobody = await call(rig.app, { method: 'GET', url: '/v1/webapi/saml/metadata?connector_id=nobody' });
  expect(nobody.status).toBe(404);
});

test('nobody signs in whom the provider began to send by itself', async () => {
  await refused({ ...(await leave()), state: '', cookie: '' }, answer(saying('')), /under way/);
});

test('an encrypted assertion is opened, and checked like any other', async () => {
  const { certificate = '' } = (await rig.services.connectors.open('saml', 'idp')) ?? {};
  const sealed = async (said: Said) => {
    const signed = sign(assertionOf(said), 'Assertion');
    const data = await new Promise<string>((done, fail) =>
      encrypt(
        signed,
        {
          rsa_pub: certificate,
          pem: certificate,
          encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
          keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
        },
        (error, result) => (error ? fail(error) : done(result)),
      ),
    );
    return responseOf(
      said,
      `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${data}</saml:EncryptedAssertion>`,
    );
  };
  const left = await leave();
  const good = await post(left, await sealed(saying(left.id, { email: 'eve@example.com' })));
  expect([good.statusCode, await cause()]).toEqual([200, undefined]);
  const other = await leave();
  await refused(other, await sealed(saying(other.id, { recipient: 'https://other.example/' })), /assertion is for/);
});

test.each([
  ['not XML', 'not readable as XML'],
  [metadata.replace('SingleSignOnService', 'Other').replace('SingleSignOnService', 'Other'), 'no SingleSignOnService'],
  [metadata.replace(/<KeyDescriptor.*<\/KeyDescriptor>/, ''), 'no certificate'],
  [`<!DOCTYPE x>${metadata}`, 'DOCTYPE'],
  ['<a/>', 'EntityDescriptor'],
])('a description of a provider like %.20s is refused when it is written', async (text, said) => {
  await expect(connect('bad', { entity_descriptor: text })).rejects.toThrow(said);
});
