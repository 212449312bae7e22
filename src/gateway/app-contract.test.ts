// The facts of the wire, row by row: what each call of people, sign-in and access management answers to people of each preset role.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Browser, CLUSTER, call, openRig, PASSWORD, type Rig } from './app.testing.ts';

const CSRF = 'c'.repeat(64);
const API = '/v1/webapi';
const SITE = `sites/${CLUSTER}`;
const presets = ['access', 'editor', 'auditor'] as const;
type Preset = (typeof presets)[number];

let rig: Rig;
const people = {} as Record<Preset | 'ann', Browser>;
beforeAll(async () => {
  rig = await openRig({ databases: true, factors: { secondFactor: 'optional', recoveryCodes: true } });
  await rig.addUser('ann', [...presets], ['root']);
  people.ann = await rig.signIn('ann');
  for (const preset of presets) {
    await rig.addUser(`the-${preset}`, [preset], ['root']);
    people[preset] = await rig.signIn(`the-${preset}`);
  }
});
afterAll(() => rig.dispose());

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const made = (method: string, path: string, body?: unknown, who: keyof typeof people = 'ann') =>
  people[who].call(method, `${API}/${path}`, body);
const open = (method: string, path: string, body?: unknown, csrf: string | null = CSRF) =>
  call(rig.app, {
    method,
    url: path.startsWith('/') ? path : `${API}/${path}`,
    body,
    headers: csrf === null ? {} : { cookie: `__Host-postern_csrf=${CSRF}`, 'x-csrf-token': csrf },
  });
const errorOf = ({ status, json }: Answer) => [
  status,
  (json as { error?: { message: string } } | null)?.error?.message ?? 'ok',
];
const keysOf = (value: unknown): readonly string[] => Object.keys(value as object).sort();
const ok = { message: 'ok' };

describe('conventions', () => {
  // Rule 1: assets are served below /web/
  test('the root leads to the console, and every path below it is its page', async () => {
    const root = await open('GET', '/');
    expect([root.status, root.headers.location]).toEqual([302, '/web']);
    for (const path of ['/web', '/web/', '/web/no/such/page'])
      expect((await open('GET', path)).headers['content-type']).toBe('text/html; charset=utf-8');
  });

  // Rule 7: same origin, no caching, headers
  test('answers are kept by nobody, and carry the headers of the wire', async () => {
    const { headers } = await open('GET', 'ping');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin',
    });
  });

  test('cookies have the attributes of the wire, and the session’s is taken away by signing out', async () => {
    const page = await open('GET', '/web/login', undefined, null);
    expect(page.headers['set-cookie']).toMatch(
      /^__Host-postern_csrf=[0-9a-f]{64}; Path=\/; HttpOnly; Secure; SameSite=None$/,
    );
    expect(page.body).toMatch(/<meta name="postern_csrf_token" content="[0-9a-f]{64}">/);
    const signedIn = await open('POST', 'sessions/web', { user: 'ann', pass: PASSWORD, second_factor_token: '' });
    expect(signedIn.headers['set-cookie']).toMatch(/^__Host-session=[0-9a-f]+; Path=\/; HttpOnly; Secure(;|$)/);
    const left = await open('DELETE', 'sessions/web');
    expect(left.headers['set-cookie']).toMatch(/^__Host-session=; .*Max-Age=0$/);
  });

  // Rule 7: calls without a session ask for the CSRF token
  test.each<[string, string, object]>([
    ['POST', 'sessions/web', { user: 'ann', pass: PASSWORD }],
    ['PUT', 'users/password/token', { token: 'x', password: base64(PASSWORD) }],
    ['POST', 'mfa/login/begin', { user: 'ann', pass: PASSWORD }],
  ])('%s %s asks for the CSRF token', async (method, path, body) => {
    for (const csrf of [null, 'd'.repeat(64)])
      expect(errorOf(await open(method, path, body, csrf))).toEqual([403, expect.stringContaining('CSRF')]);
  });

  test('a form proves it in its field csrf_token, and is taken by no call that asks for no such proof', async () => {
    const form = (url: string, fields: Record<string, string>, cookie = `__Host-postern_csrf=${CSRF}`) =>
      rig.app.inject({
        method: 'POST',
        url: `/v1/webapi/${url}`,
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString(),
      });
    const who = { user: 'ann', pass: PASSWORD };
    expect((await form('sessions/web', { ...who, csrf_token: CSRF })).statusCode).toBe(200);
    for (const [fields, cookie] of [
      [who],
      [{ ...who, csrf_token: '' }],
      [{ ...who, csrf_token: 'd'.repeat(64) }],
      [{ ...who, csrf_token: CSRF }, ''],
    ] as const)
      expect((await form('sessions/web', fields, cookie)).json()).toMatchObject({
        error: { message: expect.stringContaining('CSRF') },
      });
    expect((await form('mfa/login/finishsession', { ...who, csrf_token: CSRF })).statusCode).toBe(400);
    const plain = await form('precapture', { event: 'postern.ui.onboard.setCredential.submit', csrf_token: CSRF });
    expect([plain.statusCode, plain.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('json') } },
    ]);
    expect((await form('sessions/web', { ...who, csrf_token: CSRF, pad: 'x'.repeat(20_000) })).statusCode).toBe(413);
  });

  // Rule 3.2: one variable, without signing in
  test('the settings of the page are one variable, without signing in', async () => {
    const { headers, body } = await open('GET', '/web/config.js', undefined, null);
    expect(headers['content-type']).toContain('application/javascript');
    const text = /^var POSTERN_CONFIG = (\{.*\});\s*$/.exec(body)?.[1] ?? '';
    const config = JSON.parse(text) as { auth: object };
    expect(config).toMatchObject({
      canJoinSessions: true,
      proxyCluster: CLUSTER,
      isCloud: false,
      isDashboard: false,
      isUsageBasedBilling: false,
      recoveryCodesEnabled: expect.any(Boolean),
      ui: { scrollbackLines: 1000 },
      automaticUpgrades: false,
      assistEnabled: false,
      hideInaccessibleFeatures: false,
      customTheme: '',
    });
    expect(config.auth).toMatchObject({
      second_factor: 'off',
      providers: [],
      localAuthEnabled: true,
      allowPasswordless: false,
      authType: 'local',
      privateKeyPolicy: 'none',
      motd: expect.any(String),
    });
  });

  // Rule 7.3: ping
  test.each(['ping', 'ping/some-connector', 'find'])('%s says how to sign in and where clients connect', async path => {
    const { status, json } = await open('GET', path, undefined, null);
    expect(status).toBe(200);
    const { auth, proxy, ...rest } = json as { auth: object; proxy: Record<string, object> };
    expect(keysOf(rest)).toEqual(['automatic_upgrades', 'cluster_name', 'min_client_version', 'server_version']);
    expect(auth).toMatchObject({
      type: 'local',
      second_factor: 'off',
      allow_passwordless: false,
      allow_headless: true,
      local: { name: '' },
      webauthn: { rp_id: 'console.example.com' },
      private_key_policy: 'none',
      has_motd: true,
    });
    expect(proxy).toMatchObject({
      kube: { enabled: true, public_addr: expect.stringMatching(/^localhost:\d+$/) },
      ssh: { listen_addr: '', public_addr: 'console.example.com:443' },
      db: { postgres_public_addr: expect.stringMatching(/^localhost:\d+$/) },
      tls_routing_enabled: false,
      assist_enabled: false,
    });
  });
});

describe('sessions', () => {
  test.each<[string, object]>([
    ['nobody', { user: 'nobody', pass: PASSWORD }],
    ['a wrong password', { user: 'the-access', pass: 'wrong' }],
    ['a code of somebody who has no device', { user: 'the-access', pass: 'wrong', second_factor_token: '123456' }],
  ])('%s is refused with the one text', async (_who, body) => {
    expect(errorOf(await open('POST', 'sessions/web', body))).toEqual([403, 'invalid credentials']);
  });

  // Rule 3.3: the session token
  test('signing in and renewing answer the same five fields', async () => {
    const fields = ['expires_in', 'sessionExpires', 'sessionInactiveTimeout', 'token', 'type'];
    const first = await open('POST', 'sessions/web', { user: 'ann', pass: PASSWORD, second_factor_token: '' });
    expect([first.status, keysOf(first.json)]).toEqual([200, fields]);
    const other = await rig.signIn('ann');
    const renewed = await other.call('POST', `${API}/sessions/web/renew`, { reloadUser: true });
    expect([renewed.status, keysOf(renewed.json)]).toEqual([200, fields]);
    expect(renewed.headers['set-cookie']).toMatch(/^__Host-session=/);
  });

  // Rule 7.1: status and session
  test('the status says ok, and 403 without a session', async () => {
    expect((await made('GET', 'user/status')).json).toEqual(ok);
    expect((await open('GET', 'user/status')).status).toBe(403);
  });
});

/** Flags of each entry that is not empty, in a fixed order: what `roles.md` gives each preset, and everybody. */
const everybody = {
  nodes: 'list read',
  appServers: 'list read',
  dbServers: 'list read',
  db: 'list read',
  kubeServers: 'list read',
  desktops: 'list read',
};
const all = 'list read edit create remove';
const acls: Readonly<Record<Preset, Readonly<Record<string, string>>>> = {
  access: {
    ...everybody,
    recordedSessions: 'list read',
    events: 'list read',
    assist: 'list read edit create remove use',
  },
  editor: {
    ...everybody,
    ...Object.fromEntries(
      ['users', 'roles', 'authConnectors', 'trustedClusters', 'tokens', 'connectionDiagnostic', 'db', 'lock']
        .concat(['plugins', 'accessList', 'samlIdpServiceProvider', 'deviceTrust'])
        // Ours: whoever edits the cluster adds and removes what it reaches, and decides about statements that wait.
        .concat(['nodes', 'appServers', 'kubeServers', 'desktops', 'statementReviews', 'bots', 'loginRules'])
        .concat(['discoveries'])
        .map(key => [key, all]),
    ),
    integrations: `${all} use`,
    assist: `${all} use`,
  },
  auditor: { ...everybody, recordedSessions: 'list read', activeSessions: 'list read', events: 'list read' },
};

describe('the user context', () => {
  // Rule 3.3: the ACL holds the rights of the roles and no other
  // Rule 3.3: clipboard, directory and recording default to true
  test.each(presets)('of a person who has only %s holds the rights of that preset and no other', async preset => {
    const { json } = await made('GET', `${SITE}/context`, undefined, preset);
    const { userAcl, ...rest } = json as { userAcl: Record<string, boolean | Record<string, boolean>> };
    const entries = Object.entries(userAcl).flatMap(([key, value]) => {
      const flags = typeof value === 'boolean' ? [] : Object.entries(value).filter(([, given]) => given);
      return flags.length === 0 ? [] : [[key, flags.map(([flag]) => flag).join(' ')]];
    });
    expect(Object.fromEntries(entries)).toEqual(acls[preset]);
    expect(userAcl).toMatchObject({ clipboard: true, directorySharing: true, billing: { list: false } });
    expect(userAcl.desktopSessionRecording).toBe(preset === 'access');
    expect(rest).toMatchObject({
      authType: 'local',
      userName: `the-${preset}`,
      cluster: { name: CLUSTER, status: 'online', publicURL: 'console.example.com:443' },
      accessStrategy: { type: 'optional', prompt: '' },
      accessCapabilities: { requestableRoles: [], suggestedReviewers: [] },
      allowedSearchAsRoles: [],
    });
  });

  test.each(presets)('%s reads the own role, and lists roles only where rules give it', async preset => {
    const lists = preset === 'editor';
    expect((await made('GET', `roles/${preset}`, undefined, preset)).status).toBe(200);
    expect((await made('GET', 'roles', undefined, preset)).status).toBe(lists ? 200 : 403);
    const other = preset === 'access' ? 'auditor' : 'access';
    expect((await made('GET', `roles/${other}`, undefined, preset)).status).toBe(lists ? 200 : 403);
  });
});

describe('users', () => {
  const USER = ['allTraits', 'authType', 'isBot', 'name', 'roles'];
  // Rule 3.3: users and traits
  test('a list is an array without pages, one has the traits by the names of the wire', async () => {
    const list = (await made('GET', 'users')).json as readonly object[];
    expect(list.length).toBe(4);
    for (const user of list) expect(keysOf(user)).toEqual(expect.arrayContaining(USER));
    const { json } = await made('GET', 'users/ann');
    expect(keysOf((json as { traits: object }).traits)).toEqual(
      ['awsRoleArns', 'databaseNames', 'databaseUsers', 'kubeGroups', 'kubeUsers', 'logins', 'windowsLogins'].sort(),
    );
  });

  // Rule 7.1: users
  test('made and changed, a user is answered whole; what is wrong has the status of the wire', async () => {
    const body = { name: 'kim', roles: ['access'], traits: { logins: ['a'], databaseUsers: ['b'] } };
    const first = await made('POST', 'users', body);
    expect(first).toMatchObject({ status: 200, json: { ...body, authType: 'local', isBot: false } });
    expect((await made('POST', 'users', body)).status).toBe(409);
    for (const missing of [{ name: 'x' }, { roles: ['access'] }, { name: 'x', roles: [] }])
      expect((await made('POST', 'users', missing)).status).toBe(400);
    const both = { name: 'x', roles: ['access'], traits: { logins: ['a'] }, allTraits: { logins: ['a'] } };
    expect((await made('POST', 'users', both)).status).toBe(400);
    const changed = await made('PUT', 'users', { name: 'kim', roles: ['auditor'], traits: { logins: [] } });
    expect(changed).toMatchObject({
      status: 200,
      json: { roles: ['auditor'], traits: { logins: [], databaseUsers: ['b'] } },
    });
    expect((await made('PUT', 'users', { name: 'none', roles: ['access'] })).status).toBe(404);
    expect((await made('DELETE', 'users/ann')).status).toBe(400);
    expect((await made('DELETE', 'users/kim')).json).toEqual(ok);
    expect((await made('GET', 'users/kim')).status).toBe(404);
  });

  // Rule 7.1: invite and reset links
  test('an invite lives an hour, a reset eight, and what is no link any more is 403', async () => {
    await rig.addUser('lee', ['access']);
    const hours = async (type: string) => {
      const { json } = await made('POST', 'users/password/token', { name: 'lee', type });
      expect(keysOf(json)).toEqual(['expiry', 'tokenId', 'user']);
      return Math.round((Date.parse((json as { expiry: string }).expiry) - Date.now()) / 3_600_000);
    };
    expect([await hours('invite'), await hours('password')]).toEqual([1, 8]);
    expect(errorOf(await open('GET', 'users/password/token/none'))).toEqual([403, 'bad or expired token']);
    expect((await open('GET', 'mfa/token/none/devices')).status).toBe(403);
    expect((await open('POST', 'mfa/token/none/authenticatechallenge', {})).status).toBe(403);
  });

  // Rule 1: whoever is onboarded receives one-time recovery codes
  // Rule 3.4: a token says whom it is for and shows the QR code
  // Rule 3.4: recovery codes come with the day they were made
  test('a link says whom it is for and shows the QR code; using it answers three codes of eight words', async () => {
    const { json: issued } = await made('POST', 'users/password/token', { name: 'lee', type: 'invite' });
    const { tokenId } = issued as { tokenId: string };
    const { json } = await open('GET', `users/password/token/${tokenId}`);
    expect(json).toMatchObject({ tokenId, user: 'lee' });
    const png = Buffer.from((json as { qrCode: string }).qrCode, 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    const used = await open('PUT', 'users/password/token', { token: tokenId, password: base64(PASSWORD) });
    expect(used.headers['set-cookie']).toMatch(/^__Host-session=/);
    const { recovery } = used.json as { recovery: { codes: string[]; created: string } };
    expect(recovery.codes.map(code => code.split('-').length)).toEqual([9, 9, 9]);
    expect(recovery.codes.every(code => code.startsWith('postern-'))).toBe(true);
    expect(recovery.created).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  // Rule 7.1: a privilege token
  // Rule 7.2: a challenge for a new password asks for the old one
  test('a privilege token is a bare JSON string, and asks nothing of whoever has no device', async () => {
    const { status, json, headers } = await made('POST', 'users/privilege/token', {});
    expect([status, typeof json, headers['content-type']]).toEqual([
      200,
      'string',
      expect.stringContaining('application/json'),
    ]);
    const change = { old_password: base64('wrong'), new_password: base64(PASSWORD) };
    expect((await made('PUT', 'users/password', change)).status).toBe(403);
    expect((await made('POST', 'mfa/authenticatechallenge/password', { pass: base64('wrong') })).status).toBe(403);
  });
});

describe('second factors', () => {
  // Rule 7.2: challenges
  test('a challenge has both keys, and options for a new device have those of the kind alone', async () => {
    expect((await made('POST', 'mfa/authenticatechallenge', {})).json).toEqual({
      webauthn_challenge: null,
      totp_challenge: false,
    });
    const token = (await made('POST', 'users/privilege/token', {})).json as string;
    const register = async (body: object) => (await open('POST', `mfa/token/${token}/registerchallenge`, body)).json;
    expect(await register({ deviceType: 'totp', deviceUsage: 'mfa' })).toMatchObject({
      totp: { qrCode: expect.any(String) },
      webauthn: null,
    });
    expect(await register({ deviceType: 'webauthn', deviceUsage: 'mfa' })).toMatchObject({
      totp: null,
      webauthn: {
        publicKey: {
          challenge: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
          rp: { id: 'console.example.com', name: expect.any(String) },
          user: { id: expect.stringMatching(/^[A-Za-z0-9_-]+$/), name: 'ann', displayName: 'ann' },
          pubKeyCredParams: [-8, -7, -257].map(alg => ({ type: 'public-key', alg })),
          authenticatorSelection: { residentKey: 'discouraged', requireResidentKey: false },
          excludeCredentials: [],
          attestation: 'none',
        },
      },
    });
    expect((await made('GET', 'mfa/devices')).json).toEqual([]);
  });

  // Rule 7.2: mfa/required asks about one target
  test('exactly one target is asked about', async () => {
    const ask = async (body: object) => (await made('POST', `${SITE}/mfa/required`, body)).json;
    const node = { node: { node_name: 'web-1', login: 'root' } };
    for (const body of [
      node,
      { database: { service_name: 'db', protocol: 'postgres' } },
      { windows_desktop: { desktop_name: 'desk', login: 'x' } },
      { kube: { cluster_name: 'k' } },
    ])
      expect(await ask(body)).toEqual({ required: false });
    for (const body of [{}, { ...node, kube: { cluster_name: 'k' } }]) expect(await ask(body)).toHaveProperty('error');
  });

  // Rule 7.2: headless
  test('a headless request that nobody made is 400 with the text of the wire', async () => {
    const refused = await made('PUT', `headless/${'a'.repeat(64)}`, { action: 'denied' });
    expect(errorOf(refused)).toEqual([400, 'invalid headless session']);
  });
});

describe('resources of access management', () => {
  const yaml = (name: string, kind = 'role') =>
    `kind: ${kind}\nversion: v7\nmetadata: {name: ${name}}\nspec: {allow: {logins: [x]}}\n`;
  // Rule 3.4: roles and connectors are items with id, kind, name and content
  test('roles are an array of items, and every refusal has the status of the wire', async () => {
    const item = { id: 'role:temp', kind: 'role', name: 'temp', content: yaml('temp') };
    expect((await made('POST', 'roles', { content: yaml('temp') })).json).toEqual(item);
    const list = (await made('GET', 'roles')).json as readonly object[];
    expect(list).toContainEqual(item);
    const status = async (method: string, path: string, content?: string) =>
      (await made(method, path, content === undefined ? undefined : { content })).status;
    expect(await status('POST', 'roles', yaml('temp'))).toBe(409);
    expect(await status('PUT', 'roles/temp', yaml('renamed'))).toBe(400);
    expect(await status('PUT', 'roles/none', yaml('none'))).toBe(404);
    expect(await status('POST', 'roles', yaml('other', 'user'))).toBe(400);
    expect(await status('POST', 'roles', 'kind: [')).toBe(400);
    expect(await status('POST', 'roles', yaml('other').replace('logins', 'shoes'))).toBe(400);
    expect(await status('DELETE', 'roles/access')).toBe(400);
    expect((await made('DELETE', 'roles/temp')).json).toEqual(ok);
  });

  // Rule 7.3: roles and presets
  test('preset roles are shown to whoever asks', async () => {
    const { status, json } = await open('GET', 'presetroles', undefined, null);
    expect(status).toBe(200);
    for (const item of json as readonly object[]) expect(keysOf(item)).toEqual(['content', 'id', 'kind', 'name']);
  });

  // Rule 7.3: connectors are read and written
  test.each(['github', 'oidc', 'saml'])('%s connectors are a bare array', async kind => {
    expect(await made('GET', kind)).toMatchObject({ status: 200, json: [] });
    expect((await made('GET', kind, undefined, 'access')).status).toBe(403);
  });

  // Rule 7.3: locks
  test('a lock is an item with one target, and its time is a duration', async () => {
    const lock = await made('PUT', `${SITE}/locks`, { targets: { user: 'nobody' }, message: 'm', ttl: '2h45m' });
    const { name, expires, createdAt } = lock.json as { name: string; expires: string; createdAt: string };
    expect(lock.json).toMatchObject({ message: 'm', createdBy: 'ann', targets: { user: 'nobody' } });
    expect(Math.round((Date.parse(expires) - Date.parse(createdAt)) / 60_000)).toBe(165);
    expect((await made('GET', `${SITE}/locks`)).json).toMatchObject([{ name }]);
    for (const body of [
      { targets: { user: 'a' }, message: '', ttl: 'long' },
      { targets: { user: 'a', role: 'b' }, message: '', ttl: '' },
      { targets: {}, message: '', ttl: '' },
    ])
      expect((await made('PUT', `${SITE}/locks`, body)).status).toBe(400);
    expect((await made('DELETE', `${SITE}/locks/${name}`)).json).toEqual(ok);
    const kinds = ['role', 'login', 'node', 'mfa_device', 'windows_desktop', 'access_request', 'device', 'server_id'];
    for (const kind of kinds) {
      const locked = await made('PUT', `${SITE}/locks`, { targets: { [kind]: 'none' }, message: '', ttl: '' });
      expect(locked.json).toMatchObject({ expires: '', targets: { [kind]: 'none' } });
    }
  });

  // Rule 3.4: join tokens
  // Rule 9: the join method is token unless another is named
  test('a join token says its name, its end in four hours, and the label to look for', async () => {
    const { json } = await made('POST', 'token', { roles: ['Node'] });
    expect((await made('POST', 'token', { roles: ['Node'], join_method: 'token' })).json).toMatchObject({
      method: 'token',
    });
    const { expiry } = json as { expiry: string };
    expect(json).toMatchObject({
      id: expect.any(String),
      method: 'token',
      suggestedLabels: [{ name: 'postern.internal/resource-id', value: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    });
    expect(Math.round((Date.parse(expiry) - Date.now()) / 3_600_000)).toBe(4);
  });

  test('a field that no list sorts by is a mistake, one that only others sort by is not supported', async () => {
    expect((await made('GET', `${SITE}/nodes?sort=colour:asc`)).status).toBe(400);
    expect((await made('GET', `${SITE}/nodes?sort=publicAddress:asc`)).status).toBe(501);
    expect((await made('GET', `${SITE}/nodes?sort=hostname:sideways`)).status).toBe(200);
  });
});
