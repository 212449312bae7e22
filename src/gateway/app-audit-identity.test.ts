// Every audit event about people, what they may do and how they come in: a real gateway is made to write each, and the list's line names what it must.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type GitHubDouble, githubConnector, openGitHubDouble, passGitHub } from '../../e2e/rigs/github-double.ts';
import { auditCode, auditCodes } from '../contract/audit-codes.ts';
import { describe as line } from '../contract/audit-text.ts';
import { renewalText } from '../contract/bots.ts';
import type { Challenge } from '../contract/mfa.ts';
import { type Browser, CLUSTER, call, HOST_KEY, PASSWORD, type Rig } from './app.testing.ts';
import { base64, said, withFactors } from './app-factors.testing.ts';

type Kit = Parameters<Parameters<typeof withFactors>[1]>[0] extends () => infer K ? K : never;
type Raw = Readonly<Record<string, unknown>>;

/** Fields that many events share, by the name that the catalogue gives them. */
const shared = {
  meta: 'ei event uid code time cluster_name',
  user: 'user login impersonator aws_role_arn access_requests azure_identity gcp_service_account trusted_device',
  conn: 'addr.local addr.remote proto',
  status: 'success error message',
  resource: 'name expires updated_by ttl',
  mfa: 'mfa_device_name mfa_device_uuid mfa_device_type',
} as const;
const login = '@meta @user @status method attributes mfa_device user_agent @conn applied_login_rules';
const headless = '@meta @user @status method @conn user_agent';
const named = '@meta @resource @user';
const challenged = '@meta @user @status @mfa';

/** Code, type, fields that it may hold, and fields that it must hold: those that its line in a list names. */
const catalogue = [
  ['T3007W', 'auth', '@meta @user @conn @status', 'user error'],
  ['T1000I', 'user.login', login, 'user'],
  ['T1000W', 'user.login', login, 'user error'],
  ['T1001I', 'user.login', login, 'user'],
  ['T1001W', 'user.login', login, 'error'],
  ['T1010I', 'user.login', login, 'user'],
  ['T1011W', 'user.login', login, 'error'],
  ['T1012I', 'user.login', headless, 'user'],
  ['T1013I', 'user.login', headless, 'user'],
  ['T1013W', 'user.login', headless, 'user error'],
  ['T1014W', 'user.login', headless, 'user'],
  ['TC000I', 'cert.create', '@meta cert_type identity', 'cert_type identity.user'],
  ['TCB00W', 'cert.generation_mismatch', '@meta @user', 'user'],
  ['TB001I', 'bot.create', named, 'user name'],
  ['TB002I', 'bot.update', named, 'user name'],
  ['TB003I', 'bot.delete', named, 'user name'],
  ['T8000I', 'github.created', named, 'user name'],
  ['T8001I', 'github.deleted', named, 'user name'],
  ['T8002I', 'github.updated', named, 'user name'],
  ['T8100I', 'oidc.created', named, 'user name'],
  ['T8101I', 'oidc.deleted', named, 'user name'],
  ['T8102I', 'oidc.updated', named, 'user name'],
  ['T8200I', 'saml.created', named, 'user name'],
  ['T8201I', 'saml.deleted', named, 'user name'],
  ['T8202I', 'saml.updated', named, 'user name'],
  ['TLK00I', 'lock.created', `${named} target`, 'user name'],
  ['TLK01I', 'lock.deleted', named, 'user name'],
  ['T1006I', 'mfa.add', '@meta @user @mfa', 'user mfa_device_name mfa_device_type'],
  ['T1007I', 'mfa.delete', '@meta @user @mfa', 'user mfa_device_name mfa_device_type'],
  ['T1008I', 'recovery_code.generated', '@meta @user', 'user'],
  ['T1009I', 'recovery_code.used', '@meta @user @status', 'user'],
  ['T1009W', 'recovery_code.used', '@meta @user @status', 'user'],
  ['T9000I', 'role.created', named, 'user name'],
  ['T9001I', 'role.deleted', named, 'user name'],
  ['T9002I', 'role.updated', named, 'user name'],
  ['T6000I', 'reset_password_token.create', named, 'name user'],
  ['T6001I', 'recovery_token.create', named, 'name'],
  ['T6002I', 'privilege_token.create', named, 'name'],
  ['TLR00I', 'login_rule.create', named, 'user name'],
  ['TLR01I', 'login_rule.delete', named, 'user name'],
  ['TJT00I', 'join_token.create', `${named} roles join_method`, 'user roles join_method'],
  ['T1002I', 'user.create', `${named} roles connector`, 'name'],
  ['T1003I', 'user.update', `${named} roles connector`, 'name'],
  ['T1004I', 'user.delete', named, 'name'],
  ['T1005I', 'user.password_change', '@meta @user', 'user'],
  ['T1015I', 'mfa_auth_challenge.create', challenged, 'user'],
  ['T1016I', 'mfa_auth_challenge.validate', challenged, 'user'],
  ['T1016W', 'mfa_auth_challenge.validate', challenged, 'user'],
] as const;

/** Groups of the catalogue that are about people, and whose every code stands above or below. */
const groups = ['User', 'Sign-in', 'Authentication', 'Second factor', 'Recovery codes', 'Token', 'Role', 'Lock'].concat(
  ['Connector: GitHub', 'Connector: OIDC', 'Connector: SAML', 'Login rule', 'Bot', 'Certificate'],
);
/** Codes that are ours: no other catalogue has them. */
const ours = ['TAP00I', 'TJT01I'];

const settings = { secondFactor: 'optional', allowPasswordless: true, recoveryCodes: true } as const;
const yaml = (name: string) => `kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: {allow: {logins: [x]}}\n`;
const oidc = (display: string) =>
  `kind: oidc\nversion: v3\nmetadata: {name: corp}\nspec: {display: ${display}, issuer_url: 'https://login.example.com', client_id: a, client_secret: b, claims_to_roles: [{claim: groups, value: dev, roles: [access]}]}\n`;
const saml = (display: string) =>
  `kind: saml\nversion: v2\nmetadata: {name: idp}\nspec: {display: ${display}, issuer: 'https://idp.example.com', sso: 'https://idp.example.com/sso', cert: "-----BEGIN CERTIFICATE-----\\nAA==\\n-----END CERTIFICATE-----", attributes_to_roles: [{name: groups, value: dev, roles: [access]}]}\n`;

/** Makes, changes and deletes one of what is written as YAML. */
async function cycle(ann: Browser, kind: string, name: string, first: string, second: string): Promise<void> {
  const path = `/v1/webapi/${kind}`;
  expect(said(await ann.call('POST', path, { content: first }))).toBe('200 ok');
  expect(said(await ann.call('PUT', `${path}/${name}`, { content: second }))).toBe('200 ok');
  expect(said(await ann.call('DELETE', `${path}/${name}`))).toBe('200 ok');
}

/** What an administrator does. */
async function administer(ann: Browser): Promise<void> {
  const api = (method: string, path: string, body?: unknown) => ann.call(method, `/v1/webapi/${path}`, body);
  await cycle(ann, 'roles', 'temp', yaml('temp'), yaml('temp').replace('[x]', '[y]'));
  await cycle(ann, 'oidc', 'corp', oidc('Corp'), oidc('Other'));
  await cycle(ann, 'saml', 'idp', saml('Idp'), saml('Other'));
  await api('POST', 'users', { name: 'kim', roles: ['access'] });
  await api('POST', 'users/password/token', { name: 'kim', type: 'invite' });
  await api('PUT', 'users', { name: 'kim', roles: ['auditor'] });
  await api('DELETE', 'users/kim');
  await api('POST', 'token', { roles: ['Node'] });
  const targets = { login: 'nobody' };
  const { name } = (await api('PUT', `sites/${CLUSTER}/locks`, { targets, message: '', ttl: '1h' })).json as {
    name: string;
  };
  await api('DELETE', `sites/${CLUSTER}/locks/${name}`);
  await api('POST', `sites/${CLUSTER}/ssh/certificate`, { publicKey: HOST_KEY });
}

/** A login rule is written and taken away. */
async function ruleLogins({ declared }: Rig): Promise<void> {
  const content =
    'kind: login_rule\nversion: v1\nmetadata: {name: all}\nspec: {priority: 0, traits_expression: external}\n';
  expect((await declared.apply([{ name: 'rule.yaml', content }], { by: 'ann' })).problems).toEqual([]);
  await declared.remove('login_rule', 'all', 'ann');
}

/** A bot is made, changed, copied by somebody and removed. */
async function copyBot({ post }: Kit, ann: Browser): Promise<void> {
  const made = await ann.call('POST', '/v1/webapi/bots', { name: 'ci', roles: ['access'] });
  expect(said(made)).toBe('200 ok');
  expect(said(await ann.call('PUT', '/v1/webapi/bots/ci', { roles: ['auditor'] }))).toBe('200 ok');
  const keys = [0, 1, 2].map(() => generateKeyPairSync('ed25519'));
  const [first, ...more] = keys.map(({ publicKey }) => publicKey.export({ format: 'jwk' }).x ?? '');
  const { token } = made.json as { token: { id: string } };
  const joined = await post('bots/join', { token: token.id, publicKey: first });
  const { instance } = joined.json as { instance: string };
  for (const publicKey of more) {
    const text = Buffer.from(renewalText({ instance, generation: 1, publicKey }));
    const signature = sign(null, text, keys[0]?.privateKey ?? '').toString('base64url');
    await post('bots/renew', { instance, generation: 1, publicKey, signature });
  }
  expect(said(await ann.call('DELETE', '/v1/webapi/bots/ci'))).toBe('200 ok');
}

/** What a person does with password, key and recovery codes. */
async function spendFactors(kit: Kit): Promise<void> {
  const { enrolled, withKey, enter, begin, finish, post, register, put } = kit;
  const { user, key, recovery } = await enrolled('webauthn');
  await enter(user, '000000');
  await enter('nobody', undefined, 'wrong');
  const browser = await withKey(user, key);
  // A key's answer to a question that was asked of nobody.
  await finish(user, key.get({ ...((await begin(user)).json as Challenge) }));
  const assertion = async () =>
    key.get((await browser.call('POST', 'mfa/authenticatechallenge', {})).json as Challenge);
  await browser.call('POST', 'users/privilege/token', { secondFactorToken: '000000' });
  const privilege = async () =>
    (await browser.call('POST', 'users/privilege/token', { webauthnAssertionResponse: await assertion() }))
      .json as string;
  const token = await privilege();
  const add = ({ code }: { code?: string }) =>
    browser.call('POST', 'mfa/devices', { tokenId: token, deviceName: 'phone', secondFactorToken: code });
  const { answer } = await register(token, 'totp', device => add(device));
  expect(said(answer)).toBe('200 ok');
  expect(said(await browser.call('DELETE', `mfa/token/${await privilege()}/devices/phone`))).toBe('200 ok');
  const asked = (await browser.call('POST', 'mfa/authenticatechallenge/password', { pass: base64(PASSWORD) }))
    .json as Challenge;
  const change = { old_password: base64(PASSWORD), new_password: base64(`${PASSWORD}!`) };
  const changed = { ...change, webauthnAssertionResponse: key.get(asked) };
  expect(said(await browser.call('PUT', 'users/password', changed))).toBe('200 ok');
  const { codes } = (recovery as { recovery: { codes: string[] } }).recovery;
  await post('users/recovery', { user, code: 'postern-not-one', lost: 'password' });
  expect(said(await post('users/recovery', { user, code: codes[0], lost: 'device' }))).toBe('200 ok');
  await put('users/recovery', { token: 'none', password: base64(PASSWORD) });
}

/** A machine without a browser asks three times: once it is approved, once the key is missing, once it is refused. */
async function headlessly(kit: Kit): Promise<void> {
  const { user, key } = await kit.enrolled('webauthn');
  const browser = await kit.withKey(user, key);
  const answer = async (given: (id: string) => Promise<unknown>) => {
    const verifier = randomBytes(32).toString('hex');
    const id = createHash('sha256').update(verifier).digest('hex');
    const asked = kit.post('headless/login', { user, verifier });
    await browser.call('GET', `headless/${id}`);
    await given(id);
    return asked;
  };
  const assertion = async () =>
    key.get((await browser.call('POST', 'mfa/authenticatechallenge', {})).json as Challenge);
  await answer(async id => {
    await browser.call('PUT', `headless/${id}`, { action: 'accept' });
    await browser.call('PUT', `headless/${id}`, { action: 'accept', webauthnAssertionResponse: await assertion() });
  });
  await answer(id => browser.call('PUT', `headless/${id}`, { action: 'denied' }));
}

/** Through GitHub: one who gets in, one who does not, and both again as a test. */
async function throughGitHub({ rig }: Kit, ann: Browser, github: GitHubDouble): Promise<void> {
  const content = githubConnector(github, 'hub');
  await cycle(ann, 'github', 'hub', content, content.replace('"spec":{', '"spec":{"display":"Hub",'));
  expect((await ann.call('POST', '/v1/webapi/github', { content })).status).toBe(200);
  const pass = async (url: string) => {
    const { headers } = await call(rig.app, { method: 'GET', url });
    const back = await passGitHub(github, String(headers.location));
    const cookie = /__Host-postern_sso_\w+=\w+/.exec(String(headers['set-cookie']))?.[0] ?? '';
    await rig.app.inject({ url: back.pathname + back.search, headers: { cookie } });
  };
  for (const orgs of [['acme'], ['other']]) {
    github.person = { login: 'octo', id: 7, orgs, teams: [] };
    await pass('/v1/webapi/github/login/web?connector_id=hub&redirect_url=/web');
    const begun = await ann.call('POST', '/v1/webapi/signin/test', { kind: 'github', name: 'hub' });
    await pass((begun.json as { url: string }).url);
  }
}

describe('the audit log of people', () => {
  withFactors(settings, get => {
    const log = new Map<string, Raw[]>();
    beforeAll(async () => {
      const kit = get();
      const { rig } = kit;
      const github = await openGitHubDouble();
      try {
        await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root']);
        await rig.addServer('web-1');
        const ann = await rig.signIn('ann');
        await administer(ann);
        await ruleLogins(rig);
        await copyBot(kit, ann);
        await spendFactors(kit);
        await headlessly(kit);
        await throughGitHub(kit, ann, github);
        const who = await rig.services.identity.sessions.authenticate({
          cookie: ann.cookie,
          bearer: ann.bearer,
          remoteAddr: '10.0.0.1:1',
        });
        const target = { id: 'n', hostname: 'db-3', subKind: 'openssh', addr: 'db-3:22', hostKeys: [], labels: {} };
        const size = { cols: 80, rows: 24 };
        await expect(rig.services.sessions.open({ who, target, login: 'oracle', size })).rejects.toThrow('oracle');
      } finally {
        github.close();
      }
      const until = new Date(Date.now() + 365 * 24 * 3_600_000);
      const { events } = await rig.store.events.search({
        ...{ from: new Date(0), to: until, limit: 5000, types: [], descending: false },
      });
      for (const { code, raw } of events) log.set(code, [...(log.get(code) ?? []), raw as Raw]);
    });

    test('has a row for every code of its groups, and no other', () => {
      const known = [...auditCodes].filter(([, { group }]) => groups.includes(group)).map(([code]) => code);
      const rows: readonly string[] = [...catalogue.map(([code]) => code), ...ours];
      expect([...known].sort()).toEqual([...rows].sort());
    });

    // Rule 3.4: an event has its code, type, id, time and user
    test.each(catalogue)('%s (%s) is written with its fields, and its line says them', (code, type, may, must) => {
      const written = log.get(code) ?? [];
      expect(written.length).toBeGreaterThan(0);
      const more = `${beside['']} ${beside[code] ?? ''}`;
      const allowed = new Set(`${may} ${more}`.split(' ').flatMap(name => names(name)));
      for (const raw of written) {
        expect(raw).toMatchObject({
          code,
          event: type,
          cluster_name: 'here',
          uid: expect.any(String),
          time: expect.any(String),
        });
        expect(Object.keys(raw).filter(key => !allowed.has(key))).toEqual([]);
        const text = line(raw);
        expect(text).not.toContain('Unknown');
        for (const name of must.split(' ')) {
          const value = fieldOf(raw, name);
          expect([name, value]).not.toEqual([name, undefined]);
          expect(text).toContain([value].flat().join(', '));
        }
      }
      expect(auditCode(code)?.title).toMatch(/^[A-Z]/);
    });
  });
});

/** Fields that are ours, beside those of the catalogue: of every event, and of some. */
const beside: Readonly<Record<string, string>> = {
  '': 'user_id',
  T3007W: 'namespace server_id server_hostname server_addr server_sub_kind',
  T1009I: 'addr.remote user_agent',
  T1009W: 'method addr.remote user_agent',
  T1013I: 'mfa_device',
  T1016W: 'method addr.remote user_agent',
  TC000I: 'user addr.remote',
  TLK00I: 'message',
  TLK01I: 'target',
};
/** The fields of a set, or the field itself. */
const names = (name: string): readonly string[] =>
  name.startsWith('@') ? (shared[name.slice(1) as keyof typeof shared] ?? '').split(' ') : [name];
/** A field by its path. Names with a dot in them are fields as well. */
const fieldOf = (raw: Raw, name: string): unknown =>
  raw[name] ?? name.split('.').reduce<unknown>((at, part) => (at as Raw | undefined)?.[part], raw);
