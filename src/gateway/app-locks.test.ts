// Locks: in force at once on sign-in, calls, web sessions, sockets and running sessions, whichever door made them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lock, LockBody } from '../contract/locks.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';

let rig: Rig;
let ann: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root']);
  ann = await rig.signIn('ann');
});
afterAll(() => rig.dispose());

const LOCKS = `/v1/webapi/sites/${CLUSTER}/locks`;
const status = (who: Browser) => who.call('GET', '/v1/webapi/user/status');
async function lock(targets: LockBody['targets'], more: Partial<LockBody> = {}): Promise<Lock> {
  const { status: answered, json } = await ann.call('PUT', LOCKS, { targets, ...more });
  expect(answered).toBe(200);
  return json as Lock;
}
const unlock = ({ name }: Lock) => ann.call('DELETE', `${LOCKS}/${name}`);
/** A new user with a login, signed in. */
async function someone(roles: readonly string[] = ['access']): Promise<Browser> {
  const name = `u-${randomUUID().slice(0, 8)}`;
  await rig.addUser(name, roles, ['root', 'web']);
  return rig.signIn(name);
}
async function openSession(who: Browser, login = 'root', id?: string, device?: string): Promise<string> {
  const { services } = rig;
  const authenticated = await services.identity.sessions.authenticate({
    cookie: who.cookie,
    bearer: who.bearer,
    remoteAddr: '10.0.0.1:1',
  });
  const target = await services.servers.target(authenticated, id ?? (await rig.addServer(`s-${randomUUID()}`)));
  const size = { cols: 80, rows: 24 };
  return (await services.sessions.open({ who: authenticated, target, login, size, ...(device && { device }) })).sid;
}
const over = (sid: string) => expect.poll(() => rig.services.sessions.ended(sid)?.text ?? null);
const TAXI = 'left laptop in a taxi';

test('whoever is locked loses their calls and sessions with the words of the lock, and cannot sign in until it is taken away', async () => {
  const bob = await someone();
  const sid = await openSession(bob);
  const made = await lock({ user: bob.user }, { message: TAXI });
  expect(made).toEqual({
    name: expect.stringMatching(/^[0-9a-f-]{36}$/),
    message: TAXI,
    expires: '',
    createdAt: expect.any(String),
    createdBy: 'ann',
    targets: { user: bob.user },
    title: bob.user,
  });
  expect(await status(bob)).toMatchObject({ status: 403, json: { error: { code: 'signed_out' } } });
  await over(sid).toBe(`The session was ended. Your access is locked: ${TAXI}`);
  await expect(rig.signIn(bob.user)).rejects.toThrow(`Your access is locked: ${TAXI}`);
  expect((await ann.call('GET', LOCKS)).json).toContainEqual(made);

  expect((await unlock(made)).status).toBe(200);
  expect((await unlock(made)).status).toBe(404);
  // The session of before does not come back to life.
  expect((await status(bob)).status).toBe(403);
  expect((await status(await rig.signIn(bob.user))).status).toBe(200);
});

test('a lock ends by itself, and says until when it lasts', async () => {
  const bob = await someone();
  const { expires } = await lock({ user: bob.user }, { ttl: '2h45m' });
  const until = expires.slice(0, 16).replace('T', ' ');
  await expect(rig.signIn(bob.user)).rejects.toThrow(`Your access is locked until ${until} UTC.`);
  rig.later(165 * 60_000 + 1000);
  ann = await rig.signIn('ann');
  expect((await status(await rig.signIn(bob.user))).status).toBe(200);
});

test('a lock on a role holds back all who hold it, also whoever is given it later', async () => {
  const content = 'kind: role\nversion: v7\nmetadata: {name: night}\nspec: {}\n';
  expect((await ann.call('POST', '/v1/webapi/roles', { content })).status).toBe(200);
  const [bob, carol] = [await someone(['access', 'night']), await someone()];
  const made = await lock({ role: 'night' });
  expect([(await status(bob)).status, (await status(carol)).status]).toEqual([403, 200]);
  await ann.call('PUT', '/v1/webapi/users', { name: carol.user, roles: ['access', 'night'] });
  expect((await status(carol)).status).toBe(403);
  await unlock(made);
});

test('a lock on a login or a server ends what runs with it there and refuses more, and nothing else', async () => {
  const bob = await someone();
  const [here, there] = [await rig.addServer('here'), await rig.addServer('there')];
  const [root, web, elsewhere] = [
    await openSession(bob, 'root', here),
    await openSession(bob, 'web', here),
    await openSession(bob, 'web', there),
  ];
  const login = await lock({ login: 'root' });
  await over(root).toBe('The session was ended. Access with the login root is locked.');
  await expect(openSession(bob, 'root', there)).rejects.toThrow('Access with the login root is locked.');
  expect(rig.services.sessions.get(web)).not.toBeNull();
  const server = await lock({ server_id: here });
  expect(server.title).toBe('here');
  await over(web).toBe('The session was ended. This server is locked.');
  await expect(openSession(bob, 'web', here)).rejects.toThrow('This server is locked.');
  expect(rig.services.sessions.get(elsewhere)).not.toBeNull();
  await unlock(login);
  await unlock(server);
  expect(await openSession(bob, 'root', here)).toEqual(expect.any(String));
});

test('a lock on a device of the second factor ends what was opened with it and its owner’s web sessions, and no other device', async () => {
  const bob = await someone();
  const [user] = await rig.store.users.named([bob.user]);
  if (!user) throw new Error('no user');
  const device = (id: string) => ({
    id,
    userId: user.id,
    name: id,
    kind: 'totp' as const,
    secret: '',
    credentialId: null,
    isPasswordless: false,
    progress: 0,
    added: new Date(),
    lastUsed: new Date(),
  });
  const [lost, kept] = [device('lost'), device('kept')];
  for (const one of [lost, kept]) await rig.store.mfaDevices.create(one);
  const [withLost, withKept] = [
    await openSession(bob, 'root', undefined, 'lost'),
    await openSession(bob, 'root', undefined, 'kept'),
  ];
  const made = await lock({ mfa_device: 'lost' });
  expect(made).toMatchObject({ title: `lost of ${bob.user}`, owner: bob.user });
  expect((await ann.call('GET', LOCKS)).json).toContainEqual(made);
  const mine = (await ann.call('GET', `${LOCKS}/devices`)).json as readonly { readonly user: string }[];
  expect(mine.filter(one => one.user === bob.user)).toEqual([
    { id: 'kept', name: 'kept', user: bob.user },
    { id: 'lost', name: 'lost', user: bob.user },
  ]);
  expect((await status(bob)).status).toBe(403);
  await over(withLost).toBe('The session was ended. Access with the MFA device lost is locked.');
  expect(rig.services.sessions.get(withKept)).not.toBeNull();
  const from = { remoteAddr: '10.0.0.1:1', userAgent: '' };
  const { enter } = rig.services.identity;
  await expect(enter(user, lost, from)).rejects.toThrow('Access with the MFA device lost is locked.');
  expect((await enter(user, kept, from)).reply.token).not.toBe('');
  const event = { code: 'T1000W', user: bob.user, error: 'Access with the MFA device lost is locked.' };
  const { json } = await ann.call('GET', `/v1/webapi/sites/${CLUSTER}/events/search?include=user.login`);
  expect((json as { events: object[] }).events).toContainEqual(expect.objectContaining(event));
  await unlock(made);
});

test.each([
  ['no target', { targets: {} }],
  ['two targets', { targets: { user: 'ann', role: 'access' } }],
  ['an unknown target', { targets: { planet: 'mars' } }],
  ['an empty name', { targets: { user: '' } }],
  ['a time that is none', { targets: { user: 'nobody' }, ttl: 'soon' }],
  ['no time at all', { targets: { user: 'nobody' }, ttl: '0s' }],
  ['a message that moves what is around it', { targets: { user: 'nobody' }, message: '\u202e' }],
])('a lock with %s is refused', async (_name, body) => {
  expect((await ann.call('PUT', LOCKS, body)).status).toBe(400);
});

test('making one asks for the right to create and to change locks', async () => {
  const content =
    'kind: role\nversion: v7\nmetadata: {name: creates}\nspec: {allow: {rules: [{resources: [lock], verbs: [create]}]}}\n';
  await ann.call('POST', '/v1/webapi/roles', { content });
  const bob = await someone(['creates']);
  expect(await bob.call('PUT', LOCKS, { targets: { user: 'ann' } })).toMatchObject({
    status: 403,
    json: { error: { message: 'access denied: no role gives you "update" on "lock"' } },
  });
});

test('a lock of a YAML file is in force at once, says who applied it, is shown, and is taken away', async () => {
  const bob = await someone();
  const content = `kind: lock\nversion: v2\nmetadata: {name: taxi}\nspec: {target: {user: ${bob.user}}, message: ${TAXI}}\n`;
  const apply = () => rig.declared.apply([{ name: 'locks.yaml', content }], { by: 'system:op' });
  expect(await apply()).toMatchObject({ problems: [], resources: [{ kind: 'lock', name: 'taxi', change: 'created' }] });
  expect((await status(bob)).status).toBe(403);
  expect(await apply()).toMatchObject({ resources: [{ change: 'unchanged' }] });
  const shown = await rig.declared.get('lock', 'taxi');
  expect(shown).toContain('created_by: system:op');
  expect(await rig.declared.apply([{ name: 'again.yaml', content: shown }], { by: 'system:other' })).toMatchObject({
    problems: [],
    resources: [{ change: 'unchanged' }],
  });
  await rig.declared.remove('lock', 'taxi', 'system:op');
  expect((await status(await rig.signIn(bob.user))).status).toBe(200);
});

test('the audit log has each lock, whom it names and who made it, and sign-ins that it refused', async () => {
  const bob = await someone();
  const made = await lock({ user: bob.user }, { message: TAXI, ttl: '1h' });
  await expect(rig.signIn(bob.user)).rejects.toThrow(TAXI);
  await unlock(made);
  const { json } = await ann.call(
    'GET',
    `/v1/webapi/sites/${CLUSTER}/events/search?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z&limit=3`,
  );
  expect((json as { events: object[] }).events).toMatchObject([
    { code: 'TLK01I', user: 'ann', target: `user: ${bob.user}` },
    { code: 'T1000W', user: bob.user, success: false, error: expect.stringContaining(TAXI) },
    { code: 'TLK00I', user: 'ann', target: `user: ${bob.user}`, message: TAXI, expires: expect.any(String) },
  ]);
});
