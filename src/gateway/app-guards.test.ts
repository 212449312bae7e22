// What stands before the calls: CSRF token, rate limit, headers, cookies, pages.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, CLUSTER, call, openRig, PASSWORD, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

let rig: Rig;
let limited: Rig;
let behindProxy: Rig;
beforeAll(async () => {
  rig = await openRig();
  limited = await openRig({ config: { rateLimit: { burst: 40, perMinute: 20 } } });
  behindProxy = await openRig({ config: { rateLimit: { burst: 3, perMinute: 1 }, trustProxy: true } });
  await rig.addUser('ann', ['access', 'editor', 'auditor']);
});
afterAll(async () => {
  for (const one of [rig, limited, behindProxy]) await one.dispose();
});

const SIGN_IN = '/v1/webapi/sessions/web';
const token = 'a'.repeat(64);
const csrf = { cookie: `__Host-postern_csrf=${token}`, 'x-csrf-token': token };
const signIn = (headers: Record<string, string>, user = 'ann', pass = PASSWORD) =>
  call(rig.app, { method: 'POST', url: SIGN_IN, body: { user, pass }, headers });

test.each([
  ['no token', {}],
  ['a cookie only', { cookie: csrf.cookie }],
  ['a header only', { 'x-csrf-token': token }],
  ['another token in the header', { ...csrf, 'x-csrf-token': 'b'.repeat(64) }],
  ['an empty pair', { cookie: '__Host-postern_csrf=', 'x-csrf-token': '' }],
  ['a token of another length', { ...csrf, 'x-csrf-token': `${token}a` }],
])('signing in and completing an invitation are refused with %s', async (_name, headers) => {
  const complete = await call(rig.app, {
    method: 'PUT',
    url: '/v1/webapi/users/password/token',
    body: { token: 'x', password: '' },
    headers,
  });
  for (const { status, json } of [await signIn(headers as Record<string, string>), complete]) {
    expect([status, json]).toMatchObject([403, { error: { code: 'denied' } }]);
  }
  expect((await signIn(csrf)).status).toBe(200);
});

test('a form of another page cannot sign in', async () => {
  const answer = await call(rig.app, {
    method: 'POST',
    url: SIGN_IN,
    body: 'user=ann',
    headers: { ...csrf, 'content-type': 'text/plain' },
  });
  expect(answer.status).toBe(400);
});

test('the answer to unknown users and wrong passwords is the same to the byte, but for the request id', async () => {
  const plain = ({ status, body }: { status: number; body: string }) => [
    status,
    body.replace(/"requestId":"[^"]*"/, ''),
  ];
  expect(plain(await signIn(csrf, 'nobody'))).toEqual(plain(await signIn(csrf, 'ann', 'wrong')));
});

test('the session cookie is HttpOnly, Secure, SameSite=Lax and holds user and sid as hex of JSON', async () => {
  const { headers } = await signIn(csrf);
  const cookie = String(headers['set-cookie']);
  expect(cookie).toMatch(/^__Host-session=[0-9a-f]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const value = JSON.parse(Buffer.from(/=([0-9a-f]+)/.exec(cookie)?.[1] ?? '', 'hex').toString()) as object;
  expect(Object.keys(value)).toEqual(['user', 'sid']);
});

test('forty public calls pass, the forty-first waits, and twenty a minute come back', async () => {
  const ping = () => call(limited.app, { method: 'GET', url: '/v1/webapi/presetroles' });
  for (let made = 0; made < 40; made += 1) expect((await ping()).status).toBe(200);
  const refused = await ping();
  expect([refused.status, refused.json]).toMatchObject([429, { error: { code: 'limited' } }]);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3);
  limited.later(60_000);
  let passed = 0;
  for (let made = 0; made < 25; made += 1) if ((await ping()).status === 200) passed += 1;
  expect(passed).toBe(20);
});

test.each([
  '1.2.3.4',
  '1.2.3.4, 5.6.7.8',
  '::1',
  'unknown',
  '127.0.0.2',
  '"[::1]:80"',
  '0x7f000001',
  '1.2.3.4:80',
  ' ',
  ',',
])('X-Forwarded-For: %s evades nothing when no proxy is trusted', async forged => {
  const headers = { 'x-forwarded-for': forged, 'x-real-ip': forged, forwarded: `for=${forged}` };
  let status = 200;
  for (let made = 0; made < 41 && status === 200; made += 1) {
    status = (await call(limited.app, { method: 'GET', url: '/v1/webapi/presetroles', headers })).status;
  }
  expect(status).toBe(429);
});

test('behind a trusted proxy the last hop counts, so a client cannot choose its address', async () => {
  const from = async (forwarded: string) =>
    (
      await call(behindProxy.app, {
        method: 'GET',
        url: '/v1/webapi/presetroles',
        headers: { 'x-forwarded-for': forwarded },
      })
    ).status;
  const statuses = [
    await from('9.9.9.1, 192.0.2.1'),
    await from('9.9.9.2, 192.0.2.1'),
    await from('9.9.9.3, 192.0.2.1'),
    await from('9.9.9.4, 192.0.2.1'),
  ];
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(await from('192.0.2.1, 192.0.2.2')).toBe(200);
});

test.each([
  ['/web', 200],
  ['/web/login', 200],
  ['/web/invite/0123', 200],
  ['/web/cluster/%ff/nodes', 200],
  ['/web/%?a=%', 200],
  ['/web/app/%ff', 404],
  ['/web/config.js', 200],
  ['/web/app/assets/main-abc123.js', 200],
  ['/web/app/assets/gone.js', 404],
  ['/web/app/index.html', 404],
  ['/web/app/', 404],
  ['/', 302],
  ['/healthz', 200],
  ['/readyz', 200],
  ['/v1/webapi/ping', 200],
  ['/webapi/ping', 200],
  ['/v1/webapi/nothing', 404],
  ['/nothing', 404],
  ['/v1/webapi/user/status', 403],
  [`/v1/webapi/sites/${CLUSTER}/connect`, 403],
  ['/%zz', 400],
])('%s answers %i with every security header', async (url, status) => {
  const answer = await call(rig.app, { method: 'GET', url });
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers['referrer-policy']).toMatch(/^(strict-origin|no-referrer)$/);
  expect(answer.headers['permissions-policy']).toContain('camera=()');
  expect(answer.headers['cache-control']).toBe(
    url.includes('main-abc123') ? 'public, max-age=31536000, immutable' : 'no-store',
  );
  const policy = String(answer.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  // WebAssembly is no script: pages of whoever is signed in may run the engine that draws desktops.
  expect(policy).not.toMatch(/'unsafe|\*|https?:|wss?:/);
  expect(answer.headers).not.toHaveProperty('strict-transport-security');
  if (status >= 400)
    expect(answer.json).toMatchObject({
      error: { message: expect.any(String), requestId: answer.headers['x-request-id'] },
    });
});

test('over TLS, browsers are told to stay with TLS, except for the loopback names', async () => {
  const from = async (host: string) =>
    (await call(behindProxy.app, { method: 'GET', url: '/healthz', headers: { 'x-forwarded-proto': 'https', host } }))
      .headers['strict-transport-security'];
  expect(await from('console.example.com')).toContain('max-age=31536000');
  for (const host of ['localhost:3080', '127.0.0.1', '[::1]:3080']) expect(await from(host)).toBeUndefined();
});

test('an invitation page sends its address to nobody', async () => {
  const { headers } = await call(rig.app, { method: 'GET', url: '/web/invite/0123/continue' });
  expect(headers['referrer-policy']).toBe('no-referrer');
});

test('each page has its own style nonce, in the policy and for the terminal', async () => {
  const nonceOf = async () => {
    const { headers, body } = await call(rig.app, { method: 'GET', url: '/web/' });
    const nonce = /postern_style_nonce" content="([^"]+)"/.exec(body)?.[1] ?? 'none';
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
    return nonce;
  };
  expect(await nonceOf()).not.toBe(await nonceOf());
});

test('the page gives the bearer to who has a valid cookie, and to nobody else', async () => {
  const ann = await rig.signIn('ann');
  const bearerIn = async (cookie: string) => {
    const { body } = await call(rig.app, { method: 'GET', url: '/web', headers: { cookie } });
    const content = /postern_bearer_token" content="([^"]+)"/.exec(body)?.[1];
    return content === undefined ? null : (JSON.parse(Buffer.from(content, 'base64').toString()) as { token: string });
  };
  expect(await bearerIn(`__Host-session=${ann.cookie}`)).toMatchObject({ type: 'bearer', token: ann.bearer });
  expect(await bearerIn(`__Host-session=${ann.cookie.slice(0, -2)}00`)).toBeNull();
  expect(await bearerIn('')).toBeNull();
});

test('a hundred tabs that come back at once all get their page, with the one bearer, also when it is time for a new one', async () => {
  const ann = await rig.signIn('ann');
  const load = async () => {
    const pages = await Promise.all(
      Array.from({ length: 100 }, () => call(rig.app, { method: 'GET', url: '/web', cookie: ann.cookie })),
    );
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
    const tokens = pages.map(({ body }) => /bearer_token" content="([^"]+)"/.exec(body)?.[1] ?? '');
    return [...new Set(tokens.map(content => JSON.parse(Buffer.from(content, 'base64').toString()).token as string))];
  };
  expect(await load()).toEqual([ann.bearer]);
  rig.later(6 * 60_000);
  const [renewed, ...others] = await load();
  expect(renewed).not.toBe(ann.bearer);
  expect(others).toEqual([]);
});

test('a role that binds a sign-in to its address lets the session count there alone, by page, call and certificate', async () => {
  const pinned = 'kind: role\nversion: v7\nmetadata: {name: pinned}\nspec: {options: {pin_source_ip: true}}\n';
  await rig.store.resources.create(roleResource(pinned));
  await rig.addUser('pim', ['access', 'pinned'], ['root']);
  await rig.addUser('free', ['access'], ['root']);
  const [pim, free] = [await rig.signIn('pim'), await rig.signIn('free')];
  const from = (remoteAddress: string, { cookie, bearer }: Browser, url = '/v1/webapi/user/status') =>
    rig.app.inject({
      url,
      remoteAddress,
      headers: { cookie: `__Host-session=${cookie}`, authorization: `Bearer ${bearer}` },
    });
  // This machine is one, whatever it calls itself; an IPv4 address is itself over IPv6.
  for (const here of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect((await from(here, pim)).statusCode).toBe(200);
  const refused = await from('10.0.0.9', pim);
  expect([refused.statusCode, refused.json().error]).toMatchObject([
    403,
    { code: 'signed_out', message: expect.stringContaining('pin_source_ip') },
  ]);
  expect((await from('10.0.0.9', free)).statusCode).toBe(200);
  const page = async (address: string) => (await from(address, pim, '/web')).body.includes('postern_bearer_token');
  expect([await page('127.0.0.1'), await page('10.0.0.9')]).toEqual([true, false]);
  const { sessions } = rig.services.identity;
  const who = await sessions.authenticate({ ...pim, remoteAddr: '127.0.0.1:1' });
  await expect(sessions.again({ ...who, remoteAddr: '10.0.0.9:22' })).rejects.toThrow('pin_source_ip');
  expect((await sessions.again({ ...who, remoteAddr: '[::1]:7' })).user).toBe('pim');
});

test('a CSRF cookie is given once and kept while it is well-formed', async () => {
  const first = await call(rig.app, { method: 'GET', url: '/web' });
  expect(first.headers['set-cookie']).toMatch(
    /^__Host-postern_csrf=[0-9a-f]{64}; Path=\/; HttpOnly; Secure; SameSite=None$/,
  );
  const again = await call(rig.app, {
    method: 'GET',
    url: '/web',
    headers: { cookie: `__Host-postern_csrf=${token}` },
  });
  expect(again.headers['set-cookie']).toBeUndefined();
  expect(again.body).toContain(token);
  const broken = await call(rig.app, {
    method: 'GET',
    url: '/web',
    headers: { cookie: '__Host-postern_csrf="><script>stolen' },
  });
  expect(broken.body).not.toContain('stolen');
});

test('config.js is a script that no value can break out of', async () => {
  const { body, headers } = await call(rig.app, { method: 'GET', url: '/web/config.js' });
  expect(headers['content-type']).toContain('application/javascript');
  expect(body).not.toContain('</script>');
  const read = new Function(`${body}; return POSTERN_CONFIG;`) as () => {
    proxyCluster: string;
    auth: { motd: string };
  };
  expect(read()).toMatchObject({ proxyCluster: CLUSTER, auth: { motd: '</script><script>alert(1)</script>' } });
});

test('the page brings its settings with it, in a script that its policy names by its hash', async () => {
  const page = await call(rig.app, { method: 'GET', url: '/web/login' });
  const settings = await call(rig.app, { method: 'GET', url: '/web/config.js' });
  const [script = ''] = [...page.body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text);
  expect(`${script}\n`).toBe(settings.body);
  const hash = createHash('sha256').update(script).digest('base64');
  expect(page.headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`);
});

test('a console that is not built yet is said to be so', async () => {
  const bare = await openRig({ config: { consoleFolder: '/nonexistent/console' } });
  const { status, json } = await call(bare.app, { method: 'GET', url: '/web' });
  await bare.dispose();
  expect([status, json]).toMatchObject([503, { error: { code: 'unavailable' } }]);
});

test('whoever does nothing for as long as the cluster says is out; what the console asks by itself is nothing', async () => {
  const idleMs = 200_000;
  // The clock runs on beside what is added to it.
  const slackMs = 60_000;
  const own = await openRig({ inactiveTimeoutMs: idleMs });
  try {
    await own.addUser('ida', ['access']);
    const ask = async (who: Browser, path: string) => (await who.call('GET', `/v1/webapi/${path}`)).status;
    const written = async (who: Browser) => {
      const rows = (await who.call('GET', '/v1/webapi/user/sessions')).json as {
        current: boolean;
        lastActive: string;
      }[];
      return Date.parse(rows.find(({ current }) => current)?.lastActive ?? '');
    };
    const quiet = await own.signIn('ida');
    own.later(idleMs - slackMs);
    expect(await ask(quiet, 'user/status')).toBe(200);
    own.later(slackMs + 17_000);
    expect([await ask(quiet, 'user/status'), await ask(quiet, 'users')]).toEqual([403, 403]);

    for (const path of ['user/preferences', 'user/status?idle=500']) {
      const busy = await own.signIn('ida');
      const before = await written(busy);
      own.later(idleMs - slackMs);
      expect(await ask(busy, path)).toBe(200);
      await expect.poll(() => written(busy)).toBeGreaterThan(before + idleMs / 2);
      own.later(idleMs - slackMs);
      expect(await ask(busy, 'user/status')).toBe(200);
      own.later(slackMs + 20_000);
      expect(await ask(busy, 'user/status')).toBe(403);
    }
  } finally {
    await own.dispose();
  }
});
