// The gateway as an identity provider of SAML: Apache's mod_auth_mellon and node-saml make the requests and check the answers; every attack on both.
import { execFileSync } from 'node:child_process';
import { createSign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { SAML } from '@node-saml/node-saml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { hostileLinks } from '../../e2e/rigs/hostile-links.ts';
import { openMellon } from '../../e2e/rigs/mellon.ts';
import { lockBody } from '../contract/locks.ts';
import { type Browser, call, openRig, type Rig } from './app.testing.ts';
import { apply } from './app-applications.testing.ts';
import { roleResource } from './services/rights/source.ts';

const ENTITY = 'https://grafana.example.org/saml/metadata';
const ACS = 'https://grafana.example.org/saml/acs';
const OTHER_ACS = 'https://grafana.example.org/saml/other';
const SSO = 'https://console.example.com/enterprise/saml-idp/sso';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

function newPair(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'postern-sp-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const words = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`, '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...words], { stdio: 'ignore' });
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return pair;
}
const [sp, stranger] = [newPair('sp'), newPair('stranger')];
const bare = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
const service = (url: string, index: number, more = ''): string =>
  `<AssertionConsumerService index="${index}"${more} Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${url}"/>`;
const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${ENTITY}"><SPSSODescriptor AuthnRequestsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${bare(sp.cert)}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>${service(OTHER_ACS, 1)}${service(ACS, 0, ' isDefault="true"')}</SPSSODescriptor></EntityDescriptor>`;
const app = (name: string, team: string, saml: object): string =>
  JSON.stringify({
    ...{ kind: 'app', version: 'v3', metadata: { name, labels: { team } } },
    spec: { uri: 'https://grafana.example.org', saml },
  });

let rig: Rig;
let ann: Browser;
let idpCert: string;
const role = (name: string, more = ''): string =>
  `kind: role\nversion: v7\nmetadata: { name: ${name} }\nspec:\n  options: { forward_agent: false${more} }\n  allow: { app_labels: { team: shop } }\n`;

beforeAll(async () => {
  rig = await openRig();
  for (const one of [
    role('shop'),
    role('proven', ', require_session_mfa: true'),
    role('elsewhere', ', idp: {saml: {enabled: false}}'),
  ])
    await rig.store.resources.create(roleResource(one));
  const attributes = [
    { name: 'email', value: 'traits.email' },
    { name: 'groups', value: 'traits.groups' },
    { name: 'who', value: 'user.name' },
  ];
  await apply(rig, app('grafana', 'shop', { entity_descriptor: metadata, attributes, relay_state: '/home' }));
  await apply(
    rig,
    app('plain', 'shop', { entity_id: 'https://plain.example.org', acs_url: 'https://plain.example.org/acs' }),
  );
  await apply(
    rig,
    app('vault', 'bank', { entity_id: 'https://vault.example.org', acs_url: 'https://vault.example.org/acs' }),
  );
  await rig.addUser('ann', ['shop']);
  ann = await rig.signIn('ann');
  const said = await call(rig.app, { method: 'GET', url: '/enterprise/saml-idp/metadata' });
  expect([said.status, said.headers['content-type']]).toEqual([200, 'application/samlmetadata+xml; charset=utf-8']);
  idpCert = /<X509Certificate>([^<]+)</.exec(said.body)?.[1] ?? '';
});
afterAll(() => rig?.dispose());

const newSp = (keys = sp, more = {}): SAML =>
  new SAML({
    ...{ entryPoint: SSO, issuer: ENTITY, audience: ENTITY, callbackUrl: ACS, idpCert, privateKey: keys.key },
    ...{
      signatureAlgorithm: 'sha256',
      digestAlgorithm: 'sha256',
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: true,
    },
    ...{ identifierFormat: null, disableRequestedAuthnContext: true, ...more },
  });
const queryOf = async (from: SAML, relayState = '/dashboard'): Promise<string> =>
  new URL(await from.getAuthorizeUrlAsync(relayState, undefined, {})).search.slice(1);
const signIn = (who: Browser, body: object) => who.call('POST', '/v1/webapi/saml-idp/sign-in', body);
const why = ({ json }: Awaited<ReturnType<typeof signIn>>) =>
  (json as { error?: { message: string } }).error?.message ?? 'in';
/** The form of the page that posts the answer. */
async function formOf(who: Browser, answer: Awaited<ReturnType<typeof signIn>>) {
  expect(why(answer)).toBe('in');
  const { address } = answer.json as { address: string };
  const page = await call(rig.app, { method: 'GET', url: address, cookie: who.cookie });
  const plain = (text = ''): string => text.replace(/&#(\d+);/g, (_whole, code) => String.fromCharCode(Number(code)));
  return {
    page,
    address,
    action: plain(/action="([^"]*)"/.exec(page.body)?.[1]),
    response: plain(/name="SAMLResponse" value="([^"]*)"/.exec(page.body)?.[1]),
    relayState: plain(/name="RelayState" value="([^"]*)"/.exec(page.body)?.[1]),
  };
}

test('a service provider sends a browser, and gets a signed answer that it believes, with what it is to know of the person', async () => {
  const from = new Date();
  const grafana = newSp();
  const query = await queryOf(grafana, '/d/1?a=<&"');
  const there = await call(rig.app, { method: 'GET', url: `/enterprise/saml-idp/sso?${query}` });
  expect([there.status, there.headers.location]).toEqual([302, `/web/launch/~saml?${query}`]);
  const form = await formOf(ann, await signIn(ann, { query }));
  expect([form.action, form.relayState]).toEqual([ACS, '/d/1?a=<&"']);
  expect(form.page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(form.page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha256-/);
  const { profile } = await grafana.validatePostResponseAsync({ SAMLResponse: form.response });
  expect(profile).toMatchObject({
    nameID: 'ann',
    issuer: 'https://console.example.com/enterprise/saml-idp/metadata',
    who: 'ann',
  });
  // The page is there once, and for the browser that asked.
  expect((await call(rig.app, { method: 'GET', url: form.address, cookie: ann.cookie })).status).toBe(400);
  const { events } = await rig.store.events.search({
    from,
    to: new Date(Date.now() + 60_000),
    limit: 100,
    types: [],
    descending: false,
  });
  expect(events.find(({ code }) => code === 'TSI000I')?.raw).toMatchObject({
    ...{ user: 'ann', success: true, service_provider_entity_id: ENTITY, service_provider_shortcut: 'grafana' },
  });
});

test('whatever a link says, the two ways in lead to our own page that signs in, and no further', async () => {
  for (const link of hostileLinks) {
    const said = encodeURIComponent(link.toWellFormed());
    for (const url of [
      `/enterprise/saml-idp/sso?${said}&SAMLRequest=${said}&RelayState=${said}`,
      `/enterprise/saml-idp/login/${said}`,
    ]) {
      const { status, headers } = await call(rig.app, { method: 'GET', url });
      if ([400, 404, 414].includes(status)) continue;
      const { origin, pathname } = new URL(String(headers.location), 'https://postern.example.com');
      expect([link, status, origin, pathname]).toEqual([link, 302, 'https://postern.example.com', '/web/launch/~saml']);
    }
  }
});

// Rule 2.3: a SAML application has a single-sign-on link below the enterprise saml-idp login path
test('what begins here goes to the registered address with the relay state that is written, and the list says so', async () => {
  const to = await call(rig.app, {
    method: 'GET',
    url: '/enterprise/saml-idp/login/grafana?RelayState=https://evil.test',
  });
  expect([to.status, to.headers.location]).toEqual([302, '/web/launch/~saml?app=grafana']);
  const form = await formOf(ann, await signIn(ann, { app: 'grafana' }));
  expect([form.action, form.relayState]).toEqual([ACS, '/home']);
  const xml = Buffer.from(form.response, 'base64').toString();
  expect(xml).not.toContain('InResponseTo');
  await expect(
    newSp(sp, { validateInResponseTo: 'never' }).validatePostResponseAsync({ SAMLResponse: form.response }),
  ).resolves.toMatchObject({
    profile: { nameID: 'ann' },
  });
  const { items } = (await ann.call('GET', '/v1/webapi/sites/-current-/apps')).json as {
    items: { name: string; samlApp: boolean; fqdn: string }[];
  };
  expect(items.map(({ name, samlApp, fqdn }) => [name, samlApp, fqdn])).toEqual([
    ['grafana', true, ''],
    ['plain', true, ''],
  ]);
  const plain = await formOf(ann, await signIn(ann, { app: 'plain' }));
  const text = Buffer.from(plain.response, 'base64').toString();
  expect(text).toContain('Name="uid"');
  expect(text).toContain('<saml:AttributeValue>shop</saml:AttributeValue>');
});

/** A request as text, signed over the query. */
function sent(xml: string, keys: typeof sp | null = sp, relayState = ''): string {
  const unsigned = [
    `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`,
    ...(relayState === '' ? [] : [`RelayState=${encodeURIComponent(relayState)}`]),
  ];
  if (!keys) return unsigned.join('&');
  const signed = [...unsigned, `SigAlg=${encodeURIComponent(RSA_SHA256)}`].join('&');
  return `${signed}&Signature=${encodeURIComponent(createSign('RSA-SHA256').update(signed).sign(keys.key, 'base64'))}`;
}
let count = 0;
function request(more: Record<string, string | null> = {}, inner = ''): string {
  count += 1;
  const attributes: Record<string, string | null> = {
    ...{
      ID: `_r${count}`,
      Version: '2.0',
      IssueInstant: new Date().toISOString(),
      Destination: SSO,
      issuer: ENTITY,
      ...more,
    },
  };
  const { issuer, ...written } = attributes;
  const text = Object.entries(written).flatMap(([name, value]) => (value === null ? [] : [` ${name}="${value}"`]));
  return `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"${text.join('')}><saml:Issuer>${issuer}</saml:Issuer>${inner}</samlp:AuthnRequest>`;
}

test('requests that are forged, changed, late, for others, or more than one thing at once are refused', async () => {
  const good = sent(request(), sp, '/a');
  const nested = request({ issuer: 'https://plain.example.org' });
  const cases: readonly (readonly [string, string])[] = [
    [sent(request(), null), 'not signed with RSA'],
    [sent(request(), stranger), 'not signed by'],
    [good.replace('RelayState=%2Fa', 'RelayState=https%3A%2F%2Fevil.test'), 'not signed by'],
    [`${good}&RelayState=x`, 'RelayState is there twice'],
    [
      good.replace(encodeURIComponent(RSA_SHA256), encodeURIComponent('http://www.w3.org/2000/09/xmldsig#rsa-sha1')),
      'not signed with RSA',
    ],
    [sent(request({ Destination: 'https://elsewhere.test/sso' })), 'not for https://console'],
    [sent(request({ Destination: null })), 'says whom it is for'],
    [sent(request({ AssertionConsumerServiceURL: 'https://evil.test/acs' })), 'is not registered'],
    [sent(request({ AssertionConsumerServiceIndex: '7' })), 'is not registered'],
    [sent(request({ IssueInstant: new Date(Date.now() - 3_600_000).toISOString() })), 'has run out'],
    [sent(request({ IssueInstant: 'soon' })), 'has run out'],
    [sent(request({ ID: 'a b' })), 'with an ID'],
    [sent(request({ ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact' })), 'posted alone'],
    [sent(request({ issuer: 'https://nobody.test' })), 'was not found'],
    [sent(request({ issuer: 'https://vault.example.org' }), null), 'was not found'],
    [sent(request({}, nested)), 'one request within another'],
    [sent(request({}, '<saml:Issuer>https://plain.example.org</saml:Issuer>')), 'does not say who asks'],
    [sent(`<!DOCTYPE x [<!ENTITY a "b">]>${request()}`), 'DOCTYPE'],
    [sent('<Response xmlns="urn:oasis:names:tc:SAML:2.0:protocol"/>'), 'no SAML AuthnRequest'],
    [sent('not XML'), 'not readable as XML'],
    ['SAMLRequest=%%%', 'cannot be read'],
    ['SAMLRequest=AAAA', 'cannot be unpacked'],
    [sent(' '.repeat(200_000)), 'cannot be unpacked'],
    ['', 'no SAML request'],
  ];
  for (const [query, text] of cases) {
    const answer = await signIn(ann, { query });
    expect([query.slice(0, 40), why(answer)]).toEqual([query.slice(0, 40), expect.stringContaining(text)]);
  }
  // The same text as it was is good, once.
  expect(why(await signIn(ann, { query: good }))).toBe('in');
  expect(why(await signIn(ann, { query: good }))).toContain('answered already');
  const other = await formOf(
    ann,
    await signIn(ann, { query: sent(request({ AssertionConsumerServiceURL: OTHER_ACS })) }),
  );
  expect(other.action).toBe(OTHER_ACS);
});

test('roles, locks, second factors and browsers count', async () => {
  expect(why(await signIn(ann, { app: 'vault' }))).toContain('was not found');
  expect(why(await signIn(ann, { app: 'nothing' }))).toContain('was not found');
  expect(
    (await call(rig.app, { method: 'POST', url: '/v1/webapi/saml-idp/sign-in', body: { app: 'grafana' } })).status,
  ).toBe(403);
  await rig.addUser('pia', ['proven']);
  const pia = await rig.signIn('pia');
  expect(why(await signIn(pia, { app: 'grafana' }))).toMatch(/^MFA required: your roles/);
  expect(why(await signIn(ann, { query: sent(request({ ForceAuthn: 'true' })) }))).toMatch(
    /^MFA required: grafana asks/,
  );
  const { address } = (await signIn(ann, { app: 'grafana' })).json as { address: string };
  expect((await call(rig.app, { method: 'GET', url: address, cookie: pia.cookie })).status).toBe(400);
  expect((await call(rig.app, { method: 'GET', url: address, cookie: ann.cookie })).status).toBe(400);
  await rig.addUser('nora', ['shop', 'elsewhere']);
  expect(why(await signIn(await rig.signIn('nora'), { app: 'grafana' }))).toContain('idp.saml.enabled');
  await rig.addUser('lena', ['shop']);
  const lena = await rig.signIn('lena');
  await rig.services.locks.add(z.parse(lockBody, { targets: { user: 'lena' } }), { user: 'root', rights: null });
  expect((await signIn(lena, { app: 'grafana' })).status).toBe(403);
});

test('what is written of a service provider is checked, and its changes are in the audit log under codes of their own', async () => {
  const from = new Date();
  for (const [saml, text] of [
    [{}, 'entity_descriptor, or entity_id and acs_url expected'],
    [{ entity_id: 'x', acs_url: 'javascript:alert(1)' }, 'no address that an answer could be posted to'],
    [{ entity_descriptor: '<x/>' }, 'an EntityDescriptor with its entityID expected'],
    [{ entity_descriptor: `<!DOCTYPE x>${metadata}` }, 'DOCTYPE'],
    [{ entity_descriptor: metadata.replaceAll('HTTP-POST', 'HTTP-Artifact') }, 'no AssertionConsumerService'],
  ] as const)
    await expect(apply(rig, app('bad', 'shop', saml))).rejects.toThrow(text);
  await apply(rig, app('new', 'shop', { entity_descriptor: metadata.replace(ENTITY, 'urn:new') }));
  await rig.declared.remove('app', 'new', 'root');
  const { events } = await rig.store.events.search({
    from,
    to: new Date(Date.now() + 60_000),
    limit: 100,
    types: [],
    descending: false,
  });
  expect(
    events.map(({ code, raw }) => [code, (raw as { service_provider_entity_id?: string }).service_provider_entity_id]),
  ).toEqual([
    ['TSI001I', 'urn:new'],
    ['TSI003I', undefined],
  ]);
});

test('Apache with mod_auth_mellon takes in whom it has sent, and those who begin here', {
  timeout: 60_000,
}, async () => {
  const idp = await call(rig.app, { method: 'GET', url: '/enterprise/saml-idp/metadata' });
  const mellon = await openMellon(idp.body);
  try {
    await apply(rig, app('inside', 'shop', { entity_descriptor: mellon.metadata, relay_state: mellon.page }));
    for (const begins of ['there', 'here']) {
      const cookies = new Map<string, string>();
      const browse = async (url: string, init: RequestInit = {}): Promise<Response> => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        return answer;
      };
      let asked: object = { app: 'inside' };
      if (begins === 'there') {
        let to = mellon.page;
        while (!to.startsWith(SSO)) to = new URL((await browse(to)).headers.get('location') ?? SSO, to).href;
        asked = { query: new URL(to).search.slice(1) };
      }
      const form = await formOf(ann, await signIn(ann, asked));
      const posted = await browse(form.action, {
        method: 'POST',
        body: new URLSearchParams({ SAMLResponse: form.response, RelayState: form.relayState }),
      });
      expect([begins, posted.headers.get('location')]).toEqual([begins, mellon.page]);
      const page = await (await browse(mellon.page)).text();
      expect(page).toContain('<p id="who">ann</p><p id="roles">shop</p>');
    }
  } finally {
    await mellon.close();
  }
});

test('service providers are added, read, changed and removed by whom their right allows, and by nobody with that of applications alone', async () => {
  const base = '/v1/webapi/sites/-current-/saml-applications';
  const rules = (name: string, resource: string): string =>
    `kind: role\nversion: v7\nmetadata: { name: ${name} }\nspec:\n  allow: { app_labels: { team: shop }, rules: [{ resources: [${resource}], verbs: ['*'] }] }\n`;
  for (const one of [rules('providers', 'saml_idp_service_provider'), rules('applications', 'app_server')])
    await rig.store.resources.create(roleResource(one));
  await rig.addUser('sue', ['providers']);
  await rig.addUser('abe', ['applications']);
  const sue = await rig.signIn('sue');
  const abe = await rig.signIn('abe');
  const wanted = {
    ...{ name: 'made', uri: 'https://made.example.org', entityDescriptor: metadata.replace(ENTITY, 'urn:made') },
    ...{ attributes: [{ name: 'mail', value: 'traits.email' }], relayState: '/in' },
    labels: [{ name: 'team', value: 'shop' }],
  };
  expect((await abe.call('POST', base, wanted)).status).toBe(403);
  expect(await sue.call('POST', base, wanted)).toMatchObject({ status: 200 });
  expect((await sue.call('POST', base, wanted)).status).toBe(409);
  expect((await sue.call('POST', base, { ...wanted, name: 'Wrong Name' })).status).toBe(400);
  const unread = await sue.call('POST', base, { ...wanted, name: 'bad', entityDescriptor: '<x/>' });
  expect([unread.status, why(unread)]).toEqual([400, expect.stringContaining('EntityDescriptor')]);
  expect((await sue.call('GET', `${base}/made`)).json).toEqual({ ...wanted, entityId: '', acsUrl: '' });
  // With the right on applications alone it is neither changed nor removed, by either way.
  const asApplication = '/v1/webapi/sites/-current-/apps/made';
  for (const [verb, url, body] of [
    ['PUT', asApplication, { uri: 'https://evil.test' }],
    ['DELETE', asApplication, undefined],
    ['GET', `${base}/made`, undefined],
    ['PUT', `${base}/made`, wanted],
    ['DELETE', `${base}/made`, undefined],
  ] as const)
    expect([verb, url, (await abe.call(verb, url, body)).status]).toEqual([verb, url, 403]);
  const to = { uri: wanted.uri, entityId: 'urn:other', acsUrl: 'https://made.example.org/acs' };
  expect((await sue.call('PUT', `${base}/made`, to)).json).toEqual({
    ...{ ...to, name: 'made', entityDescriptor: '', attributes: [], relayState: '' },
    labels: wanted.labels,
  });
  // An application that takes no SAML, and one that no role of theirs selects.
  await apply(
    rig,
    JSON.stringify({
      kind: 'app',
      version: 'v3',
      metadata: { name: 'web', labels: { team: 'shop' } },
      spec: { uri: 'http://web.example.org' },
    }),
  );
  for (const name of ['web', 'vault', 'nothing'])
    for (const verb of ['GET', 'DELETE'] as const)
      expect([name, verb, (await sue.call(verb, `${base}/${name}`)).status]).toEqual([name, verb, 404]);
  expect((await sue.call('DELETE', `${base}/made`)).status).toBe(200);
  expect((await sue.call('GET', `${base}/made`)).status).toBe(404);
});
