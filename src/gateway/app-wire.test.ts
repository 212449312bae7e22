// The gateway as a client meets it that was written from the wire alone: what our own console never sends.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '../contract/calls.ts';
import { type Browser, CLUSTER, call, openRig, PASSWORD, type Rig } from './app.testing.ts';
import { notBuilt } from './http/not-built.ts';
import { roleResource } from './services/rights/source.ts';
import { resourceNamed } from './store/store.testing.ts';

let rig: Rig;
let ann: Browser;
let bob: Browser;
const site = `/v1/webapi/sites/${CLUSTER}`;
const term = { h: 24, w: 80 };

beforeAll(async () => {
  rig = await openRig();
  const { resources } = rig.store;
  await resources.create(
    resourceNamed('db', 'orders', { labels: { env: 'dev' }, spec: { protocol: 'mysql', uri: 'my:3306' } }),
  );
  await resources.create(
    resourceNamed('windows_desktop', 'desk', { address: '10.0.0.8:4000', labels: { env: 'dev' } }),
  );
  await resources.create(
    resourceNamed('db_service', 'dbs', { spec: { resource_matchers: [{ labels: { env: ['dev'], '*': '*' } }] } }),
  );
  await resources.create(
    resourceNamed('windows_desktop_service', 'wds', {
      title: 'gate',
      address: '10.0.0.1:3028',
      labels: { env: 'dev', 'postern.internal/x': 'y' },
    }),
  );
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root', 'ann']);
  await rig.addUser('bob', ['auditor']);
  await rig.addServer('web-1');
  ann = await rig.signIn('ann');
  bob = await rig.signIn('bob');
});
afterAll(() => rig.dispose());

const fieldsOf = (schema: unknown): readonly string[] =>
  Object.keys((schema as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape ?? {});
const withQuery = Object.entries(calls).filter(([, { method, parts }]) => method === 'GET' && parts.query);

test('there are calls with a query', () => expect(withQuery.length).toBeGreaterThan(10));

test.each(withQuery)('%s takes every parameter without a value, as if it were not there', async (_name, one) => {
  const url = one.path.replace(':clusterId', CLUSTER).replace(':sid', '00000000-0000-4000-8000-000000000000');
  const empty = fieldsOf(one.parts.query).map(field => `${field}=`);
  expect(empty.length).toBeGreaterThan(0);
  const said = async (query: string) => {
    const { status, json } = await ann.call('GET', url + query);
    return [status, (json as { error?: { code: string } }).error?.code];
  };
  expect(await said(`?${empty.join('&')}`)).toEqual(await said(''));
});

// Rule 9: at most 5000 events and recordings at once
test.each([
  `${site}/nodes?limit=1000000`,
  `${site}/events/search?limit=1000000`,
  `${site}/events/search/sessions?limit=10000`,
])('%s answers as much as one call may, not a refusal', async url => {
  expect((await ann.call('GET', url)).status).toBe(200);
});

// Rule 7.3: event search
test("the specification's own names of an event search work beside the wire's, which come first", async () => {
  const found = async (query: string) => {
    const { json } = await ann.call('GET', `${site}/events/search?${query}`);
    return (json as { events: { event: string }[] }).events.map(({ event }) => event);
  };
  const long = '2001-01-01T00:00:00Z';
  expect(new Set(await found('filter=user.login'))).toEqual(new Set(['user.login']));
  expect(await found(`start=${long}&end=${long}`)).toEqual([]);
  expect(new Set(await found(`include=user.create&filter=user.login&from=${long}&start=2900-01-01T00:00:00Z`))).toEqual(
    new Set(['user.create']),
  );
});

test('what has no value may be sent as null', async () => {
  const token = 'a'.repeat(64);
  const csrf = { cookie: `__Host-postern_csrf=${token}`, 'x-csrf-token': token };
  const signIn = { user: 'ann', pass: PASSWORD, second_factor_token: null };
  const answers = [
    await call(rig.app, { method: 'POST', url: '/v1/webapi/sessions/web', headers: csrf, body: signIn }),
    await ann.call('POST', '/v1/webapi/users', { name: 'nil', roles: ['access'], traits: null, allTraits: null }),
    await ann.call('POST', '/v1/webapi/capture', { event: 'postern.ui.banner.click', alert: null, eventData: null }),
    await (await rig.signIn('ann')).call('POST', '/v1/webapi/sessions/web/renew', {
      requestId: null,
      switchback: null,
      reloadUser: null,
    }),
    await ann.call('POST', '/v1/webapi/token', {
      roles: ['Node'],
      join_method: null,
      allow: null,
      suggested_agent_matcher_labels: null,
    }),
    await ann.call('PUT', `${site}/locks`, { targets: { user: 'nil' }, message: null, ttl: null }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  // What a call must have is not there when it is null.
  expect((await ann.call('POST', '/v1/webapi/token', { roles: null })).status).toBe(400);
});

test('a new token lasts 600 s to the second', async () => {
  const { json } = await (await rig.signIn('ann')).call('POST', '/v1/webapi/sessions/web/renew', {});
  expect(json).toMatchObject({ type: 'bearer', expires_in: 600 });
});

// Rule 3.3: preferences
test('a part of the preferences that is left out stays as it is', async () => {
  const url = '/v1/webapi/user/preferences';
  await ann.call('PUT', url, {
    theme: 2,
    assist: { preferredLogins: ['root'], viewMode: 3 },
    console: { dense: false },
  });
  expect((await ann.call('PUT', url, { theme: 1, onboard: { preferredResources: [2] } })).json).toEqual({
    message: 'ok',
  });
  expect((await ann.call('GET', url)).json).toMatchObject({
    theme: 1,
    assist: { preferredLogins: ['root'], viewMode: 3 },
    onboard: { preferredResources: [2] },
    console: { dense: false },
  });
  expect((await ann.call('PUT', url, { theme: 7 })).status).toBe(400);
});

// Rule 3.3: the user context
// Rule 3.3: access strategy, capabilities and search-as roles
test('the user context says what may be asked for, as the roles word it', async () => {
  const { resources } = rig.store;
  const options = '{request_access: reason, request_prompt: Why?}';
  const request = '{roles: [a*, x], suggested_reviewers: [ann], search_as_roles: [access]}';
  const spec = `{options: ${options}, allow: {request: ${request}}}`;
  await resources.create(roleResource(`kind: role\nversion: v7\nmetadata: {name: asker}\nspec: ${spec}`));
  await rig.addUser('kim', ['asker']);
  const { json } = await (await rig.signIn('kim')).call('GET', `${site}/context`);
  expect(json).toMatchObject({
    accessStrategy: { type: 'reason', prompt: 'Why?' },
    accessCapabilities: { requestableRoles: ['access', 'auditor'], suggestedReviewers: ['ann'] },
    allowedSearchAsRoles: ['access'],
  });
  expect((await ann.call('GET', `${site}/context`)).json).toMatchObject({
    accessStrategy: { type: 'optional', prompt: '' },
    accessCapabilities: { requestableRoles: [], suggestedReviewers: [] },
    allowedSearchAsRoles: [],
  });
});

// Rule 3.4: active sessions
test('one running session is answered as the list shows it, to whom the list shows it', async () => {
  const { identity, sessions } = rig.services;
  const who = await identity.sessions.authenticate({ cookie: ann.cookie, bearer: ann.bearer, remoteAddr: '[::1]:1' });
  const target = { id: 'n', hostname: 'web-1', subKind: 'openssh', addr: 'web-1:22', hostKeys: [], labels: {} };
  const { sid } = await sessions.open({ who, target, login: 'root', size: { cols: 80, rows: 24 } });
  const list = await ann.call('GET', `${site}/sessions`);
  const one = await ann.call('GET', `${site}/sessions/${sid}`);
  expect(one.json).toEqual(list.json);
  expect(one.json).toMatchObject({ sessions: [{ id: sid, participantModes: ['peer', 'observer', 'moderator'] }] });
  await rig.addUser('eve', ['access']);
  const eve = await rig.signIn('eve');
  expect((await bob.call('GET', `${site}/sessions/${sid}`)).status).toBe(200);
  expect((await eve.call('GET', `${site}/sessions/${sid}`)).status).toBe(404);
  expect((await ann.call('GET', `${site}/sessions/00000000-0000-4000-8000-000000000000`)).status).toBe(404);
  sessions.end(sid, 'The test is over.');
});

// Rule 3.4: databases and desktops
// Rule 7.3: whether a desktop is in use
test('a database and a desktop are answered alone as their lists show them, to whom roles select them', async () => {
  for (const one of ['databases/orders', 'desktops/desk']) {
    const [kind = ''] = one.split('/');
    const list = (await ann.call('GET', `${site}/${kind}`)).json as { items: object[] };
    expect((await ann.call('GET', `${site}/${one}`)).json).toEqual(list.items[0]);
    expect((await bob.call('GET', `${site}/${one}`)).status).toBe(404);
    expect((await ann.call('GET', `${site}/${kind}/none`)).status).toBe(404);
  }
  expect((await ann.call('GET', `${site}/desktops/desk/active`)).json).toEqual({ active: false });
  expect((await bob.call('GET', `${site}/desktops/desk/active`)).status).toBe(404);
});

// Rule 3.4: services of databases and desktops
test('services are listed with what they reach, and cannot be sorted by what they do not have', async () => {
  expect((await ann.call('GET', `${site}/databaseservices`)).json).toEqual({
    items: [{ name: 'dbs', resource_matchers: [{ labels: { env: ['dev'], '*': '*' } }] }],
    startKey: '',
    totalCount: 0,
  });
  expect((await ann.call('GET', `${site}/desktopservices?sort=name:asc`)).json).toEqual({
    items: [{ name: 'wds', hostname: 'gate', addr: '10.0.0.1:3028', labels: [{ name: 'env', value: 'dev' }] }],
    startKey: '',
    totalCount: 1,
  });
  expect(await ann.call('GET', `${site}/databaseservices?sort=name:asc`)).toMatchObject({
    status: 501,
    json: { error: { fields: { sort: 'this list cannot be sorted' } } },
  });
});

// Rule 7.3: the thumbprint
test('the thumbprint is that of the certificate the chain ends in, and there is none without TLS', async () => {
  expect(await call(rig.app, { method: 'GET', url: '/v1/webapi/thumbprint' })).toMatchObject({
    status: 404,
    json: { error: { code: 'not_found', message: expect.stringContaining('certificate') } },
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-wire-'));
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' }).toString();
  const made = (name: string, ...rest: string[]) =>
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`, ...rest],
    );
  made('ca');
  made('leaf', '-CA', 'ca.crt', '-CAkey', 'ca.key');
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  const printed = openssl('x509', '-in', 'ca.crt', '-noout', '-fingerprint', '-sha1');
  const tls = { cert: read('leaf.crt') + read('ca.crt'), key: read('leaf.key') };
  rmSync(folder, { recursive: true });
  const secure = await openRig({ config: { tls } });
  const { headers, json } = await call(secure.app, { method: 'GET', url: '/v1/webapi/thumbprint' });
  await secure.dispose();
  expect(headers['content-type']).toContain('application/json');
  expect(json).toBe(printed.replace(/^.*=/, '').replaceAll(':', '').trim().toLowerCase());
});

const bodies = [
  ['JSON', 'application/json', '{}'],
  ['broken JSON', 'application/json', '{'],
  ['text', 'text/plain', 'x'],
  ['a form', 'application/x-www-form-urlencoded', 'a=b'],
  ['bytes', 'application/octet-stream', Buffer.from([0, 255])],
] as const;
const place = (url: string) => url.replace(':clusterId', CLUSTER).replaceAll(/:([A-Za-z]+)/g, '$1');
/** What every method but GET may carry, with and without a sign-in. */
async function answersOf(method: string, url: string): Promise<readonly { status: number; json: unknown }[]> {
  const { cookie, bearer } = ann;
  const answers = [await ann.call(method, url), await call(rig.app, { method, url })];
  for (const [, type, body] of method === 'GET' ? [] : bodies)
    answers.push(await call(rig.app, { method, url, body, headers: { 'content-type': type }, cookie, bearer }));
  return answers;
}
// Rule 7: what this gateway does not have of the wire says so
test.each(notBuilt)('$method $path is not built, whatever is sent', async ({ method, path: url, about }) => {
  for (const answer of await answersOf(method, place(url)))
    expect(answer).toMatchObject({
      status: 501,
      json: { error: { code: 'unsupported', message: expect.stringContaining(about) } },
    });
});
test('no call is both built and not', () => {
  const keyOf = ({ method, path: url }: { method: string; path: string }) => `${method} ${place(url)}`;
  const built = Object.values(calls).map(keyOf);
  expect(notBuilt.map(keyOf).filter(key => built.includes(key))).toEqual([]);
});
test.each([
  ['PATCH', 'users'],
  ['POST', 'mfa/devicess'],
  ['GET', 'sites/here/lock'],
  ['DELETE', 'traces'],
])('%s %s is found nowhere, whatever is sent', async (method, url) => {
  for (const answer of await answersOf(method, `/v1/webapi/${url}`))
    expect(answer).toMatchObject({ status: 404, json: { error: { code: 'not_found' } } });
});

test('a client may send back what it read, and more', async () => {
  await rig.addUser('ida', ['access'], ['root']);
  const { json } = await ann.call('GET', '/v1/webapi/users/ida');
  const { allTraits: _excluded, ...read } = json as { allTraits: object; traits: object };
  const changed = await ann.call('PUT', '/v1/webapi/users', {
    ...read,
    roles: ['auditor'],
    traits: { ...read.traits, shells: ['zsh'] },
    isLocal: true,
    origin: '',
  });
  expect(changed).toMatchObject({
    status: 200,
    json: { name: 'ida', roles: ['auditor'], traits: { logins: ['root'] } },
  });
  expect(changed.body).not.toContain('zsh');
  const role = (await ann.call('GET', '/v1/webapi/roles/auditor')).json as object;
  expect(await ann.call('PUT', '/v1/webapi/roles/auditor', role)).toMatchObject({ status: 200, json: role });
});

test('a role is replaced by the name in the body as by that in the path', async () => {
  const yaml = (login: string) =>
    `kind: role\nversion: v7\nmetadata: {name: named}\nspec: {allow: {logins: [${login}]}}\n`;
  const put = async (body: unknown) => (await ann.call('PUT', '/v1/webapi/roles', body)).status;
  expect(await put({ content: yaml('a') })).toBe(404);
  await ann.call('POST', '/v1/webapi/roles', { content: yaml('a') });
  expect(await put({ name: 'named', content: yaml('b') })).toBe(200);
  expect(await put({ name: 'other', content: yaml('c') })).toBe(404);
  expect(await put({ name: 'access', content: yaml('c') })).toBe(400);
  expect(await put({ content: yaml('d') })).toBe(200);
  expect((await ann.call('GET', '/v1/webapi/roles/named')).json).toMatchObject({ content: yaml('d') });
});

test('whether there is anything to reach is answered with and without the cluster in the path', async () => {
  await rig.addUser('lone', ['auditor']);
  const lone = await rig.signIn('lone');
  for (const url of ['/v1/webapi/resources/check', `${site}/resources/check`]) {
    expect((await ann.call('GET', url)).json).toEqual({ hasResource: true });
    expect((await lone.call('GET', url)).json).toEqual({ hasResource: false });
    expect((await call(rig.app, { method: 'GET', url })).status).toBe(403);
  }
});

// Rule 7.1: logout deletes the web session
test('signing out is done already for whoever is signed out', async () => {
  const leaving = await rig.signIn('ann');
  const out = () => leaving.call('DELETE', '/v1/webapi/sessions/web');
  for (const answer of [
    await out(),
    await out(),
    await call(rig.app, { method: 'DELETE', url: '/v1/webapi/sessions/web' }),
  ])
    expect(answer).toMatchObject({ status: 200, json: { message: 'ok' } });
});

test('the calls are also there without their version', async () => {
  for (const url of [`/webapi/sites/-current-/nodes?limit=`, '/webapi/user/status', '/webapi/github/callback'])
    expect((await ann.call('GET', url)).status).toBeLessThan(400);
});

test('parameters of a terminal may hold more than we know, and what is not given has its default', async () => {
  const params = encodeURIComponent(JSON.stringify({ server_id: 'web-1', login: 'root', namespace: 'default', term }));
  const { status } = await ann.call('GET', `${site}/connect?access_token=${ann.bearer}&params=${params}&traceparent=`);
  expect(status).toBe(426);
});
