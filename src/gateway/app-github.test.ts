// Signing in by GitHub at the wire, at an enterprise address.
import { request } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GitHubDouble, githubConnector, openGitHubDouble } from '../../e2e/rigs/github-double.ts';
import { type Browser, call, openRig, type Rig } from './app.testing.ts';

let rig: Rig;
let admin: Browser;
let github: GitHubDouble;
beforeAll(async () => {
  [rig, github] = await Promise.all([openRig(), openGitHubDouble()]);
  await rig.addUser('admin', ['access', 'editor', 'auditor']);
  admin = await rig.signIn('admin');
  await connect('hub');
  await connect('wrong', { client_secret: 'another secret' });
});
afterAll(async () => {
  github.close();
  await rig.dispose();
});

const connect = (name: string, spec = {}) =>
  rig.services.connectors.create('github', githubConnector(github, name, spec), { user: 'system', rights: null });

/** Where GitHub sends the browser to. */
const visit = (address: string): Promise<URL> =>
  new Promise((done, fail) => {
    request(new URL(address), { ca: github.ca }, answer => {
      answer.resume();
      done(new URL(answer.headers.location ?? 'about:blank'));
    })
      .on('error', fail)
      .end();
  });
async function signIn(connector = 'hub', spoil = (_back: URL): void => undefined) {
  const { headers } = await call(rig.app, {
    method: 'GET',
    url: `/v1/webapi/github/login/web?connector_id=${connector}&redirect_url=/web`,
  });
  const back = await visit(String(headers.location));
  spoil(back);
  const cookie = /__Host-postern_sso_\w+=\w+/.exec(String(headers['set-cookie']))?.[0] ?? '';
  const answer = await rig.app.inject({ url: back.pathname + back.search, headers: { cookie } });
  const { json } = await admin.call('GET', '/v1/webapi/sites/here/events/search?include=user.login&limit=1');
  const [event] = (json as { events: { error?: string }[] }).events;
  return { landed: answer.headers.location ?? answer.statusCode, cause: event?.error };
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
