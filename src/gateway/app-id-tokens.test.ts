// Joining by what somebody else says of a machine: GitHub, GitLab and Kubernetes, each by a double of its issuer over HTTPS.
import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IdTokenIssuer, openIdTokenIssuer } from '../../e2e/rigs/id-token-issuer.ts';
import { type Answer, type Browser, call, openRig, type Rig } from './app.testing.ts';
import { matches } from './services/tokens/rules.ts';

let rig: Rig;
let ann: Browser;
let github: IdTokenIssuer;
let gitlab: IdTokenIssuer;
let cluster: IdTokenIssuer;
let offset = 0;
const now = (): Date => new Date(Date.now() + offset);
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['editor', 'auditor'], []);
  ann = await rig.signIn('ann');
  github = await openIdTokenIssuer({ path: '/_services/token', now });
  [gitlab, cluster] = await Promise.all([openIdTokenIssuer({ now }), openIdTokenIssuer({ path: '/id/1', now })]);
  const apply = (content: string) => rig.declared.apply([{ name: 't.yaml', content }], { by: 'ann' });
  const tokens = [
    {
      name: 'hub',
      join_method: 'github',
      github: {
        enterprise_server_host: github.host,
        ca_cert: github.ca,
        allow: [
          { repository: 'acme/shop', ref: 'refs/heads/main' },
          { repository_owner: 'acme', environment: 'production', workflow: 'deploy' },
        ],
      },
    },
    {
      name: 'lab',
      join_method: 'gitlab',
      gitlab: {
        domain: gitlab.host,
        ca_cert: gitlab.ca,
        allow: [{ project_path: 'acme/shop', ref: 'release-*', ref_protected: true }],
      },
    },
    {
      name: 'pods',
      join_method: 'kubernetes',
      kubernetes: {
        oidc: { issuer: cluster.issuer, ca_cert: cluster.ca },
        allow: [{ service_account: 'build:runner' }],
      },
    },
    {
      name: 'fixed',
      join_method: 'kubernetes',
      kubernetes: { static_jwks: { jwks: await cluster.keys() }, allow: [{ service_account: 'build:runner' }] },
    },
  ];
  const bot = { kind: 'bot', version: 'v1', metadata: { name: 'ci' }, spec: { roles: ['access'] } };
  const documents = tokens.map(({ name, ...spec }) => ({
    kind: 'token',
    version: 'v2',
    metadata: { name },
    spec: { roles: ['Bot'], bot_name: 'ci', ...spec },
  }));
  expect((await apply([bot, ...documents].map(one => JSON.stringify(one)).join('\n---\n'))).problems).toEqual([]);
}, 60_000);
afterAll(async () => {
  for (const one of [github, gitlab, cluster]) one?.close();
  await rig.dispose();
});
beforeEach(() => {
  offset = 0;
});

const CSRF = 'c'.repeat(64);
const publicKey = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? '';
const join = (token: string, idToken?: string): Promise<Answer> =>
  call(rig.app, {
    method: 'POST',
    url: '/v1/webapi/bots/join',
    body: { token, publicKey, ...(idToken !== undefined && { idToken }) },
    headers: { cookie: `__Host-postern_csrf=${CSRF}`, 'x-csrf-token': CSRF },
  });
const said = ({ status, json }: Answer): string =>
  status === 200 ? 'in' : ((json as { error?: { message?: string } }).error?.message ?? String(status));
const shop = {
  sub: 'repo:acme/shop:ref:refs/heads/main',
  repository: 'acme/shop',
  repository_owner: 'acme',
  ref: 'refs/heads/main',
};
const release = {
  sub: 'project_path:acme/shop:ref_type:branch:ref:release-7',
  project_path: 'acme/shop',
  ref: 'release-7',
  ref_protected: 'true',
};
const pod = {
  sub: 'system:serviceaccount:build:runner',
  'kubernetes.io': { namespace: 'build', pod: { name: 'runner-0' }, serviceaccount: { name: 'runner' } },
};

describe('by the rules of a token', () => {
  test.each([
    ['hub', shop, true],
    ['hub', { ...shop, ref: 'refs/heads/evil' }, false],
    ['hub', { ...shop, repository: 'acme/shop-2' }, false],
    ['hub', { ...shop, repository: 'ACME/shop' }, false],
    ['hub', { sub: 'x', repository_owner: 'acme', environment: 'production', workflow: 'deploy' }, true],
    ['hub', { sub: 'x', repository_owner: 'acme', environment: 'production' }, false],
    ['lab', release, true],
    ['lab', { ...release, ref_protected: 'false' }, false],
    ['lab', { ...release, ref: 'prerelease-7' }, false],
    ['lab', { ...release, project_path: 'eve/shop' }, false],
    ['pods', pod, true],
    ['pods', { ...pod, sub: 'system:serviceaccount:build:other' }, false],
    ['pods', { ...pod, 'kubernetes.io': { namespace: 'build', serviceaccount: { name: 'runner' } } }, false],
    ['pods', { ...pod, 'kubernetes.io': { ...pod['kubernetes.io'], namespace: 'default' } }, false],
    ['fixed', pod, true],
  ])('%s with %j', async (token, claims, isIn) => {
    const issuer = { hub: github, lab: gitlab, pods: cluster, fixed: cluster }[token] ?? github;
    const answer = said(await join(token, await issuer.token(claims)));
    if (isIn) expect(answer).toBe('in');
    else expect(answer).toMatch(/^no rule of this join token lets/);
  });
});

describe('by the token itself', () => {
  const at = () => Math.floor(now().getTime() / 1000);
  test.each([
    ['for another audience', () => ({ aud: 'there' }), 'its audience must be "here"'],
    ['of another issuer', () => ({ iss: 'https://token.example.com' }), 'another issuer made it'],
    ['that has expired', () => ({ iat: at() - 900, nbf: at() - 900, exp: at() - 120 }), 'it has expired'],
    ['that does not count yet', () => ({ nbf: at() + 600 }), 'a clock is wrong'],
    ['without an end', () => ({ exp: null }), 'claim exp is missing'],
    ['without a subject', () => ({ sub: null }), 'claim sub is missing'],
    ['without an id', () => ({ jti: null }), 'claim jti is missing'],
    ['that counts for a week', () => ({ exp: at() + 7 * 86_400 }), 'more than a day'],
  ])('one %s is refused', async (_what, claims, words) => {
    expect(said(await join('hub', await github.token({ ...shop, ...claims() })))).toContain(words);
  });
  test.each([-50, 50])('a clock that is %d s off does no harm', async seconds => {
    const to = at() + seconds;
    expect(said(await join('hub', await github.token({ ...shop, iat: to, nbf: to, exp: to + 40 })))).toBe('in');
  });

  test('it counts once at GitHub and GitLab, also for two that show it together; a pod shows the same again', async () => {
    const token = await github.token(shop);
    const all = (await Promise.all([join('hub', token), join('hub', token)])).map(said);
    expect(all.toSorted()).toEqual(['in', 'the ID token is not taken: it has been used before']);
    expect(said(await join('hub', token))).toContain('used before');
    const ofPod = await cluster.token(pod);
    expect([said(await join('pods', ofPod)), said(await join('pods', ofPod))]).toEqual(['in', 'in']);
  });

  test('a changed, an unsigned and a self-signed one prove nothing', async () => {
    const [head = '', body = '', signature = ''] = (await github.token(shop)).split('.');
    const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const other = encoded({ ...claims, repository: 'acme/shop', actor: 'eve' });
    expect(said(await join('hub', `${head}.${other}.${signature}`))).toContain('its signature is wrong');
    expect(said(await join('hub', `${encoded({ alg: 'none', typ: 'JWT' })}.${body}.`))).toMatch(
      /signed in a way|cannot be read/,
    );
    // The public key as the secret of an HMAC: the oldest trick.
    const hmac = `${encoded({ alg: 'HS256', typ: 'JWT', kid: 'k1' })}.${body}`;
    const mac = createHmac('sha256', await github.keys())
      .update(hmac)
      .digest('base64url');
    expect(said(await join('hub', `${hmac}.${mac}`))).toContain('signed in a way that proves nothing');
    expect(said(await join('hub', await gitlab.token({ ...shop, iss: github.issuer })))).toMatch(/signature is wrong/);
    for (const text of ['', 'x', 'a.b', 'a.b.c', '..', 'e30.e30.e30'])
      expect([text, said(await join('hub', text))]).not.toEqual([text, 'in']);
    expect(said(await join('hub'))).toContain('an ID token of github must be shown with it');
    expect(said(await join('hub.secret'))).toContain('cannot be read');
  });

  test('keys that have turned are asked for again, and not for every key that nobody knows', async () => {
    await join('lab', await gitlab.token(release));
    const before = gitlab.asked();
    await gitlab.rotate();
    const unknown = await gitlab.token({ ...release, jti: 'turned' });
    expect(said(await join('lab', unknown))).toContain('no key of its issuer');
    expect(gitlab.asked()).toBe(before);
    offset = 31_000;
    rig.later(31_000);
    expect(said(await join('lab', await gitlab.token(release)))).toBe('in');
    expect(gitlab.asked()).toBe(before + 1);
    expect(said(await join('fixed', await cluster.token(pod)))).toBe('in');
  });
});

test('an issuer that calls itself something else, or whose keys cannot be had, vouches for nobody', async () => {
  const liar = await openIdTokenIssuer({ now });
  try {
    const spec = { roles: ['Bot'], bot_name: 'ci', join_method: 'gitlab' };
    const token = (name: string, ca: string) => ({
      kind: 'token',
      version: 'v2',
      metadata: { name },
      spec: { ...spec, gitlab: { domain: liar.host, ca_cert: ca, allow: [{ project_path: 'acme/shop' }] } },
    });
    const content = [token('liar', liar.ca), token('stranger', gitlab.ca)]
      .map(one => JSON.stringify(one))
      .join('\n---\n');
    expect((await rig.declared.apply([{ name: 't.yaml', content }], { by: 'ann' })).problems).toEqual([]);
    liar.callItself('https://gitlab.com');
    const shown = await liar.token(release);
    const refused = await join('liar', shown);
    expect([refused.status, said(refused)]).toEqual([
      503,
      expect.stringContaining('it calls itself "https://gitlab.com"'),
    ]);
    expect(said(await join('stranger', shown))).toContain('cannot be had');
    liar.callItself(liar.issuer);
    expect(said(await join('liar', await liar.token(release)))).toBe('in');
  } finally {
    liar.close();
  }
});

test('the audit log says which run joined, and nothing of the token that proved it', async () => {
  const token = await github.token({ ...shop, run_id: '4711', actor: 'octo' });
  expect(said(await join('hub', token))).toBe('in');
  const { json, body } = await ann.call('GET', '/v1/webapi/sites/-current-/events/search?include=bot.join');
  const { events } = json as { events: readonly object[] };
  expect(events).toContainEqual(
    expect.objectContaining({
      ...{ code: 'TJ001I', bot_name: 'ci', method: 'github', token_name: 'hub' },
      attributes: expect.objectContaining({ repository: 'acme/shop', run_id: '4711', actor: 'octo' }),
    }),
  );
  expect(body).not.toContain(token.split('.')[1]);
  expect(rig.log.join('\n')).not.toContain(token.split('.')[1]);
});

test('a machine joins by the script with an ID token, as with a secret', async () => {
  const spec = {
    roles: ['App'],
    join_method: 'github',
    github: { enterprise_server_host: github.host, ca_cert: github.ca, allow: [{ repository: 'acme/shop' }] },
  };
  const content = JSON.stringify({ kind: 'token', version: 'v2', metadata: { name: 'apps' }, spec });
  expect((await rig.declared.apply([{ name: 't.yaml', content }], { by: 'ann' })).problems).toEqual([]);
  const script = await rig.app.inject({ url: '/scripts/apps/install-app.sh?name=shop&uri=http://127.0.0.1:8080' });
  expect(script.body).toContain("audience='here'");
  expect((await rig.app.inject({ url: '/scripts/nobody/install-app.sh' })).body).toContain('not known here');
  const tunnelKey = `ssh-ed25519 ${createHash('sha256').update('x').digest('base64')}`;
  const form = (idToken: string) => ({
    method: 'POST' as const,
    url: '/scripts/apps/join',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      role: 'App',
      name: 'shop',
      uri: 'http://127.0.0.1:8080',
      tunnelKey,
      idToken,
    }).toString(),
  });
  const refused = await rig.app.inject(form(await github.token({ ...shop, repository: 'eve/shop' })));
  expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('no rule')]);
  const joined = await rig.app.inject(form(await github.token(shop)));
  expect([joined.statusCode, joined.body]).toEqual([200, expect.stringContaining('name shop')]);
  const { json } = await ann.call('GET', '/v1/webapi/sites/-current-/events/search?include=instance.join');
  expect((json as { events: readonly object[] }).events).toContainEqual(
    expect.objectContaining({
      method: 'github',
      node_name: 'shop',
      attributes: expect.objectContaining({ repository: 'acme/shop' }),
    }),
  );
});

test.each([
  ['release-*', 'release-', true],
  ['*', '', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-b-c-d', false],
  ['v?.?', 'v1.2', true],
  ['v?.?', 'v10.2', false],
  ['[a-z].+', 'x', false],
  [`${'*a'.repeat(200)}b`, 'a'.repeat(1000), false],
])('the pattern %s takes %s: %s', (pattern, text, isIt) => expect(matches(pattern, text)).toBe(isIt));
