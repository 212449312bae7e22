// Sign-in connectors as a resource: who may, what is refused and where it stands, and that secrets never come back.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, call, openRig, type Rig } from './app.testing.ts';

let rig: Rig;
let ann: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['access', 'editor', 'auditor']);
  await rig.addUser('bob', ['access']);
  ann = await rig.signIn('ann');
});
afterAll(() => rig.dispose());

const SECRET = 'nobody-may-see-this';
const oidc = (name: string, more = '') => `kind: oidc
version: v3
metadata:
  name: ${name}
spec:
  display: ${name} title
  issuer_url: https://login.example.com
  client_id: postern
  client_secret: ${SECRET}
${more}  claims_to_roles:
    - claim: groups
      value: dev
      roles: [access]
`;
const github = `kind: github
version: v3
metadata:
  name: hub
spec:
  client_id: a
  client_secret: ${SECRET}
  teams_to_roles: [{organization: acme, roles: [access]}]
`;
const certificate = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----';
const saml = `kind: saml
version: v2
metadata:
  name: idp
spec:
  issuer: https://idp.example.com
  sso: https://idp.example.com/sso
  cert: ${JSON.stringify(certificate)}
  attributes_to_roles: [{name: groups, value: dev, roles: [access]}]
`;
const system = { user: 'system', rights: null };
const make = (kind: string, content: string) => ann.call('POST', `/v1/webapi/${kind}`, { content });
const events = async (code: string) =>
  (
    (await ann.call('GET', '/v1/webapi/sites/here/events/search')).json as { events: { code: string; name: string }[] }
  ).events
    .filter(event => event.code === code)
    .map(({ name }) => name);

/** Who turned passwords on or off, and which. */
const signInChanges = async () =>
  (
    (await ann.call('GET', '/v1/webapi/sites/here/events/search?include=auth_preference.update')).json as {
      events: { user: string; passwords: string }[];
    }
  ).events.map(({ user, passwords }) => `${user} ${passwords}`);

test.each([
  ['oidc', oidc('corp'), 'T810'],
  ['github', github, 'T800'],
  ['saml', saml, 'T820'],
])(
  'a connector of kind %s is made, read without its secrets, changed and deleted, and each is in the log',
  async (kind, content, code) => {
    const made = await make(kind, content);
    expect(made.status).toBe(200);
    const { name, id, content: shown } = made.json as Record<'name' | 'id' | 'content', string>;
    expect(id).toBe(`${kind}:${name}`);
    expect((await make(kind, content)).status).toBe(409);
    const stored = JSON.stringify((await rig.store.resources.get(kind as 'oidc', name))?.spec);
    for (const text of [shown, stored]) expect(text).not.toMatch(/nobody-may-see|PRIVATE KEY/);
    const before = await rig.services.connectors.open(kind as 'oidc', name);
    const again = await ann.call('PUT', `/v1/webapi/${kind}/${name}`, {
      content: shown
        .replace('spec:', 'spec:\n  display: Other'.replace('\n', '\n'))
        .replace(/\n {2}display: .* title/, ''),
    });
    expect([again.status, again.json]).toMatchObject([200, { name }]);
    const after = await rig.services.connectors.open(kind as 'oidc', name);
    expect([after?.clientSecret, after?.privateKey, after?.display]).toEqual([
      before?.clientSecret,
      before?.privateKey,
      'Other',
    ]);
    expect(after?.clientSecret ?? after?.privateKey).toMatch(kind === 'saml' ? /PRIVATE KEY/ : SECRET);
    const renamed = await ann.call('PUT', `/v1/webapi/${kind}/${name}`, {
      content: content.replace(/name: \w+/, 'name: other'),
    });
    expect([renamed.status, renamed.json]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('renamed') } },
    ]);
    expect((await ann.call('PUT', `/v1/webapi/${kind}/none`, { content })).status).toBe(404);
    expect((await ann.call('DELETE', `/v1/webapi/${kind}/${name}`)).status).toBe(200);
    expect((await ann.call('GET', `/v1/webapi/${kind}/${name}`)).status).toBe(404);
    for (const end of ['0I', '1I', '2I']) expect(await events(`${code}${end}`)).toEqual([name]);
  },
);

test.each([
  [
    'oidc',
    oidc('moves'),
    'issuer_url: https://login.example.com',
    'issuer_url: https://evil.example.com',
    'issuer_url',
  ],
  ['github', github, 'spec:', 'spec:\n  api_endpoint_url: https://evil.example.com', 'api_endpoint_url'],
])(
  'the secret of a connector of kind %s goes nowhere else unless it is given again',
  async (kind, content, from, to, field) => {
    const made = await make(kind, content);
    const { name, content: shown } = made.json as Record<'name' | 'content', string>;
    expect(shown).toContain(from);
    const moved = await ann.call('PUT', `/v1/webapi/${kind}/${name}`, { content: shown.replace(from, to) });
    expect([moved.status, moved.body]).toEqual([
      400,
      expect.stringContaining(`give it again: with another ${field} it is sent elsewhere`),
    ]);
    const given = content.replace(from, to);
    expect((await ann.call('PUT', `/v1/webapi/${kind}/${name}`, { content: given })).status).toBe(200);
    expect((await ann.call('DELETE', `/v1/webapi/${kind}/${name}`)).status).toBe(200);
  },
);

test.each([
  ['a key that nobody knows', oidc('x', '  isuer: 1\n'), 'YAML:10:3: oidc/x: spec.isuer: no such key'],
  ['an address without TLS', oidc('x').replace('https://login', 'http://login'), 'YAML:7:15: oidc/x: spec.issuer_url'],
  [
    'an unknown role',
    oidc('x').replace('[access]', '[acess]'),
    'YAML:13:15: oidc/x: spec.claims_to_roles[0].roles[0]: given "acess"',
  ],
  [
    'a pattern that cannot be run',
    oidc('x').replace('value: dev', () => "value: '^(dev$'"),
    'YAML:12:14: oidc/x: spec.claims_to_roles[0].value: given "^(dev$": regular expression: missing closing )',
  ],
  [
    'a redirect to elsewhere',
    oidc('x', '  redirect_url: https://evil.example/\n'),
    'YAML:10:17: oidc/x: spec.redirect_url',
  ],
  ['no secret', oidc('x').replace(/ {2}client_secret.*\n/, ''), 'spec.client_secret: missing'],
  ['no rules', oidc('x').replace(/ {2}claims_to_roles[\s\S]*/, ''), 'spec.claims_to_roles: missing'],
  ['two at once', `${oidc('x')}---\n${oidc('y')}`, 'one connector expected'],
  ['another kind', github, 'kind: "github": oidc expected'],
  ['no YAML', 'a: [', 'YAML:1:5: not readable as YAML'],
])('%s is refused with its place', async (_what, content, said) => {
  const { status, json } = await make('oidc', content);
  expect([status, json]).toMatchObject([400, { error: { message: expect.stringContaining(said) } }]);
  expect(JSON.stringify(json)).not.toContain(SECRET);
});

test('whoever has no right sees and changes nothing', async () => {
  const bob = await rig.signIn('bob');
  for (const [method, path] of [
    ['GET', 'oidc'],
    ['POST', 'oidc'],
    ['PUT', 'saml/x'],
    ['DELETE', 'github/x'],
    ['PUT', 'signin'],
  ] as const)
    expect((await bob.call(method, `/v1/webapi/${path}`, method === 'GET' ? undefined : { content: 'x' })).status).toBe(
      403,
    );
});

test('a role that a connector gives is not deleted, and the list of the sign-in form follows', async () => {
  await make('oidc', oidc('corp'));
  await make('github', github);
  const refused = await ann.call('DELETE', '/v1/webapi/roles/access');
  expect([refused.status, refused.json]).toMatchObject([400, { error: { message: expect.stringContaining('hub') } }]);
  const settings = { local: true, first: { kind: 'github', name: 'hub' } };
  expect(
    (await ann.call('PUT', '/v1/webapi/signin', { ...settings, first: { kind: 'saml', name: 'hub' } })).status,
  ).toBe(400);
  expect((await ann.call('PUT', '/v1/webapi/signin', settings)).json).toEqual(settings);
  const { body } = await call(rig.app, { method: 'GET', url: '/web/config.js' });
  const { auth } = JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1));
  expect(auth).toMatchObject({
    localAuthEnabled: true,
    authType: 'github',
    providers: [
      { name: 'hub', displayName: 'hub', type: 'github', url: expect.stringMatching(/redirect_url=:redirect$/) },
      { name: 'corp', displayName: 'corp title', type: 'oidc' },
    ],
  });
  const ping = await call(rig.app, { method: 'GET', url: '/v1/webapi/ping/corp' });
  expect(ping.json).toMatchObject({ auth: { type: 'github', oidc: { name: 'corp', display: 'corp title' } } });
});

test('without passwords nobody signs in by one, the last way in stays, and the machine lets passwords in again', async () => {
  const { connectors } = rig.services;
  await connectors.choose({ local: false, first: null }, system);
  await expect(rig.signIn('bob')).rejects.toThrow('passwords are not accepted here');
  expect((await ann.call('DELETE', '/v1/webapi/github/hub')).status).toBe(200);
  const last = await ann.call('DELETE', '/v1/webapi/oidc/corp');
  expect([last.status, last.json]).toMatchObject([
    400,
    { error: { message: expect.stringContaining('nobody could sign in') } },
  ]);
  await connectors.choose({ local: true, first: null }, system);
  expect((await ann.call('DELETE', '/v1/webapi/oidc/corp')).status).toBe(200);
  await expect(connectors.choose({ local: false, first: null }, system)).rejects.toThrow('nobody could sign in');
  expect((await rig.signIn('bob')).user).toBe('bob');
  expect(await signInChanges()).toEqual(expect.arrayContaining(['system refused', 'system accepted']));
});

test('an invite link sets no password and signs nobody in while passwords are off, and the last way in cannot go meanwhile', async () => {
  const { connectors, identity } = rig.services;
  await connectors.create('oidc', oidc('corp'), system);
  const { tokenId: token } = await identity.credentials.createToken('bob', 'invite', system);
  const csrf = 'c'.repeat(64);
  const complete = () =>
    call(rig.app, {
      method: 'PUT',
      url: '/v1/webapi/users/password/token',
      body: { token, password: btoa('another long password') },
      headers: { cookie: `__Host-postern_csrf=${csrf}`, 'x-csrf-token': csrf },
    });
  await connectors.choose({ local: false, first: null }, system);
  const refused = await complete();
  expect([refused.status, refused.json, refused.headers['set-cookie']]).toMatchObject([
    403,
    { error: { message: expect.stringContaining('passwords are not accepted here') } },
    undefined,
  ]);
  await connectors.choose({ local: true, first: null }, system);
  expect((await rig.signIn('bob')).user).toBe('bob');
  expect((await complete()).status).toBe(200);

  // Of the last connector that goes and passwords that are turned off at once, one is refused.
  const done = await Promise.allSettled([
    connectors.choose({ local: false, first: null }, system),
    connectors.remove('oidc', 'corp', system),
  ]);
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await connectors.choose({ local: true, first: null }, system);
});

test('who means it closes the last way in on the machine, and opens it again there', async () => {
  const { connectors } = rig.services;
  const { declared } = rig;
  const shown = async () => {
    const { body } = await call(rig.app, { method: 'GET', url: '/web/config.js' });
    return JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)).auth;
  };
  await declared.remove('oidc', 'corp', 'system').catch(() => undefined);
  await connectors.create('oidc', oidc('only'), system);
  await connectors.choose({ local: false, first: { kind: 'oidc', name: 'only' } }, system);
  await expect(declared.remove('oidc', 'only', 'system')).rejects.toThrow('nobody could sign in');
  await declared.remove('oidc', 'only', 'system', true);
  expect(await shown()).toMatchObject({ localAuthEnabled: false, authType: 'local', providers: [] });
  expect(await connectors.settings()).toEqual({ local: false, first: null });
  await expect(rig.signIn('ann')).rejects.toThrow('passwords are not accepted here');
  await connectors.choose({ local: true, first: null }, system);
  await connectors.choose({ local: false, first: null }, system, true);
  expect(await shown()).toMatchObject({ localAuthEnabled: false });
  await connectors.choose({ local: true, first: null }, system);
  expect((await rig.signIn('ann')).user).toBe('ann');
});

test('no secret of a connector was logged', () => {
  expect(rig.log.join('\n')).not.toContain(SECRET);
  expect(readFileSync(import.meta.filename, 'utf8')).toContain(SECRET);
});
