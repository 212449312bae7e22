// Acting as another user: who may, what such a session may do, what the log says, and what ends it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { calls } from '../contract/calls.ts';
import { isPersonal } from '../contract/impersonation.ts';
import { type Answer, type Browser, CLUSTER, call, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

let rig: Rig;
let ann: Browser;
let server: string;
const role = (name: string, spec: string) => `kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const write = (name: string, spec: string) => rig.store.resources.put(roleResource(role(name, spec)));
beforeAll(async () => {
  rig = await openRig();
  for (const name of ['deploys', 'acts', 'plain']) await write(name, '{}');
  await rig.addUser('robot', ['deploys']);
  server = await rig.addServer('web-1');
});
afterAll(() => rig.dispose());
beforeEach(async () => {
  await write('deploys', '{allow: {logins: [deploy], node_labels: {"*": "*"}}, options: {max_session_ttl: 2h}}');
  await write('acts', '{allow: {impersonate: {users: [robot], roles: [deploys]}}, options: {max_session_ttl: 3h}}');
  await set('robot', { roles: ['deploys'] });
  if ((await rig.store.users.get('ann')) === null) await rig.addUser('ann', ['acts']);
  ann = await rig.signIn('ann');
});

async function set(name: string, more: object): Promise<void> {
  const user = await rig.store.users.get(name);
  if (user) await rig.store.users.update({ ...user, ...more });
}
const ask = (by: Browser, user = 'robot', ttl?: string) =>
  by.call('POST', '/v1/webapi/users/impersonate', { user, ...(ttl && { ttl }) });
interface Given {
  readonly token: string;
  readonly cookie: string;
  readonly sessionExpires: string;
}
/** Calls as whom a session is given for. */
function acting({ json }: Answer) {
  const { token, cookie } = json as Given;
  return (method: string, url: string, body?: unknown) =>
    call(rig.app, { method, url, cookie, bearer: token, ...(body !== undefined && { body }) });
}
async function begun(by = ann) {
  const answer = await ask(by);
  expect([answer.status, answer.body]).toEqual([200, expect.any(String)]);
  return acting(answer);
}
const nodes = `/v1/webapi/sites/${CLUSTER}/nodes`;
async function lastEvent(code: string) {
  const until = new Date(Date.now() + 365 * 24 * 3_600_000);
  const { events } = await rig.store.events.search({
    ...{ from: new Date(0), to: until, limit: 200, types: [], descending: true },
  });
  return events.find(event => event.code === code)?.raw;
}

test('whose roles allow the user and all of their roles act as them, with their rights and no others, and both names are in the log', async () => {
  const answer = await ask(ann);
  expect(answer.status).toBe(200);
  expect(answer.headers['set-cookie']).toBeUndefined();
  const as = acting(answer);
  const listed = await as('GET', nodes);
  expect((listed.json as { items: { sshLogins: string[] }[] }).items[0]?.sshLogins).toEqual(['deploy']);
  const own = await ann.call('GET', nodes);
  expect((own.json as { items: unknown[] }).items).toEqual([]);
  expect(await lastEvent('TC000I')).toMatchObject({
    user: 'robot',
    impersonator: 'ann',
    identity: { user: 'robot', impersonator: 'ann' },
  });
  expect((await rig.store.users.get('robot'))?.lastSignIn).toBeUndefined();
});

test('what is done in the session is of the user, and names who acts as them', async () => {
  await write('deploys', '{allow: {rules: [{resources: [role], verbs: ["*"]}]}}');
  const as = await begun();
  expect((await as('POST', '/v1/webapi/roles', { content: role('made', '{}') })).status).toBe(200);
  expect(await lastEvent('T9000I')).toMatchObject({ user: 'robot', impersonator: 'ann', name: 'made' });
  await ann.call('GET', nodes);
});

test('whoever is acted as sees by whom among their own sessions', async () => {
  await begun();
  const robot = await rig.signIn('robot');
  const { json } = await robot.call('GET', '/v1/webapi/user/sessions');
  const mine = json as { current: boolean; impersonator?: string }[];
  expect(mine.find(({ current }) => current)?.impersonator).toBeUndefined();
  expect(mine.filter(({ current }) => !current).map(({ impersonator }) => impersonator)).toContain('ann');
});

describe('nobody acts as another', () => {
  test.each([
    ['whom no role names', '{allow: {impersonate: {users: [other], roles: [deploys]}}}'],
    ['who has a role more than is allowed', '{allow: {impersonate: {users: [robot], roles: [plain]}}}'],
    ['by an entry without roles', '{allow: {impersonate: {users: [robot]}}}'],
    ['by an entry without users', '{allow: {impersonate: {roles: [deploys]}}}'],
    ['by two entries that each allow a half', '{allow: {impersonate: {users: [robot], roles: [plain]}, rules: []}}'],
    [
      'where the user is denied',
      '{allow: {impersonate: {users: ["*"], roles: ["*"]}}, deny: {impersonate: {users: [robot]}}}',
    ],
    [
      'where one of their roles is denied',
      '{allow: {impersonate: {users: ["*"], roles: ["*"]}}, deny: {impersonate: {roles: [deploys]}}}',
    ],
    [
      'where the condition fails',
      `{allow: {impersonate: {users: [robot], roles: [deploys], where: 'equals(impersonate_user.metadata.name, "x")'}}}`,
    ],
    [
      'where the condition cannot be decided',
      `{allow: {impersonate: {users: [robot], roles: [deploys], where: 'equals(session.participants, "x")'}}}`,
    ],
    [
      'where a condition of a denial cannot be decided',
      `{allow: {impersonate: {users: [robot], roles: [deploys]}}, deny: {impersonate: {users: [robot], where: 'contains(session.participants, "x")'}}}`,
    ],
  ])('%s', async (_case, spec) => {
    await write('acts', spec);
    const refused = await ask(ann);
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('no role lets you act as')]);
    expect(await lastEvent('T3007W')).toMatchObject({ user: 'ann', error: expect.stringContaining('"robot"') });
  });

  test('who is nobody, oneself, or has another role by now: in the same words', async () => {
    const words = (name: string) => `no role lets you act as \\"${name}\\" with all of their roles`;
    await write('acts', '{allow: {impersonate: {users: ["*"], roles: [deploys]}}}');
    expect((await ask(ann, 'nobody')).body).toContain(words('nobody'));
    expect((await ask(ann, 'ann')).body).toContain(words('ann'));
    await set('robot', { roles: ['deploys', 'editor'] });
    expect((await ask(ann)).body).toContain(words('robot'));
  });

  test('for a time that is none, or beyond a day', async () => {
    for (const ttl of ['0', '59s', '25h', '-1h', 'x']) expect((await ask(ann, 'robot', ttl)).status).toBe(400);
  });
});

test('a condition is held against the user and against each of their roles', async () => {
  const where = `contains(user.spec.traits["team"], impersonate_role.metadata.name) && contains(impersonate_user.spec.roles, "plain")`;
  await write('acts', `{allow: {impersonate: {users: [robot], roles: ["*"], where: '${where}'}}}`);
  await set('robot', { roles: ['deploys', 'plain'] });
  await set('ann', { traits: { team: ['deploys'] } });
  expect((await ask(ann)).status).toBe(403);
  await set('ann', { traits: { team: ['deploys', 'plain'] } });
  expect((await ask(ann)).status).toBe(200);
});

test('the session lasts as asked, and no longer than either may stay, nor than the session that it was begun in', async () => {
  const hours = async (ttl?: string) =>
    Math.round((Date.parse(((await ask(ann, 'robot', ttl)).json as Given).sessionExpires) - Date.now()) / 60_000) / 60;
  expect(await hours()).toBe(1);
  expect(await hours('15m')).toBe(0.25);
  expect(await hours('24h')).toBe(2);
  await write('deploys', '{options: {max_session_ttl: 9h}}');
  await write('acts', '{allow: {impersonate: {users: [robot], roles: [deploys]}}, options: {max_session_ttl: 30m}}');
  expect(await hours('24h')).toBe(0.5);
  await write('acts', '{allow: {impersonate: {users: [robot], roles: [deploys]}}, options: {max_session_ttl: 20h}}');
  // Hers was begun when she could stay three hours.
  expect(await hours('24h')).toBe(3);
});

test.each<readonly [string, () => Promise<unknown>]>([
  ['a lock on the user', () => lock({ user: 'robot' })],
  ['a lock on who acts', () => lock({ user: 'ann' })],
  ['a lock on a role of who acts', () => lock({ role: 'acts' })],
  ['other words in the role that allowed it', () => write('acts', '{}')],
  ['another role of the user', () => set('robot', { roles: ['deploys', 'plain'] })],
  ['who acts, deleted', async () => rig.store.users.delete((await rig.store.users.get('ann'))?.id ?? '')],
  [
    'all sessions of who acts, ended',
    async () => rig.services.identity.sessions.endOf((await rig.store.users.get('ann'))?.id ?? ''),
  ],
])('%s ends the session', async (_case, end) => {
  const as = await begun();
  expect((await as('GET', nodes)).status).toBe(200);
  const made = await end();
  expect((await as('GET', nodes)).status).toBe(403);
  expect((await as('POST', '/v1/webapi/sessions/web/renew')).status).toBe(403);
  const { name, targets } = (made ?? {}) as { readonly name?: string; readonly targets?: object };
  if (name !== undefined && targets) await rig.services.locks.remove(name, system);
});
const system = { user: 'system', rights: null };
const lock = (targets: Parameters<typeof rig.services.locks.add>[0]['targets']) =>
  rig.services.locks.add({ targets, message: 'stop', ttl: '' }, system);

test('a shell that was begun in the user’s name ends with the session that it was begun in; the user’s own goes on', async () => {
  const open = async (given: Pick<Browser, 'cookie' | 'bearer'>) => {
    const who = await rig.services.identity.sessions.authenticate({ ...given, remoteAddr: '192.0.2.1:1' });
    const target = await rig.services.servers.target(who, server);
    return (await rig.services.sessions.open({ who, target, login: 'deploy', size: { cols: 80, rows: 24 } })).sid;
  };
  const { token: bearer, cookie } = (await ask(ann)).json as Given;
  const [theirs, own] = [await open({ cookie, bearer }), await open(await rig.signIn('robot'))];
  expect((await call(rig.app, { method: 'DELETE', url: '/v1/webapi/sessions/web', cookie, bearer })).status).toBe(200);
  await expect.poll(() => rig.services.sessions.list().map(({ session }) => session.id)).toEqual([own]);
  expect(rig.services.sessions.ended(theirs)?.kind).toBe('forbidden');
  rig.services.sessions.end(own, 'over');
});

test('nothing that is the user’s alone is done in their name, and nobody goes on to a third', async () => {
  await write('deploys', '{allow: {impersonate: {users: [ann], roles: [acts]}, request: {roles: [plain]}}}');
  const as = await begun();
  for (const [method, path] of [
    ['PUT', 'users/password'],
    ['POST', 'mfa/devices'],
    ['POST', 'mfa/recoverycodes'],
    ['POST', 'users/privilege/token'],
    ['DELETE', 'user/sessions'],
    ['POST', `sites/${CLUSTER}/accessrequests`],
    ['POST', `sites/${CLUSTER}/agents`],
    ['POST', 'users/impersonate'],
  ] as const) {
    const { status, body } = await as(method, `/v1/webapi/${path}`, { user: 'ann' });
    expect([path, status, body]).toEqual([path, 403, expect.stringContaining('this is for the user alone')]);
  }
});

test('every call that changes what is a person’s own is closed to whoever acts as them', () => {
  const open = Object.entries(calls).flatMap(([name, one]) =>
    one.parts.access === 'signedIn' && one.method !== 'GET' && !isPersonal(one) ? [name] : [],
  );
  // What reaches things, with the user's rights and under their limits, and what such a session is made and renewed with.
  expect(open.toSorted()).toEqual([
    'appKeyChallenge',
    'authenticateChallenge',
    'beginBroadcast',
    'cancelTransfer',
    'captureEvent',
    'copyFile',
    'createAppSession',
    'createSshCertificate',
    'createTunnelCertificate',
    'endBroadcast',
    'endSession',
    'makeFolder',
    'mfaRequired',
    'moveFile',
    'passwordChallenge',
    'proveTransfers',
    'removeFile',
    'renewSession',
    'sessionKeyChallenge',
    'tunnelKeyChallenge',
    'uploadFile',
  ]);
});
