// Single sign-on at the wire: a real OpenID provider over HTTPS with an authority of its own.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signInAtProvider } from '../../e2e/rigs/oidc-browser.ts';
import { type OidcProvider, oidcConnector, openOidcProvider } from '../../e2e/rigs/oidc-provider.ts';
import { type Browser, call, openRig, type Rig } from './app.testing.ts';
import { UNUSABLE_NAME } from './services/identity/sso/provider.ts';

const PUBLIC_URL = 'https://console.example.com';
const CALLBACK = '/v1/webapi/oidc/callback';
const FAILED = '/web/msg/error/login';

let rig: Rig;
let admin: Browser;
let provider: OidcProvider;
beforeAll(async () => {
  [rig, provider] = await Promise.all([openRig(), openOidcProvider(PUBLIC_URL + CALLBACK)]);
  await rig.addUser('admin', ['access', 'editor', 'auditor']);
  admin = await rig.signIn('admin');
  await connect('corp');
  await connect('other');
});
afterAll(async () => {
  provider.close();
  await rig.dispose();
});
beforeEach(async () => {
  provider.claims = { email: 'ann@example.com', email_verified: true, groups: ['dev', 'ops'] };
  // Whoever came in a test before is gone, and belongs to no connector.
  const before = await rig.store.users.get('ann@example.com');
  await rig.services.identity.sessions.endOf(before?.id ?? '');
});

const system = { user: 'system', rights: null };
const connect = (name: string, spec = {}) =>
  rig.services.connectors.create('oidc', oidcConnector(provider, name, spec), system);

const begin = (connector = 'corp', redirect = '/web/users?a=1') =>
  call(rig.app, {
    method: 'GET',
    url: `/v1/webapi/oidc/login/web?connector_id=${connector}&redirect_url=${encodeURIComponent(redirect)}`,
  });
const stateCookie = (headers: { readonly [name: string]: unknown }) =>
  /(__Host-postern_sso_\w+=\w+);.*HttpOnly; Secure; SameSite=Lax; Max-Age=300/.exec(
    String(headers['set-cookie']),
  )?.[1] ?? '';
const comeBack = (url: URL, cookie: string) => rig.app.inject({ url: url.pathname + url.search, headers: { cookie } });
/** What the page that a refused browser lands on says in place of its own words. */
const toldBy = ({ headers }: Awaited<ReturnType<typeof comeBack>>): string => {
  const told = /__Host-postern_refused=([\w-]+); Path=\/; Secure; SameSite=Lax; Max-Age=60/.exec(
    String(headers['set-cookie']),
  )?.[1];
  return Buffer.from(told ?? '', 'base64url').toString();
};
const landed = ({ headers, statusCode }: Awaited<ReturnType<typeof comeBack>>) => [statusCode, headers.location];
/** The whole way, until the gateway has answered. */
async function wholeWay(connector = 'corp', redirect?: string) {
  const left = await begin(connector, redirect);
  const cookie = stateCookie(left.headers);
  const back = await signInAtProvider(provider, String(left.headers.location), 'a-sub');
  return { back, cookie, answer: await comeBack(back, cookie) };
}
const sessionOf = ({ headers }: Awaited<ReturnType<typeof comeBack>>): string =>
  /__Host-session=([0-9a-f]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
/** What the audit log holds of sign-ins, the newest first. */
async function lastEvent(): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await admin.call('GET', '/v1/webapi/sites/here/events/search?include=user.login&limit=1');
  return (json as { events: Record<string, unknown>[] }).events[0] ?? {};
}
const users = async () =>
  ((await admin.call('GET', '/v1/webapi/users')).json as { name: string; roles: string[]; authType: string }[]).filter(
    ({ authType }) => authType !== 'local',
  );
/** The page as the session's browser gets it, and a call with its token. */
async function status(cookie: string): Promise<number> {
  const page = await call(rig.app, { method: 'GET', url: '/web', cookie });
  const token = /postern_bearer_token" content="([^"]+)"/.exec(page.body)?.[1];
  if (token === undefined) return 0;
  const bearer = (JSON.parse(atob(token)) as { token: string }).token;
  return (await call(rig.app, { method: 'GET', url: '/v1/webapi/sites/here/context', cookie, bearer })).status;
}

describe('OpenID Connect', () => {
  test('signs in with the roles that the claims give, and is there as long as the session', async () => {
    const { answer } = await wholeWay();
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('http-equiv="refresh" content="0; url=/web/users?a=1"');
    const cookie = sessionOf(answer);
    expect(await status(cookie)).toBe(200);
    expect(await users()).toMatchObject([
      { name: 'ann@example.com', roles: ['access'], authType: 'oidc', allTraits: { groups: ['dev', 'ops'] } },
    ]);
    expect(await lastEvent()).toMatchObject({ code: 'T1001I', user: 'ann@example.com', method: 'oidc', success: true });
    const ann = await rig.store.users.get('ann@example.com');
    await rig.services.identity.sessions.endOf(ann?.id ?? '');
    expect([await users(), await status(cookie)]).toEqual([[], 0]);
    // Whoever comes back is the same person: their preferences hang on the id.
    await wholeWay();
    expect((await rig.store.users.get('ann@example.com'))?.id).toBe(ann?.id);
  });

  test('keeps the roles that its connector gives: nobody makes it another user', async () => {
    await wholeWay();
    const body = { name: 'ann@example.com', roles: ['access', 'editor'], authType: 'local' };
    const said = 'ann@example.com comes by oidc connector corp, which gives roles and traits at each sign-in';
    for (const [method, path] of [
      ['PUT', 'users'],
      ['POST', 'users/check'],
    ] as const)
      expect(await admin.call(method, `/v1/webapi/${path}`, body)).toMatchObject({
        status: 400,
        json: { error: { message: expect.stringContaining(said) } },
      });
    expect(await users()).toMatchObject([{ roles: ['access'], authType: 'oidc' }]);
  });

  test('brings changed claims with the next sign-in', async () => {
    provider.claims = { ...provider.claims, groups: ['boss-1'] };
    await wholeWay();
    expect(await users()).toMatchObject([{ roles: ['editor'], allTraits: { groups: ['boss-1'] } }]);
  });

  test('leaves with PKCE, a nonce, a state, and our configured address', async () => {
    const { headers } = await begin();
    const { searchParams } = new URL(String(headers.location));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      redirect_uri: PUBLIC_URL + CALLBACK,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^.{20,}$/),
      state: expect.stringMatching(/^[0-9a-f]{64}$/),
      scope: 'openid email profile',
    });
  });

  test.each<[string, (way: { back: URL; cookie: string }) => Promise<unknown> | unknown, string, string]>([
    ['a state that nobody has', ({ back }) => back.searchParams.set('state', '0'.repeat(64)), '/callback', 'under way'],
    ['another code', ({ back }) => back.searchParams.set('code', 'x'), '/callback', 'grant request is invalid'],
    [
      'an issuer that it is not',
      ({ back }) => back.searchParams.set('iss', 'https://evil.example'),
      '/callback',
      '"iss"',
    ],
  ])('%s is refused, and the cause is in the log', async (_what, spoil, page, cause) => {
    const left = await begin();
    const cookie = stateCookie(left.headers);
    const back = await signInAtProvider(provider, String(left.headers.location), 'a-sub');
    await spoil({ back, cookie });
    const answer = await comeBack(back, cookie);
    expect(landed(answer)).toEqual([302, FAILED + page]);
    expect(sessionOf(answer)).toBe('');
    expect(await lastEvent()).toMatchObject({ code: 'T1001W', method: 'oidc', error: expect.stringContaining(cause) });
  });

  test('an answer counts once, in the browser that began, within five minutes', async () => {
    const first = await wholeWay();
    expect(landed(await comeBack(first.back, first.cookie))).toEqual([302, `${FAILED}/callback`]);
    const left = await begin();
    const back = await signInAtProvider(provider, String(left.headers.location), 'a-sub');
    expect(landed(await comeBack(back, ''))).toEqual([302, `${FAILED}/callback`]);
    expect(await lastEvent()).toMatchObject({ error: expect.stringContaining('another browser') });
    // It is used up by the attempt.
    expect(landed(await comeBack(back, stateCookie(left.headers)))).toEqual([302, `${FAILED}/callback`]);
    const late = await begin();
    const lateBack = await signInAtProvider(provider, String(late.headers.location), 'a-sub');
    rig.later(300_000);
    expect(landed(await comeBack(lateBack, stateCookie(late.headers)))).toEqual([302, `${FAILED}/callback`]);
    expect(await lastEvent()).toMatchObject({ error: expect.stringContaining('five minutes') });
    admin = await rig.signIn('admin');
  });

  test('an ID token for another nonce is refused', async () => {
    const left = await begin();
    const address = new URL(String(left.headers.location));
    address.searchParams.set('nonce', 'of-somebody-else-entirely');
    const back = await signInAtProvider(provider, address.href, 'a-sub');
    expect(landed(await comeBack(back, stateCookie(left.headers)))).toEqual([302, `${FAILED}/callback`]);
    expect(await lastEvent()).toMatchObject({ error: expect.stringContaining('"nonce"') });
  });

  test('whoever cancels is told so, and it is in the log', async () => {
    const left = await begin();
    const back = await signInAtProvider(provider, String(left.headers.location));
    expect(landed(await comeBack(back, stateCookie(left.headers)))).toEqual([302, `${FAILED}/callback`]);
    expect(await lastEvent()).toMatchObject({ error: expect.stringContaining('End-User aborted') });
  });

  test.each<[string, object, string]>([
    ['no group that gives a role', { groups: ['none'] }, 'gives ann@example.com a role'],
    ['no groups at all', { groups: undefined }, 'gives ann@example.com a role'],
    ['an address that is not verified', { email_verified: false }, 'has not verified'],
    ['no address', { email: undefined }, 'no claim "email"'],
    ['the name of a local user', { email: 'Admin' }, 'a local user'],
    ['a name of the gateway', { email: 'system:x' }, "gateway's own"],
    ['a name with a space', { email: 'a b' }, 'spaces'],
  ])('%s: nobody is signed in', async (_what, claims, cause) => {
    provider.claims = { ...provider.claims, ...claims };
    const { answer } = await wholeWay();
    expect([landed(answer), sessionOf(answer)]).toEqual([[302, `${FAILED}/auth`], '']);
    expect(await lastEvent()).toMatchObject({ code: 'T1001W', error: expect.stringContaining(cause) });
  });

  test('whoever is locked is told by the lock, and the cause is in the log', async () => {
    const { name } = await rig.services.locks.add(
      { targets: { user: 'ann@example.com' }, message: 'left läptop in a taxi', ttl: '' },
      system,
    );
    const { answer } = await wholeWay();
    expect([landed(answer), sessionOf(answer)]).toEqual([[302, `${FAILED}/auth`], '']);
    const words = 'Your access is locked: left läptop in a taxi';
    expect(toldBy(answer)).toBe(words);
    expect(await lastEvent()).toMatchObject({ code: 'T1001W', error: `ann@example.com: ${words}` });
    await rig.services.locks.remove(name, system);
  });

  test('a name belongs to the connector that it came by', async () => {
    await wholeWay('corp');
    const { answer } = await wholeWay('other');
    // The page's own words are of roles, which are not what is missing.
    expect([landed(answer), toldBy(answer)]).toEqual([[302, `${FAILED}/auth`], UNUSABLE_NAME]);
    expect(await lastEvent()).toMatchObject({ error: expect.stringContaining("somebody else's") });
    const before = await rig.store.users.get('ann@example.com');
    await rig.services.identity.sessions.endOf(before?.id ?? '');
    await wholeWay('other');
    expect((await rig.store.users.get('ann@example.com'))?.id).not.toBe(before?.id);
  });

  test('a connector that is not there, and a provider that nobody vouches for, end on the page that says so', async () => {
    expect((await begin('nobody')).headers.location).toBe(FAILED);
    expect(await lastEvent()).toMatchObject({ error: 'there is no oidc connector "nobody"' });
    await connect('stranger', { ca_cert: undefined });
    expect((await begin('stranger')).headers.location).toBe(FAILED);
    expect(await lastEvent()).toMatchObject({ error: expect.stringContaining('self-signed certificate') });
  });
});

describe('a command line', () => {
  const verifier = 'a'.repeat(64);
  const challenge = createHash('sha256').update(verifier).digest('hex');
  const leave = (redirect: string, asked = challenge) =>
    call(rig.app, {
      method: 'GET',
      url: `/v1/webapi/oidc/login/console?connector_id=corp&code_challenge=${asked}&redirect_url=${encodeURIComponent(redirect)}`,
    });
  const csrf = 'c'.repeat(64);
  const exchange = (code: string, shown = verifier) =>
    call(rig.app, {
      method: 'POST',
      url: '/v1/webapi/sessions/code',
      body: { code, verifier: shown },
      headers: { cookie: `__Host-postern_csrf=${csrf}`, 'x-csrf-token': csrf },
    });
  async function codeOf(): Promise<string> {
    const { headers } = await leave('http://127.0.0.1:4711/back?state=1');
    const back = await signInAtProvider(provider, String(headers.location), 'a-sub');
    const answer = await comeBack(back, stateCookie(headers));
    expect(sessionOf(answer)).toBe('');
    const told = /url=(http:[^"]*)"/.exec(answer.body)?.[1];
    const { origin, pathname, searchParams } = new URL(
      told?.replace(/&#(\d+);/g, (_all, at: string) => String.fromCharCode(Number(at))) ?? '',
    );
    expect([origin, pathname, searchParams.get('state')]).toEqual(['http://127.0.0.1:4711', '/back', '1']);
    return searchParams.get('code') ?? '';
  }

  test('gets a session for the code that the browser brings to its own port, once, with its verifier', async () => {
    const code = await codeOf();
    const { status: answered, json } = await exchange(code);
    expect([answered, json]).toMatchObject([200, { type: 'bearer' }]);
    expect(await lastEvent()).toMatchObject({ code: 'T1001I', user: 'ann@example.com', method: 'oidc' });
    expect((await exchange(code)).status).toBe(403);
    const other = await codeOf();
    expect((await exchange(other, 'b'.repeat(64))).status).toBe(403);
    expect((await exchange(other)).status).toBe(403);
    const late = await codeOf();
    rig.later(60_000);
    expect((await exchange(late)).status).toBe(403);
    expect(await lastEvent()).toMatchObject({ code: 'T1001W', error: expect.stringContaining('is over') });
  });

  test('begins only with a challenge and at a port of its own', async () => {
    for (const { status: answered, headers } of [
      await leave('http://evil.com:80/'),
      await leave('http://127.0.0.1:80/', 'x'),
    ]) {
      expect([answered, headers.location]).toEqual([302, FAILED]);
      expect(await lastEvent()).toMatchObject({ error: expect.stringContaining('a command line') });
    }
  });
});

describe('a test of a connector', () => {
  const ask = (method: string, path: string, body?: unknown) =>
    admin.call(method, `/v1/webapi/signin/test${path}`, body);
  /** The whole way of a test. */
  async function tried(connector: string) {
    const { id, url } = (await ask('POST', '', { kind: 'oidc', name: connector })).json as { id: string; url: string };
    expect((await ask('GET', `/${id}`)).json).toEqual({ done: false });
    const left = await call(rig.app, { method: 'GET', url });
    if (String(left.headers.location).startsWith('/')) return { id, url, answer: null };
    const back = await signInAtProvider(provider, String(left.headers.location), 'a-sub');
    return { id, url, answer: await comeBack(back, stateCookie(left.headers)) };
  }

  test('says what the provider says and which roles that gives, and signs nobody in', async () => {
    const before = await users();
    provider.claims = { email: 'zoe@example.com', groups: ['boss-2'] };
    const { id, url, answer } = await tried('corp');
    expect([answer?.body.includes('/web/msg/info/login_close'), answer && sessionOf(answer)]).toEqual([true, '']);
    expect((await ask('GET', `/${id}`)).json).toMatchObject({
      done: true,
      user: 'zoe@example.com',
      roles: ['editor'],
      attributes: { email: ['zoe@example.com'], groups: ['boss-2'] },
    });
    expect(await lastEvent()).toMatchObject({ code: 'T1010I', user: 'zoe@example.com', method: 'oidc' });
    expect(await users()).toEqual(before);
    // Both the ticket and the answer are used up.
    expect((await call(rig.app, { method: 'GET', url })).headers.location).toBe(FAILED);
    expect((await ask('GET', `/${id}`)).json).toEqual({ done: false });
  });

  test('shows the traits after the login rules, and a rule that fails', async () => {
    const rule = async (traits: string) => {
      const content = `kind: login_rule\nversion: v1\nmetadata: {name: local}\nspec: {priority: 0, traits_map: {logins: [${traits}]}}\n`;
      expect((await rig.declared.apply([{ name: 'rule.yaml', content }], { by: 'root' })).problems).toEqual([]);
    };
    provider.claims = { email: 'zoe@example.com', groups: ['boss-2'] };
    try {
      await rule("'email.local(external.email)'");
      const { id } = await tried('corp');
      expect((await ask('GET', `/${id}`)).json).toMatchObject({ loginRules: ['local'], traits: { logins: ['zoe'] } });
      await rule(`'regexp.replace(external.email, ".*", "${'x'.repeat(300)}")'`);
      const failed = await tried('corp');
      expect((await ask('GET', `/${failed.id}`)).json).toMatchObject({
        refused: expect.stringContaining('login rule "local" failed: it gives trait logins a value of more than 255'),
      });
    } finally {
      await rig.declared.remove('login_rule', 'local', 'root');
    }
  });

  test('says what would be refused, and why the provider cannot be asked', async () => {
    provider.claims = { email: 'zoe@example.com', groups: ['none'] };
    const { id } = await tried('corp');
    expect((await ask('GET', `/${id}`)).json).toMatchObject({
      refused: expect.stringContaining('gives zoe@example.com a role'),
      attributes: { groups: ['none'] },
    });
    expect(await lastEvent()).toMatchObject({ code: 'T1011W' });
    const stranger = await tried('stranger');
    expect((await ask('GET', `/${stranger.id}`)).json).toMatchObject({
      refused: expect.stringContaining('self-signed'),
    });
  });

  test('is for whoever may change it', async () => {
    await rig.addUser('viewer', ['access']);
    const viewer = await rig.signIn('viewer');
    const asked = { kind: 'oidc', name: 'corp' };
    expect((await viewer.call('POST', '/v1/webapi/signin/test', asked)).status).toBe(403);
    expect((await ask('POST', '', { ...asked, name: 'nobody' })).status).toBe(404);
  });
});

test.each(['//evil.com/web', 'https://evil.com/web/users', '/web/login', 'javascript:alert(1)'])(
  'the redirect_url %j leads to a page of ours',
  async link => {
    const { headers } = await begin('other', link);
    const back = await signInAtProvider(provider, String(headers.location), 'a-sub');
    const { body } = await comeBack(back, stateCookie(headers));
    const told = /content="0; url=([^"]*)"/
      .exec(body)?.[1]
      ?.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
    const url = new URL(told ?? '', PUBLIC_URL);
    expect([url.origin, /^\/web(\/|$)/.test(url.pathname), told?.startsWith('/web')]).toEqual([PUBLIC_URL, true, true]);
    expect(url.pathname).not.toMatch(/^\/web\/(login|invite|reset|msg|app|config\.js)/);
  },
);

test.each([
  ['GET', '/v1/webapi/saml/sso?connector_id=nobody&redirect_url=/web', FAILED],
  ['GET', '/v1/webapi/saml/login/web?connector_id=x&redirect_url=/web', FAILED],
  ['GET', '/v1/webapi/github/login/web', FAILED],
  ['GET', '/webapi/github/login/web', FAILED],
  ['GET', '/v1/webapi/oidc/callback?code=1&state=2', `${FAILED}/callback`],
  ['GET', '/v1/webapi/oidc/callback', `${FAILED}/callback`],
  ['GET', '/v1/webapi/github/callback?error=access_denied', `${FAILED}/callback`],
  ['POST', '/v1/webapi/saml/acs', `${FAILED}/callback`],
] as const)('%s %s leads to %s and nowhere else', async (method, url, page) => {
  for (const length of [4096, 10_000_000]) {
    const { statusCode, headers } = await rig.app.inject({
      method,
      url,
      ...(method === 'POST' && {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `SAMLResponse=${'x'.repeat(length)}`,
      }),
    });
    expect([statusCode, headers.location, String(headers['set-cookie']).includes('__Host-session')]).toEqual([
      302,
      page,
      false,
    ]);
  }
});
