// What the calls do once they are let through: users, roles, servers, sessions, audit, recordings, preferences.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageVersion } from '../node/version.ts';
import { type Browser, CLUSTER, call, HOST_KEY, openRig, PASSWORD, type Rig } from './app.testing.ts';
import type { Who } from './ports/who.ts';
import { readHostKey } from './services/protocols/ssh/host-key.ts';
import { targetOf } from './services/servers/servers.ts';
import type { Subscriber } from './services/sessions/participant.ts';
import { resourceNamed, serverNamed } from './store/store.testing.ts';

/** A host that was set up anew shows this. */
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPja2pIn49HyQ0lct+dOVKduyMCpHWWWBgoX7bzBw+LQ';
let rig: Rig;
let ann: Browser;
let bob: Browser;
const site = `/v1/webapi/sites/${CLUSTER}`;
beforeAll(async () => {
  rig = await openRig();
  await rig.store.resources.create({
    ...resourceNamed('role', 'operator', { subtype: 'v7' }),
    spec: {
      content:
        'kind: role\nversion: v7\nmetadata:\n  name: operator\nspec:\n  allow:\n    logins: [deploy]\n    node_labels:\n      env: dev\n',
    },
  });
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root', 'ann']);
  await rig.addUser('bob', ['operator']);
  await rig.addServer('db-1', { env: 'prod', 'postern.internal/origin': 'test', 'postern.hidden/x': 'y' });
  await rig.addServer('web-1', { env: 'dev', 'a-team': 'blue' });
  ann = await rig.signIn('ann');
  bob = await rig.signIn('bob');
});
afterAll(() => rig.dispose());

/** Audit events so far, newest first, by code. */
async function noted(code: string): Promise<Record<string, unknown>[]> {
  const { json } = await ann.call('GET', `${site}/events/search?limit=1000`);
  return (json as { events: Record<string, unknown>[] }).events.filter(event => event.code === code);
}
const errorOf = (json: unknown): string => (json as { error: { message: string } }).error.message;

// Rule 3.4: a server: id, cluster, hostname, labels, address, tunnel, logins
test('the server list holds what labels allow, with the logins of each, and no label of our own', async () => {
  const items = async (who: Browser) =>
    (
      (await who.call('GET', `${site}/nodes?sort=hostname:asc`)).json as {
        items: { hostname: string; sshLogins: string[]; tags: object[] }[];
      }
    ).items;
  expect((await items(ann)).map(({ hostname, sshLogins }) => [hostname, sshLogins])).toEqual([
    ['db-1', ['root', 'ann']],
    ['web-1', ['root', 'ann']],
  ]);
  expect(await items(bob)).toMatchObject([
    {
      hostname: 'web-1',
      sshLogins: ['deploy'],
      tags: [
        { name: 'a-team', value: 'blue' },
        { name: 'env', value: 'dev' },
      ],
    },
  ]);
  expect((await items(ann))[0]?.tags).toEqual([{ name: 'env', value: 'prod' }]);
});

test('totalCount is computed for a sorted or filtered list, and pages lead on by their key', async () => {
  const first = (await ann.call('GET', `${site}/nodes?limit=1&sort=hostname:desc`)).json as {
    items: { hostname: string }[];
    startKey: string;
    totalCount: number;
  };
  expect([first.items[0]?.hostname, first.totalCount]).toEqual(['web-1', 2]);
  const next = (
    await ann.call('GET', `${site}/nodes?limit=1&sort=hostname:desc&startKey=${encodeURIComponent(first.startKey)}`)
  ).json as typeof first;
  expect([next.items[0]?.hostname, next.startKey]).toEqual(['db-1', '']);
  const found = (
    await ann.call('GET', `${site}/nodes?query=${encodeURIComponent('labels["env"] == "prod"')}&search=db`)
  ).json as typeof first;
  expect([found.items.length, found.totalCount]).toEqual([1, 1]);
});

// Rule 7.3: a server is added
test('a server is added with the key that was confirmed, noted, and removed again', async () => {
  const body = {
    subKind: 'openssh',
    hostname: 'cache-1',
    addr: 'cache-1.example.com',
    labels: [{ name: 'env', value: 'dev' }],
    hostKey: HOST_KEY,
  };
  const probed = await ann.call('POST', `${site}/nodes/hostkey`, { addr: 'cache-1.example.com' });
  expect(probed.json).toMatchObject({ addr: 'cache-1.example.com:22', hostKey: { publicKey: HOST_KEY } });
  const added = await ann.call('POST', `${site}/nodes`, body);
  expect([added.status, added.json]).toMatchObject([
    200,
    { kind: 'node', hostname: 'cache-1', addr: 'cache-1.example.com:22', siteId: CLUSTER, subKind: 'openssh' },
  ]);
  const { id } = added.json as { id: string };
  const stored = await rig.store.resources.get('node', id);
  expect(stored && targetOf(stored)).toMatchObject({ hostKeys: [HOST_KEY], addr: 'cache-1.example.com:22' });
  expect(await noted('TJ002I')).toMatchObject([
    { event: 'instance.join', host_id: id, node_name: 'cache-1', role: 'Node', success: true, user: 'ann' },
  ]);
  for (const [change, field] of [
    [{ hostKey: 'ssh-ed25519 nonsense' }, 'hostKey'],
    [{ labels: [{ name: 'postern.internal/x', value: '1' }] }, 'labels'],
    [
      {
        labels: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      'labels',
    ],
    [{ addr: 'host:99999' }, 'addr'],
    [{ addr: 'a b' }, 'addr'],
    [{ subKind: 'agentless' }, 'subKind'],
  ] as const) {
    const refused = await ann.call('POST', `${site}/nodes`, { ...body, ...change });
    expect([refused.status, refused.body], JSON.stringify(change)).toMatchObject([400, expect.stringContaining(field)]);
  }
  expect((await bob.call('POST', `${site}/nodes`, body)).status).toBe(403);
  expect((await bob.call('DELETE', `${site}/nodes/${id}`)).status).toBe(403);
  expect((await ann.call('DELETE', `${site}/nodes/${id}`)).json).toEqual({ message: 'ok' });
  expect((await ann.call('DELETE', `${site}/nodes/${id}`)).status).toBe(404);
  expect(await noted('TJ012I')).toMatchObject([
    {
      server_id: id,
      server_hostname: 'cache-1',
      server_addr: 'cache-1.example.com:22',
      user: 'ann',
      method: 'console',
    },
  ]);
});

test('a new host key is pinned once both were compared, told and noted; a name that exists is not added twice', async () => {
  const id = await rig.addServer('mail-1', { env: 'prod' });
  const heard: unknown[] = [];
  const unsubscribe = rig.changes.subscribe(change => heard.push(change));
  rig.showKey(OTHER_KEY);
  const [before, now] = [readHostKey(HOST_KEY), readHostKey(OTHER_KEY)];
  const found = await ann.call('POST', `${site}/nodes/${id}/hostkey`);
  expect([found.status, found.json]).toEqual([
    200,
    { id, hostname: 'mail-1', addr: 'mail-1:22', pinned: [before], shown: now },
  ]);
  const trust = (hostKey: string, replaces: readonly string[], who = ann, server = id) =>
    who.call('PUT', `${site}/nodes/${server}/hostkey`, { hostKey, replaces });
  expect((await trust(HOST_KEY, [before.fingerprint])).status).toBe(412);
  expect((await trust(OTHER_KEY, [now.fingerprint])).status).toBe(412);
  expect((await trust(OTHER_KEY, [before.fingerprint], bob)).status).toBe(403);
  expect((await trust(OTHER_KEY, [before.fingerprint], ann, 'no-such-server')).status).toBe(404);
  expect(heard).toEqual([]);

  expect((await trust(OTHER_KEY, [before.fingerprint], ann, 'mail-1')).json).toMatchObject({ pinned: [now] });
  unsubscribe();
  rig.showKey(HOST_KEY);
  expect(heard).toEqual([{ kind: 'serverChanged', server: id }]);
  const stored = await rig.store.resources.get('node', id);
  expect(stored && targetOf(stored)).toMatchObject({ hostname: 'mail-1', hostKeys: [now.publicKey] });
  expect(await noted('TJ010I')).toMatchObject([
    { user: 'ann', server_id: id, replaced: [before.fingerprint], trusted: now.fingerprint },
  ]);
  const twice = { subKind: 'openssh', hostname: 'mail-1', addr: 'mail-1:2222', hostKey: HOST_KEY };
  const refused = await ann.call('POST', `${site}/nodes`, twice);
  expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('Trust the new host key of mail-1')]);
  await rig.store.resources.delete('node', id);
});

test('the machine of the gateway cannot be removed', async () => {
  await rig.store.resources.create(serverNamed('rig', { subtype: 'local', labels: { env: 'none' } }));
  const { status, json } = await ann.call('DELETE', `${site}/nodes/rig`);
  await rig.store.resources.delete('node', 'rig');
  expect([status, errorOf(json)]).toMatchObject([400, expect.stringContaining('cannot be removed')]);
});

test('a user is invited, signs in, and is deleted, each step noted', async () => {
  const created = await ann.call('POST', '/v1/webapi/users', {
    name: 'carol',
    roles: ['access'],
    traits: { logins: ['carol'] },
  });
  expect(created.json).toMatchObject({
    name: 'carol',
    roles: ['access'],
    authType: 'local',
    traits: { logins: ['carol'] },
    allTraits: { logins: ['carol'] },
  });
  expect((await ann.call('POST', '/v1/webapi/users', { name: 'carol', roles: ['access'] })).status).toBe(409);
  const invite = async (name: string) => {
    const { json } = await ann.call('POST', '/v1/webapi/users/password/token', { name, type: 'invite' });
    return (json as { tokenId: string }).tokenId;
  };
  const token = await invite('carol');
  expect((await call(rig.app, { method: 'GET', url: `/v1/webapi/users/password/token/${token}` })).json).toEqual({
    tokenId: token,
    user: 'carol',
    qrCode: '',
  });
  const csrf = 'e'.repeat(64);
  const complete = (link: string) =>
    call(rig.app, {
      method: 'PUT',
      url: '/v1/webapi/users/password/token',
      headers: { cookie: `__Host-postern_csrf=${csrf}`, 'x-csrf-token': csrf },
      body: { token: link, password: Buffer.from(PASSWORD).toString('base64'), second_factor_token: '' },
    });
  const done = await complete(token);
  expect([done.status, done.json]).toEqual([200, { recovery: {} }]);
  await ann.call('POST', '/v1/webapi/users', { name: 'dora', roles: ['editor'] });
  expect((await complete(await invite('dora'))).json).toEqual({ recovery: {}, mayInvite: true });
  const cookie = /__Host-session=([0-9a-f]+)/.exec(String(done.headers['set-cookie']))?.[1] ?? '';
  const page = await call(rig.app, { method: 'GET', url: '/web', cookie });
  expect(page.body).toContain('postern_bearer_token');
  await rig.signIn('carol');
  expect((await ann.call('DELETE', '/v1/webapi/users/carol')).status).toBe(200);
  expect((await ann.call('GET', '/v1/webapi/users/carol')).status).toBe(404);
  expect((await ann.call('DELETE', '/v1/webapi/users/ann')).status).toBe(400);
  for (const code of ['T1002I', 'T6000I', 'T1000I', 'T1004I']) {
    expect(
      (await noted(code)).some(event => event.name === 'carol' || event.user === 'carol'),
      code,
    ).toBe(true);
  }
});

// Rule 3.3: whether a user is of this cluster, and the kind of sign-in
// Rule 3.3: roles of a user are sorted
test('the user list leaves out the traits, one user has them', async () => {
  const list = (await ann.call('GET', '/v1/webapi/users')).json as object[];
  expect(list.every(user => !('traits' in user) && 'allTraits' in user)).toBe(true);
  expect(list).toContainEqual(expect.objectContaining({ name: 'ann', lastSignIn: expect.any(String) }));
  expect((await ann.call('GET', '/v1/webapi/users/ann')).json).toMatchObject({
    traits: { logins: ['root', 'ann'], databaseUsers: [] },
  });
  await rig.addUser('zoe', ['editor', 'access']);
  expect((await ann.call('GET', '/v1/webapi/users/zoe')).json).toMatchObject({ roles: ['access', 'editor'] });
});

const roleYaml = (name: string, rest = ''): string =>
  `kind: role\nversion: v7\nmetadata:\n  name: ${name}\nspec:\n  allow:\n    logins: [x]\n${rest}`;

// Rule 6: roles are managed as resources
test('a role is made, changed, not renamed, kept while someone holds it, and deleted', async () => {
  const made = await ann.call('POST', '/v1/webapi/roles', { content: roleYaml('temp') });
  expect(made.json).toEqual({ id: 'role:temp', kind: 'role', name: 'temp', content: roleYaml('temp') });
  expect((await ann.call('POST', '/v1/webapi/roles', { content: roleYaml('temp') })).status).toBe(409);
  expect((await ann.call('PUT', '/v1/webapi/roles/temp', { content: roleYaml('other') })).status).toBe(400);
  expect((await ann.call('PUT', '/v1/webapi/roles/gone', { content: roleYaml('gone') })).status).toBe(404);
  const broken = await ann.call('PUT', '/v1/webapi/roles/temp', { content: `${roleYaml('temp')}    shoes: [1]\n` });
  expect([broken.status, errorOf(broken.json)]).toMatchObject([400, expect.stringContaining('shoes')]);
  expect(
    (await ann.call('PUT', '/v1/webapi/roles/temp', { content: roleYaml('temp', '    node_labels: {env: dev}\n') }))
      .status,
  ).toBe(200);
  await rig.addUser('holder', ['temp']);
  const used = await ann.call('DELETE', '/v1/webapi/roles/temp');
  expect([used.status, errorOf(used.json)]).toMatchObject([400, expect.stringContaining('holder')]);
  await ann.call('DELETE', '/v1/webapi/users/holder');
  expect((await ann.call('DELETE', '/v1/webapi/roles/temp')).status).toBe(200);
  expect((await ann.call('GET', '/v1/webapi/roles/temp')).status).toBe(404);
  for (const code of ['T9000I', 'T9002I', 'T9001I'])
    expect(await noted(code)).toMatchObject([{ name: 'temp', user: 'ann' }]);
});

test('whoever writes a role hears what of it is kept and not enforced yet', async () => {
  const content = roleYaml('locked', '    desktop_groups: [staff]\n');
  const notes = [
    'role locked: spec.allow.desktop_groups is kept, not enforced yet: groups are for users that create_desktop_user makes on desktops, and no user is made there yet',
  ];
  expect((await ann.call('POST', '/v1/webapi/roles', { content })).json).toMatchObject({ notes });
  expect((await ann.call('PUT', '/v1/webapi/roles/locked', { content })).json).toMatchObject({ notes });
  expect((await ann.call('GET', '/v1/webapi/roles/locked')).json).not.toHaveProperty('notes');
});

test('what cannot be had here is refused with the reason when a role is written', async () => {
  const content = roleYaml('windows').replace('spec:\n', 'spec:\n  options: {create_desktop_user: true}\n');
  const { status, json } = await ann.call('POST', '/v1/webapi/roles', { content });
  expect([status, errorOf(json)]).toMatchObject([
    400,
    expect.stringContaining('users of desktops are not made from here: that takes a program inside of Windows'),
  ]);
});

test('the last administrator cannot edit the role away that lets them edit', async () => {
  const before = (await ann.call('GET', '/v1/webapi/roles/editor')).json as { content: string };
  const refused = await ann.call('PUT', '/v1/webapi/roles/editor', { content: roleYaml('editor') });
  expect([refused.status, errorOf(refused.json)]).toMatchObject([400, expect.stringContaining('nobody')]);
  expect((await ann.call('GET', '/v1/webapi/roles/editor')).json).toEqual(before);
});

test('a person without rights on roles reads their own, and lists none', async () => {
  expect((await bob.call('GET', '/v1/webapi/roles/operator')).status).toBe(200);
  expect((await bob.call('GET', '/v1/webapi/roles/editor')).status).toBe(403);
  expect((await bob.call('GET', '/v1/webapi/roles')).status).toBe(403);
});

// Rule 3.3: preferences begin with their defaults and are one's own
test('preferences are kept per person, and begin with the defaults', async () => {
  expect((await bob.call('GET', '/v1/webapi/user/preferences')).json).toMatchObject({
    theme: 1,
    console: { keys: {}, dense: true },
  });
  const { json } = await bob.call('GET', '/v1/webapi/user/preferences');
  expect((await bob.call('PUT', '/v1/webapi/user/preferences', { ...(json as object), theme: 2 })).status).toBe(200);
  expect((await bob.call('GET', '/v1/webapi/user/preferences')).json).toMatchObject({ theme: 2 });
  expect((await ann.call('GET', '/v1/webapi/user/preferences')).json).toMatchObject({ theme: 1 });
  expect((await bob.call('PUT', '/v1/webapi/user/preferences', { theme: 3 })).status).toBe(400);
});

// Rule 3.3: a cluster alert: name, labels, message, severity
// Rule 7.3: alerts of a cluster
test('alerts are shown, those with a right only to who has it', async () => {
  const alert = (name: string, labels: Record<string, string>) =>
    rig.store.resources.create(resourceNamed('cluster_alert', name, { labels, spec: { severity: 5, message: name } }));
  await alert('for-all', { 'postern.internal/alert-permit-all': 'yes' });
  await alert('for-who-reads-alerts', {});
  await alert('for-editors', { 'postern.internal/alert-verb-permit': 'token:create' });
  const shown = async (who: Browser) =>
    ((await who.call('GET', `${site}/alerts`)).json as { alerts: { metadata: { name: string } }[] }).alerts.map(
      ({ metadata }) => metadata.name,
    );
  expect(await shown(bob)).toEqual(['for-all']);
  expect((await shown(ann)).sort()).toEqual(['for-all', 'for-editors', 'for-who-reads-alerts']);
});

// Rule 7.3: resources/check
test('whether there is anything to reach', async () => {
  expect((await bob.call('GET', '/v1/webapi/resources/check')).json).toEqual({ hasResource: true });
  for (const list of ['apps', 'databases', 'desktops', 'kubernetes']) {
    expect((await ann.call('GET', `${site}/${list}`)).json).toEqual({ items: [], startKey: '', totalCount: 0 });
  }
});

test('a lists item carries what the store holds and nothing that the contract does not name', async () => {
  await rig.store.resources.create({
    ...resourceNamed('db', 'orders'),
    description: 'Orders',
    address: 'pg:5432',
    subtype: 'self-hosted',
    labels: { env: 'prod' },
    spec: { protocol: 'postgres', uri: 'pg:5432', password: 'hidden-plumbing' },
  });
  const { json, body } = await ann.call('GET', `${site}/databases`);
  expect(json).toMatchObject({
    items: [
      { kind: 'db', name: 'orders', desc: 'Orders', protocol: 'postgres', labels: [{ name: 'env', value: 'prod' }] },
    ],
  });
  expect(body).not.toContain('plumbing');
});

/** A subscriber that keeps nothing: the session is what counts here. */
const nowhere: Subscriber = {
  begin: () => undefined,
  output: () => undefined,
  event: () => undefined,
  ended: () => undefined,
  bufferedBytes: () => 0,
  onDrain: () => undefined,
};

async function runningSession(who: Browser): Promise<string> {
  const person: Who = await rig.services.identity.sessions.authenticate({
    cookie: who.cookie,
    bearer: who.bearer,
    remoteAddr: '192.0.2.1:1',
  });
  const [server] = (
    await rig.store.resources.list('node', { limit: 1, search: 'web-1', selection: null, count: false })
  ).items;
  if (!server) throw new Error('web-1 is gone');
  const size = { cols: 80, rows: 24 };
  const { sid } = await rig.services.sessions.open({
    who: person,
    target: targetOf(server),
    login: person.rights.logins(server.labels)[0] ?? '',
    size,
  });
  rig.services.sessions.attach(sid, { who: person, mode: '', size, subscriber: nowhere });
  return sid;
}
const running = async (who: Browser) =>
  ((await who.call('GET', `${site}/sessions`)).json as { sessions: { id: string; participantModes: string[] }[] })
    .sessions;

test('running sessions are seen and ended by their owner, not by strangers', async () => {
  const sid = await runningSession(ann);
  expect(await running(ann)).toMatchObject([
    { id: sid, owner: 'ann', login: 'root', participantModes: expect.arrayContaining(['peer']) },
  ]);
  expect(await running(bob)).toEqual([]);
  expect((await bob.call('DELETE', `${site}/sessions/${sid}`)).status).toBe(404);
  expect((await ann.call('DELETE', `${site}/sessions/${sid}`)).status).toBe(200);
  expect(await running(ann)).toEqual([]);
});

test('who may join a session as a peer sees it but does not end it; a moderator does', async () => {
  const joining = (name: string, mode: string) =>
    ann.call('POST', '/v1/webapi/roles', {
      content: `kind: role\nversion: v7\nmetadata:\n  name: ${name}\nspec:\n  allow:\n    join_sessions:\n      - {name: all, roles: ["*"], kinds: [ssh], modes: [${mode}]}\n`,
    });
  expect([(await joining('joins', 'peer')).status, (await joining('moderates', 'moderator')).status]).toEqual([
    200, 200,
  ]);
  await rig.addUser('peer', ['joins']);
  await rig.addUser('moderator', ['moderates']);
  const peer = await rig.signIn('peer');
  const moderator = await rig.signIn('moderator');
  const sid = await runningSession(ann);
  expect(await running(peer)).toMatchObject([{ id: sid, participantModes: ['peer'] }]);
  expect((await peer.call('DELETE', `${site}/sessions/${sid}`)).status).toBe(403);
  expect((await moderator.call('DELETE', `${site}/sessions/${sid}`)).status).toBe(200);
  expect((await moderator.call('DELETE', `${site}/sessions/${sid}`)).status).toBe(404);
});

// Rule 7.3: ends of sessions are searched
test('what a session printed is played back, exported, and each reader noted once', async () => {
  const sid = await runningSession(ann);
  rig.shells.find(shell => shell.sid === sid)?.print('hello recorder\r\n');
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)));
  await ann.call('DELETE', `${site}/sessions/${sid}`);
  while ((await rig.store.events.endOf(sid)) === null) await new Promise(resolve => setImmediate(resolve));

  const thumbnail = (await ann.call('GET', `${site}/recordings/${sid}/screen?letters=no`)).json;
  expect(thumbnail).toMatchObject({ lines: [[[0, 14, '▆▆▆▆▆ ▆▆▆▆▆▆▆▆', '', '']]] });
  expect((await noted('T2012I')).filter(event => event.sid === sid)).toEqual([]);
  const summary = (await ann.call('GET', `${site}/recordings/${sid}`)).json;
  expect(summary).toMatchObject({
    sid,
    bytes: 16,
    cols: 80,
    rows: 24,
    state: 'sealed',
    integrity: { ok: true },
    login: 'root',
    hostname: 'web-1',
  });
  const segment = (await ann.call('GET', `${site}/recordings/${sid}/segments/0`)).json as { bytes: string };
  expect(Buffer.from(segment.bytes, 'base64').toString()).toBe('hello recorder\r\n');
  expect((await ann.call('GET', `${site}/recordings/${sid}/segments/99`)).status).toBe(404);
  const stream = await ann.call('GET', `${site}/sessions/${sid}/stream?offset=6&bytes=8`);
  expect([stream.headers['content-type'], stream.body]).toEqual(['application/octet-stream', 'recorder']);
  const events = (await ann.call('GET', `${site}/sessions/${sid}/events`)).json as { events: { event: string }[] };
  expect(events.events.map(({ event }) => event)).toEqual(['session.start', 'print', 'session.end']);
  const cast = await ann.call('GET', `${site}/recordings/${sid}/asciicast`);
  expect(cast.headers['content-disposition']).toBe(`attachment; filename="${sid}.cast"`);
  expect(JSON.parse(cast.body.split('\n')[0] ?? '')).toMatchObject({ version: 3, term: { cols: 80, rows: 24 } });

  expect((await noted('T2012I')).filter(event => event.sid === sid)).toMatchObject([
    { user: 'ann', event: 'session.recording.access' },
  ]);
  rig.later(5 * 60_000);
  await ann.call('GET', `${site}/recordings/${sid}`);
  expect((await noted('T2012I')).filter(event => event.sid === sid)).toHaveLength(1);
  const listed = (await ann.call('GET', `${site}/events/search/sessions`)).json as { events: { sid: string }[] };
  expect(listed.events.map(event => event.sid)).toContain(sid);
});

test('a search of the audit log can be narrowed by time, type and words, and is read in pages', async () => {
  const search = async (query: string) =>
    (await ann.call('GET', `${site}/events/search?${query}`)).json as {
      events: { event: string; name?: string }[];
      startKey: string;
    };
  const logins = await search('include=user.login&limit=2');
  expect(logins.events.map(({ event }) => event)).toEqual(['user.login', 'user.login']);
  const next = await search(`include=user.login&limit=2&startKey=${encodeURIComponent(logins.startKey)}`);
  expect(next.events).not.toEqual(logins.events);
  expect((await search('search=cache-1')).events.map(({ event }) => event)).toContain('instance.join');
  expect((await search('to=2001-01-01T00:00:00Z')).events).toEqual([]);
  const [oldest] = (await search('order=asc&limit=1')).events;
  expect(oldest?.event).toBe('user.create');
});

test('public answers say what a client needs and who it talks to', async () => {
  const ping = await call(rig.app, { method: 'GET', url: '/webapi/ping/local' });
  expect(ping.json).toMatchObject({
    auth: { type: 'local', second_factor: 'off' },
    cluster_name: CLUSTER,
    server_version: packageVersion(),
  });
  expect((await call(rig.app, { method: 'GET', url: '/v1/webapi/motd' })).json).toEqual({
    text: '</script><script>alert(1)</script>',
  });
  const presets = (await call(rig.app, { method: 'GET', url: '/v1/webapi/presetroles' })).json as { name: string }[];
  expect(presets.map(({ name }) => name).sort()).toEqual(['access', 'auditor', 'editor']);
});

// Rule 7.1: renewal takes an optional body
test('a renewal asks for at most one thing, and for no access request that is not there', async () => {
  const fresh = await rig.signIn('ann');
  const renew = (body?: object) => fresh.call('POST', '/v1/webapi/sessions/web/renew', body);
  expect((await renew({ switchback: true, reloadUser: true })).status).toBe(400);
  expect((await renew({ requestId: 'x' })).status).toBe(404);
  const renewed = await renew();
  expect([renewed.status, renewed.headers['set-cookie']]).toMatchObject([
    200,
    expect.stringContaining('__Host-session='),
  ]);
});
