// Applications through the gateway: hosts of their own, who comes in and how, what each side is told, and what ends it.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { hostileLinks } from '../../e2e/rigs/hostile-links.ts';
import { lockBody } from '../contract/locks.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import {
  apply,
  appRole,
  appTrail,
  appYaml,
  askHost,
  type EchoApp,
  enterApp,
  openEchoApp,
  type Told,
} from './app-applications.testing.ts';

const WIKI = 'wiki.console.example.com';
let rig: Rig;
let echo: EchoApp;
let port: number;
let ann: Browser;
/** Ann's cookies at the wiki. */
let pair: string;

beforeAll(async () => {
  rig = await openRig();
  await rig.app.listen({ host: '127.0.0.1', port: 0 });
  port = (rig.app.server.address() as AddressInfo).port;
  echo = await openEchoApp();
  await rig.store.resources.create(appRole('shop', 'shop'));
  await apply(rig, appYaml('wiki', echo.uri, 'shop'));
  await apply(rig, appYaml('other', echo.uri, 'shop', '  public_addr: other.example.org\n'));
  await apply(rig, appYaml('hidden', echo.uri, 'bank'));
  await rig.addUser('ann', ['shop']);
  ann = await rig.signIn('ann');
  pair = await enterApp(rig, port, ann, WIKI);
});
afterAll(async () => {
  await rig?.dispose();
  echo?.close();
});

/** What the wiki was told of a request. */
async function told(path: string, asked: Parameters<typeof askHost>[3] = {}): Promise<Told> {
  const answer = await askHost(port, WIKI, path, { ...asked, headers: { cookie: pair, ...asked.headers } });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as Told;
}

// Rule 7.3: a session of an application answers its two cookies
test('a page is had by way of the console, and what a page fetches without a session is refused', async () => {
  const away = await askHost(port, WIKI, '/a?b=1');
  expect(away.status).toBe(302);
  expect(away.headers.location).toMatch(
    /^https:\/\/console\.example\.com\/web\/launch\/wiki\.console\.example\.com\?state=[0-9a-f]{64}&path=%2Fa%3Fb%3D1$/,
  );
  expect(away.headers['set-cookie']?.join()).toMatch(
    /^__Host-postern-app-state=[0-9a-f]{64}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=600$/,
  );
  for (const asked of [{ method: 'POST' }, { headers: { 'sec-fetch-mode': 'cors' } }])
    expect((await askHost(port, WIKI, '/a', asked)).status).toBe(403);
});

test('cookies of an application that were carried to another address let nobody in where a role pins it, and are good where they began', async () => {
  const proxied = await openRig({ config: { trustProxy: true } });
  try {
    await proxied.app.listen({ host: '127.0.0.1', port: 0 });
    const at = (proxied.app.server.address() as AddressInfo).port;
    await proxied.store.resources.create(appRole('pinned', 'shop', ', pin_source_ip: true'));
    await proxied.store.resources.create(appRole('free', 'shop'));
    await apply(proxied, appYaml('wiki', echo.uri, 'shop'));
    const cookieOf = async (role: string) => {
      await proxied.addUser(role, [role]);
      return enterApp(proxied, at, await proxied.signIn(role), WIKI);
    };
    const [pinned, free] = [await cookieOf('pinned'), await cookieOf('free')];
    const ask = async (cookie: string, from?: string) =>
      (await askHost(at, WIKI, '/', { headers: { cookie, ...(from && { 'x-forwarded-for': from }) } })).status;
    expect([await ask(pinned), await ask(pinned, '10.9.9.9'), await ask(pinned, '::ffff:10.9.9.9')]).toEqual([
      200, 302, 302,
    ]);
    // Asking from elsewhere has taken nothing away.
    expect(await ask(pinned)).toBe(200);
    expect(await ask(free, '10.9.9.9')).toBe(200);
  } finally {
    await proxied.dispose();
  }
});

test('the application is told who asks, signed, and nothing that the browser says of that', async () => {
  const { url, headers, raw } = await told('/x?y=1', {
    headers: {
      cookie: `mine=1; ${pair}; other=2`,
      'Postern-Jwt-Assertion': 'fake',
      postern_jwt_assertion: 'fake',
      'X-FORWARDED-FOR': '6.6.6.6',
      X_Forwarded_Host: 'evil.test',
      'x-internal': 'dropped',
      connection: 'close, X-Internal',
    },
  });
  expect(url).toBe('/x?y=1');
  expect(raw.join('\n')).not.toMatch(/fake|6\.6\.6\.6|evil\.test|dropped|__Host-postern/);
  expect(headers).toMatchObject({
    host: new URL(echo.uri).host,
    cookie: 'mine=1; other=2',
    'x-forwarded-host': WIKI,
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '127.0.0.1',
  });
  const keys = await askHost(port, 'console.example.com', '/.well-known/jwks.json');
  const { payload } = await jwtVerify(
    String(headers['postern-jwt-assertion']),
    createLocalJWKSet(JSON.parse(keys.body)),
    {
      issuer: CLUSTER,
      audience: echo.uri,
    },
  );
  expect(payload).toMatchObject({ sub: 'ann', username: 'ann', roles: ['shop'] });
});

test('its own pages look like that to the application, and pages of others do not', async () => {
  const own = `https://${WIKI}`;
  expect((await told('/', { method: 'POST', headers: { origin: own, referer: `${own}/a` } })).headers).toMatchObject({
    origin: echo.uri,
    referer: `${echo.uri}/a`,
  });
  const foreign = { origin: 'https://other.example.org', referer: 'https://other.example.org/a' };
  expect((await told('/', { method: 'POST', headers: foreign })).headers).toMatchObject(foreign);
});

test('its cookies stay on its own host, none of them passes for ours, and none of its answers clears the console', async () => {
  const { headers } = await askHost(port, WIKI, '/cookies', { headers: { cookie: pair } });
  expect(headers['set-cookie']).toEqual(['sid=1; Path=/', 'wide=1; Path=/', 'bare=1; Path=/']);
  expect(
    (await askHost(port, WIKI, '/quiet', { headers: { cookie: pair } })).headers['clear-site-data'],
  ).toBeUndefined();
});

test('redirects to what it calls itself lead to what the browser calls it; others stay', async () => {
  const location = async (to: string) =>
    (await askHost(port, WIKI, `/to?${encodeURIComponent(to)}`, { headers: { cookie: pair } })).headers.location;
  expect(await location(`${echo.uri}/there?q=1#f`)).toBe(`https://${WIKI}/there?q=1#f`);
  expect(await location('/there')).toBe('/there');
  expect(await location('https://elsewhere.test/x')).toBe('https://elsewhere.test/x');
});

test('bodies pass whole, with a length and in pieces', async () => {
  const body = 'x'.repeat(300_000);
  expect((await told('/', { method: 'PUT', body, headers: { 'content-length': String(body.length) } })).body).toBe(
    body,
  );
  const pieces = await told('/', { method: 'POST', body, headers: { 'transfer-encoding': 'chunked' } });
  expect([pieces.body, pieces.headers['content-length']]).toEqual([body, undefined]);
});

test('cookies of one application open no other, half a pair opens none, and the console is at none of their hosts', async () => {
  const [value = '', subject = ''] = pair.split('; ');
  for (const [host, cookie] of [
    ['other.example.org', pair],
    [WIKI, value],
    [WIKI, subject],
    [WIKI, `${value}; ${subject.slice(0, -1)}0f`],
    [WIKI, `${value}; ${value}; ${subject}`],
  ] as const)
    expect((await askHost(port, host, '/', { headers: { cookie } })).status).toBe(302);
  // The console's own cookies are nothing to it, and its pages and calls are not there.
  const console_ = { cookie: `__Host-session=${ann.cookie}; ${pair}`, authorization: `Bearer ${ann.bearer}` };
  expect(JSON.parse((await askHost(port, WIKI, '/v1/webapi/sites', { headers: console_ })).body)).toMatchObject({
    url: '/v1/webapi/sites',
  });
  for (const host of ['nothing.console.example.com', 'a.b.console.example.com', 'wiki.console.example.com.'])
    expect([host, (await askHost(port, host, '/')).status]).toEqual([host, host.endsWith('.') ? 302 : 404]);
});

test('a code is good once, for its host, in the browser that asked', async () => {
  const away = await askHost(port, WIKI, '/');
  const state = new URL(String(away.headers.location)).searchParams.get('state') ?? '';
  const { code } = (await ann.call('POST', '/v1/webapi/sessions/app', { fqdn: WIKI })).json as { code: string };
  const redeem = (host: string, query: object, cookie = `__Host-postern-app-state=${state}`) =>
    askHost(port, host, `/x-postern-auth?${new URLSearchParams({ code, state, path: '/', ...query })}`, {
      headers: { cookie },
    });
  expect((await redeem(WIKI, {}, '')).status).toBe(403);
  expect((await redeem(WIKI, { state: 'f'.repeat(64) })).status).toBe(403);
  const back = await redeem(WIKI, { path: '/.//evil.test/\\x' });
  expect([back.status, back.headers.location]).toEqual([303, `https://${WIKI}//evil.test//x`]);
  expect((await redeem(WIKI, {})).status).toBe(403);

  const second = (await ann.call('POST', '/v1/webapi/sessions/app', { fqdn: WIKI })).json as { code: string };
  expect((await redeem('other.example.org', second)).status).toBe(403);
  expect((await redeem(WIKI, second)).status).toBe(403);
  for (const path of ['//evil.test', '/\\evil.test', 'https://evil.test', 'javascript:alert(1)', '']) {
    const third = (await ann.call('POST', '/v1/webapi/sessions/app', { fqdn: WIKI })).json as { code: string };
    const { headers } = await redeem(WIKI, { code: third.code, path });
    expect([path, new URL(String(headers.location)).host]).toEqual([path, WIKI]);
  }
});

test('the console may also post the cookies, and no other page may', async () => {
  const launched = (await ann.call('POST', '/v1/webapi/sessions/app', { fqdn: WIKI })).json as Record<string, string>;
  const headers = {
    'x-cookie-value': launched.cookie_value ?? '',
    'x-subject-cookie-value': launched.subject_cookie_value ?? '',
  };
  const post = (origin: string, host = WIKI) =>
    askHost(port, host, '/x-postern-auth', { method: 'POST', headers: { ...headers, origin } });
  expect((await post('https://evil.test')).status).toBe(403);
  expect((await post('https://console.example.com', 'other.example.org')).status).toBe(403);
  const taken = await post('https://console.example.com');
  expect([taken.status, taken.headers['access-control-allow-credentials']]).toEqual([200, 'true']);
  expect(taken.headers['set-cookie']?.join()).toContain(`__Host-postern-app-session=${launched.cookie_value}`);
});

test('only whom a role leads there gets in, and what no role leads to is not there', async () => {
  expect((await ann.call('POST', '/v1/webapi/sessions/app', { fqdn: 'hidden.console.example.com' })).status).toBe(404);
  expect((await ann.call('GET', `/v1/webapi/apps/${WIKI}`)).json).toEqual({ fqdn: WIKI });
  expect((await ann.call('GET', '/v1/webapi/apps/hidden.console.example.com')).status).toBe(404);
  await rig.addUser('bob', ['access']);
  await apply(rig, appYaml('far', echo.uri, 'far'));
  const bob = await rig.signIn('bob');
  // On the gateway's own machine, and no role allows that.
  const cookie = await enterApp(rig, port, bob, 'far.console.example.com');
  const refused = await askHost(port, 'far.console.example.com', '/', { headers: { cookie } });
  expect([refused.status, refused.body]).toEqual([502, expect.stringContaining('reach_loopback')]);
});

test('no link makes the console take a browser to a host that is no application of here', async () => {
  for (const link of hostileLinks) {
    const of = await ann.call('GET', `/v1/webapi/apps/${encodeURIComponent(link.toWellFormed())}`);
    const entered = await ann.call('POST', '/v1/webapi/sessions/app', { fqdn: link });
    expect([link, [400, 404, 414].includes(of.status), [400, 404].includes(entered.status)]).toEqual([
      link,
      true,
      true,
    ]);
  }
});

/** Opens a WebSocket at the wiki; answers the head of what came back. */
async function openSocket(origin: string, cookie: string) {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: ${WIKI}\r\nOrigin: ${origin}\r\nCookie: ${cookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  );
  socket.on('error', () => undefined);
  const [first] = (await once(socket, 'data')) as [Buffer];
  return { socket, head: first.toString('latin1') };
}

test('sockets open from its own pages alone, and carry bytes both ways', async () => {
  const foreign = await openSocket('https://evil.test', pair);
  expect(foreign.head).toMatch(/^HTTP\/1\.1 403 /);
  const own = await openSocket(`https://${WIKI}`, pair);
  expect(own.head).toMatch(/^HTTP\/1\.1 101 /);
  expect(own.head).toContain(`X-Origin: ${echo.uri}`);
  own.socket.write('hello');
  const [bytes] = (await once(own.socket, 'data')) as [Buffer];
  expect(bytes.toString()).toBe('hello');
  own.socket.destroy();
});

test('what two readers would read differently never gets to the application', async () => {
  const raw = async (lines: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(lines.replaceAll('\n', '\r\n').replace('@', `Host: ${WIKI}\r\nCookie: ${pair}`));
    let text = '';
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
    });
    await once(socket, 'close');
    return text.split('\r\n', 1)[0] ?? '';
  };
  const bad = [
    'POST / HTTP/1.1\n@\nContent-Length: 5\nTransfer-Encoding: chunked\n\n0\n\nGET /smuggled HTTP/1.1\n@\n\n',
    'POST / HTTP/1.1\n@\nContent-Length: 5\nContent-Length: 6\n\nhello',
    'POST / HTTP/1.1\n@\nTransfer-Encoding: chunked\n\nzz\nhello\n0\n\n',
    'GET / HTTP/1.1\n@\nX-A: b\n folded: yes\n\n',
    `GET / HTTP/1.1\n@\nHost: other.example.org\nConnection: close\n\n`,
    `GET http://console.example.com/web HTTP/1.1\n@\nConnection: close\n\n`,
    `GET / HTTP/1.1\n@\nX-Huge: ${'x'.repeat(20_000)}\n\n`,
    'TRACE / HTTP/1.1\n@\nConnection: close\n\n',
  ];
  const lines = [];
  for (const one of bad) lines.push(await raw(one));
  expect(lines.map(line => line.split(' ')[1])).toEqual(['400', '400', '400', '400', '400', '400', '431', '405']);
});

test('a lock ends streams and sockets at once, and the next request is refused', async () => {
  await rig.addUser('lena', ['shop']);
  const lena = await rig.signIn('lena');
  const cookie = await enterApp(rig, port, lena, WIKI);
  const socket = await openSocket(`https://${WIKI}`, cookie);
  const events = get({ host: '127.0.0.1', port, path: '/events', headers: { host: WIKI, cookie }, agent: false });
  const [answer] = (await once(events, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  events.on('error', () => undefined);
  const [first] = (await once(answer, 'data')) as [Buffer];
  expect(first.toString()).toBe('data: one\n\n');
  const ends = [answer, socket.socket].map(stream => new Promise(done => stream.once('close', done)));
  await rig.services.locks.add(z.parse(lockBody, { targets: { user: 'lena' } }), { user: 'root', rights: null });
  expect((await askHost(port, WIKI, '/', { headers: { cookie } })).status).toBe(302);
  await Promise.all(ends);
});

test('an application is added, changed, tried and removed by whoever may; a trial says which step fails and what to do', async () => {
  const APPS = '/v1/webapi/sites/-current-/apps';
  const labels = [{ name: 'team', value: 'shop' }];
  await rig.addUser('ed', ['editor', 'shop']);
  const ed = await rig.signIn('ed');
  const from = new Date();
  expect((await ann.call('POST', APPS, { name: 'crm', uri: echo.uri, labels })).status).toBe(403);
  expect((await ed.call('POST', APPS, { name: 'crm', uri: echo.uri, labels })).json).toMatchObject({
    name: 'crm',
    fqdn: 'crm.console.example.com',
  });
  expect((await ed.call('POST', APPS, { name: 'crm', uri: echo.uri })).status).toBe(409);
  for (const body of [
    { name: 'Crm', uri: echo.uri },
    { name: 'x', uri: 'ftp://x' },
    { name: 'x', uri: 'http://u:p@x' },
  ])
    expect((await ed.call('POST', APPS, body)).status).toBe(400);
  const tried = async (name: string) => {
    const { json } = await ed.call('POST', '/v1/webapi/sites/-current-/diagnostics/connections', {
      resource_kind: 'app',
      resource_name: name,
    });
    const { traces } = json as { traces: { traceType: string; status: string; error?: string }[] };
    return traces.map(({ traceType, status, error }) => [traceType, error ?? status]);
  };
  const steps = ['RBAC_APP', 'APP_HOST', 'CONNECTIVITY', 'APP_ANSWER'];
  expect(await tried('crm')).toEqual(steps.map(step => [step, 'SUCCESS']));
  await apply(rig, appYaml('queue', echo.uri.replace('http:', 'tcp:'), 'shop'));
  expect(await tried('queue')).toEqual(['RBAC_APP', 'CONNECTIVITY'].map(step => [step, 'SUCCESS']));
  expect(await tried('hidden')).toEqual([['RBAC_APP', '"hidden" was not found']]);
  const change = { uri: 'http://127.0.0.1:1', publicAddr: 'crm.example.org' };
  expect((await ed.call('PUT', `${APPS}/crm`, change)).json).toMatchObject({
    uri: change.uri,
    fqdn: 'crm.example.org',
    labels,
  });
  expect((await tried('crm')).at(-1)).toEqual(['CONNECTIVITY', '127.0.0.1:1 cannot be reached: ECONNREFUSED']);
  expect((await ed.call('DELETE', `${APPS}/crm`)).status).toBe(200);
  expect((await ed.call('DELETE', `${APPS}/crm`)).status).toBe(404);
  expect((await appTrail(rig, from)).map(({ code }) => code)).toEqual(['TAP03I', 'TAP03I', 'TAP04I', 'TAP05I']);
});

test('a second factor for each session and the limit of sessions count for applications as well', async () => {
  await rig.store.resources.create(appRole('proven', 'shop', ', require_session_mfa: true'));
  await rig.store.resources.create(appRole('single', 'shop', ', max_sessions: 1'));
  await rig.addUser('pia', ['proven']);
  await rig.addUser('sam', ['single']);
  const said = async (who: Browser, fqdn: string) => {
    const { status, json } = await who.call('POST', '/v1/webapi/sessions/app', { fqdn });
    return [status, (json as { error?: { message: string } }).error?.message ?? ''];
  };
  expect(await said(await rig.signIn('pia'), WIKI)).toEqual([403, expect.stringMatching(/^MFA required: your roles/)]);
  const sam = await rig.signIn('sam');
  expect(await said(sam, WIKI)).toEqual([200, '']);
  expect(await said(sam, 'other.example.org')).toEqual([
    429,
    expect.stringContaining('You have 1 sessions open, and your roles allow 1'),
  ]);
  // A second tab is the same session.
  expect(await said(sam, WIKI)).toEqual([200, '']);
});

test('an application gets the headers that are written of it, and not what a browser sends under their names', async () => {
  const rewrite = '  rewrite: { headers: [{ name: X-Tenant, value: acme }], redirect: [wiki.internal] }\n';
  await apply(rig, appYaml('tenant', echo.uri, 'shop', rewrite));
  const host = 'tenant.console.example.com';
  const cookie = await enterApp(rig, port, ann, host);
  const told = JSON.parse((await askHost(port, host, '/', { headers: { cookie, x_tenant: 'evil' } })).body) as Told;
  expect([told.headers['x-tenant'], told.headers.x_tenant]).toEqual(['acme', undefined]);
  const { headers } = await askHost(port, host, `/to?${encodeURIComponent('http://wiki.internal:80/a')}`, {
    headers: { cookie },
  });
  expect(headers.location).toBe(`https://${host}/a`);
  for (const name of ['Host', 'Cookie', 'X-Forwarded-For', 'Postern-Jwt-Assertion', 'a b', 'Proxy-Authorization'])
    await expect(
      apply(rig, appYaml('tenant', echo.uri, 'shop', `  rewrite: { headers: [{ name: "${name}", value: x }] }\n`)),
    ).rejects.toThrow('header');
});

test('its role, the web session, the list and the person end a session; the log has all, and the recording plays its requests', async () => {
  const from = new Date();
  await rig.addUser('mia', ['shop']);
  const mia = await rig.signIn('mia');
  const cookie = await enterApp(rig, port, mia, WIKI);
  expect((await askHost(port, WIKI, '/page?q=secret', { headers: { cookie } })).status).toBe(200);
  const listed = (await mia.call('GET', '/v1/webapi/sites/-current-/sessions')).json as {
    sessions: { id: string; kind: string; app_name: string; participantModes: string[] }[];
  };
  expect(listed.sessions).toMatchObject([{ kind: 'app', app_name: 'wiki', participantModes: [] }]);
  // A second tab goes on in the same session.
  await enterApp(rig, port, mia, WIKI);
  expect(((await mia.call('GET', '/v1/webapi/sites/-current-/sessions')).json as typeof listed).sessions).toHaveLength(
    1,
  );
  const left = await askHost(port, WIKI, '/x-postern-logout', { headers: { cookie } });
  expect(left.headers['set-cookie']?.every(line => line.includes('Max-Age=0'))).toBe(true);
  expect((await askHost(port, WIKI, '/', { headers: { cookie } })).status).toBe(302);
  await expect.poll(async () => (await appTrail(rig, from)).at(-1)?.code).toBe('T2011I');
  const entries = (await appTrail(rig, from)).filter(({ user }) => user === 'mia');
  expect(entries.map(({ code }) => code)).toEqual(['T2007I', 'T2009I', 'T2008I', 'T2011I']);
  expect(entries[1]).toMatchObject({
    app_name: 'wiki',
    method: 'GET',
    path: '/page',
    raw_query: 'q=secret',
    status_code: 200,
  });
  expect(entries[2]).toMatchObject({ requests: 1 });
  const summary = await rig.services.recordings.summary(String(entries[0]?.sid));
  expect(summary).toMatchObject({ state: 'sealed', integrity: { ok: true }, hostname: 'wiki' });
  expect(summary?.commands.map(({ text, status }) => [text, status])).toEqual([['GET /page?q=secret', 0]]);
  let list = '';
  for await (const part of (await rig.services.recordings.file(String(entries[0]?.sid), 'json')) ?? []) list += part;
  expect(JSON.parse(list)).toMatchObject([{ method: 'GET', path: '/page?q=secret', status: 200 }]);

  const again = await enterApp(rig, port, mia, WIKI);
  await mia.call('DELETE', '/v1/webapi/sessions/web');
  expect((await askHost(port, WIKI, '/', { headers: { cookie: again } })).status).toBe(302);

  const back = await rig.signIn('mia');
  const third = await enterApp(rig, port, back, WIKI);
  await apply(rig, appYaml('wiki', echo.uri, 'bank'));
  rig.changes.emit({ kind: 'roleChanged', role: 'shop' });
  expect((await askHost(port, WIKI, '/', { headers: { cookie: third } })).status).toBe(302);
  expect((await back.call('POST', '/v1/webapi/sessions/app', { fqdn: WIKI })).status).toBe(404);
});
