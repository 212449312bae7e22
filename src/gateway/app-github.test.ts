// Signing in by GitHub at the wire, at an enterprise address.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GitHubDouble, githubConnector, openGitHubDouble, passGitHub } from '../../e2e/rigs/github-double.ts';
import { call, openRig, type Rig } from './app.testing.ts';
import { NO_HARDWARE_KEYS } from './ports/rights.ts';

let rig: Rig;
let github: GitHubDouble;
beforeAll(async () => {
  [rig, github] = await Promise.all([openRig(), openGitHubDouble()]);
  await connect('hub');
  await connect('wrong', { client_secret: 'another secret' });
});
afterAll(async () => {
  github.close();
  await rig.dispose();
});

const connect = (name: string, spec = {}, at = rig) =>
  at.services.connectors.create('github', githubConnector(github, name, spec), { user: 'system', rights: null });

async function signIn(connector = 'hub', spoil = (_back: URL): void => undefined, at = rig) {
  const { headers } = await call(at.app, {
    method: 'GET',
    url: `/v1/webapi/github/login/web?connector_id=${connector}&redirect_url=/web`,
  });
  const back = await passGitHub(github, String(headers.location));
  spoil(back);
  const cookie = /__Host-postern_sso_\w+=\w+/.exec(String(headers['set-cookie']))?.[0] ?? '';
  const answer = await at.app.inject({ url: back.pathname + back.search, headers: { cookie } });
  const found = { from: new Date(0), to: new Date(Date.now() + 60_000), types: ['user.login'], descending: true };
  const { events } = await at.store.events.search({ ...found, limit: 1 });
  return { landed: answer.headers.location ?? answer.statusCode, cause: events[0]?.raw.error };
}
const many = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_none, index) => name(index));

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['a team', ['acme'], ['acme/ops'], ['editor', 'access']],
  ['an organization', ['acme'], ['other/ops'], ['access']],
  ['a team on the third page', ['acme'], [...many(250, index => `acme/t${index}`), 'acme/ops'], ['editor', 'access']],
])('%s gives its roles', async (_what, orgs, teams, roles) => {
  github.person = { login: 'Octo', id: 7, orgs, teams };
  expect(await signIn()).toEqual({ landed: 200, cause: undefined });
  const user = await rig.store.users.get('octo');
  expect(user).toMatchObject({ roles, authType: 'github', identity: 'github/hub/7' });
});

test('another account that took the name meanwhile is another person', async () => {
  github.person = { login: 'octo', id: 8, orgs: ['acme'], teams: [] };
  expect(await signIn()).toMatchObject({
    landed: '/web/msg/error/login/auth',
    cause: expect.stringContaining("somebody else's"),
  });
});

test.each<[string, Parameters<typeof signIn>, Partial<NonNullable<GitHubDouble['person']>> | null, string, string]>([
  ['in no organization of ours', [], { orgs: ['other'], teams: ['other/ops'] }, 'auth', 'gives mona a role'],
  ['who cancels', [], null, 'callback', 'denied your application'],
  [
    'with a code that is not good',
    ['hub', back => back.searchParams.set('code', 'x')],
    {},
    'callback',
    'code passed is incorrect',
  ],
  ['where our secret is wrong', ['wrong'], {}, 'callback', 'client_secret passed are incorrect'],
])('somebody %s is not signed in, and the cause is in the log', async (_what, way, person, page, cause) => {
  github.person = person && { login: 'mona', id: 9, orgs: ['acme'], teams: [], ...person };
  expect(await signIn(...way)).toEqual({
    landed: `/web/msg/error/login/${page}`,
    cause: expect.stringContaining(cause),
  });
});

test('where the cluster wants private keys in hardware, GitHub signs no browser in either', async () => {
  const { webConfig } = rig.services.config;
  const auth = { ...webConfig.auth, privateKeyPolicy: 'hardware_key' as const };
  const keyed = await openRig({ config: { webConfig: { ...webConfig, auth } } });
  try {
    await keyed.addUser('ann', ['access']);
    await expect(keyed.signIn('ann')).rejects.toThrow('private key policy not met: hardware_key');
    await connect('hub', {}, keyed);
    github.person = { login: 'octo', id: 7, orgs: ['acme'], teams: [] };
    expect(await signIn('hub', undefined, keyed)).toEqual({
      landed: '/web/msg/error/login/auth',
      cause: `octo: private key policy not met: hardware_key. ${NO_HARDWARE_KEYS}`,
    });
  } finally {
    await keyed.dispose();
  }
});
