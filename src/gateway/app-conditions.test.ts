// Conditions of rules, at every call that a rule can give: each thing of a list is asked for, and what cannot be decided is not allowed.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SESSION_COOKIE } from '../contract/session.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';
import { targetOf } from './services/servers/servers.ts';
import { serverNamed } from './store/store.testing.ts';

let rig: Rig;
const site = `/v1/webapi/sites/${CLUSTER}`;
const sids: Readonly<Record<'mine' | 'others', string>> = { mine: randomUUID(), others: randomUUID() };
let liveSid = '';
const alertLabels = { 'postern.internal/alert-on-login': 'yes' };

/** Kinds with a list, the list's path and what rules call them. */
const lists = {
  node: ['nodes', 'node'],
  app: ['apps', 'app_server'],
  db: ['databases', 'db_server'],
  db_service: ['databaseservices', 'db_service'],
  windows_desktop: ['desktops', 'windows_desktop'],
  windows_desktop_service: ['desktopservices', 'windows_desktop_service'],
  kube_cluster: ['kubernetes', 'kube_server'],
  user_group: ['user-groups', 'user_group'],
} as const;
type Kind = keyof typeof lists;
const kinds = Object.keys(lists) as Kind[];

beforeAll(async () => {
  rig = await openRig();
  const { store } = rig;
  const { audit, sessions } = rig.services;
  for (const kind of kinds)
    for (const name of ['open', 'secret'])
      await store.resources.create(
        serverNamed(`${kind}-${name}`, {
          kind,
          labels: { stage: name },
          spec: kind === 'node' ? { hostKeys: ['ssh-ed25519 AAAA'] } : {},
        }),
      );
  for (const name of ['open', 'secret'])
    await store.resources.create(
      serverNamed(name, {
        kind: 'cluster_alert',
        labels: { ...alertLabels, stage: name },
        spec: { severity: 5, message: name },
      }),
    );
  for (const name of ['open', 'secret'])
    await store.resources.create(
      roleResource(
        JSON.stringify({
          kind: 'role',
          version: 'v7',
          metadata: { name: `role-${name}`, labels: { stage: name } },
          spec: {},
        }),
      ),
    );
  await rig.addUser('owner', ['access'], ['root']);
  await rig.addUser('secret', ['access']);
  const owner = await rig.signIn('owner');
  const who = await rig.services.identity.sessions.authenticate({ ...owner, remoteAddr: '127.0.0.1:1' });
  const server = await store.resources.get('node', 'node-open');
  if (!server) throw new Error('no server');
  const target = { ...targetOf(server), subKind: 'local' };
  liveSid = (await sessions.open({ who, target, login: 'root', size: { cols: 80, rows: 24 } })).sid;
  for (const [sid, user] of [
    [sids.mine, 'zoe'],
    [sids.others, 'owner'],
  ] as const)
    await audit.emit({
      code: 'T2004I',
      sid,
      user,
      participants: [user, 'bob'],
      session_start: '2026-01-01T00:00:00Z',
      session_stop: '2026-01-01T00:01:00Z',
    });
});
afterAll(() => rig.dispose());

interface RuleSource {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly where?: string;
}
const labels = Object.fromEntries(
  ['node', 'app', 'db', 'db_service', 'windows_desktop', 'kubernetes', 'group'].map(kind => [
    `${kind}_labels`,
    { '*': '*' },
  ]),
);
let people = 0;
/** Signs in somebody whose only role has these rules; servers and the like are all selected by label. */
async function personWith(allow: readonly RuleSource[], deny: readonly RuleSource[] = [], name = `p${people++}`) {
  const role = `conditions-${people++}`;
  const spec = { allow: { ...labels, rules: allow }, deny: { rules: deny } };
  await rig.store.resources.create(
    roleResource(JSON.stringify({ kind: 'role', version: 'v7', metadata: { name: role }, spec })),
  );
  await rig.addUser(name, [role]);
  return rig.signIn(name);
}
const rule = (resource: string, verb: string, where?: string): RuleSource => ({
  resources: [resource],
  verbs: [verb],
  ...(where !== undefined && { where }),
});
const notSecret = 'resource.metadata.labels["stage"] != "secret"';
const secret = 'resource.metadata.labels["stage"] == "secret"';

async function namesOf(who: Browser, path: string): Promise<string[]> {
  const { status, json } = await who.call('GET', path);
  expect([path, status]).toEqual([path, 200]);
  const found = JSON.stringify(json).match(/(?:"name"|"id"|"sid"|"hostname"):"([^"]+)"/g) ?? [];
  return found.map(text => text.replace(/^.*:"|"$/g, ''));
}

describe.each(kinds)('the list of %s', kind => {
  const [path, resource] = lists[kind];
  const asked = (who: Browser) => namesOf(who, `${site}/${path}`);
  test('leaves out what a condition denies, and counts without it', async () => {
    const who = await personWith([rule(resource, 'list')], [rule(resource, 'list', secret)]);
    const names = await asked(who);
    expect(names).toContain(`${kind}-open`);
    expect(names).not.toContain(`${kind}-secret`);
  });
  test('holds what a condition allows', async () => {
    const who = await personWith([rule(resource, 'list', notSecret)]);
    const names = await asked(who);
    expect(names).toContain(`${kind}-open`);
    // Servers and most others are listed for everybody whose labels select them; groups and database services need the rule.
    expect(names.includes(`${kind}-secret`)).toBe(!['user_group', 'db_service'].includes(kind));
  });
  test('knows the name as well as the labels', async () => {
    const who = await personWith(
      [rule(resource, 'list')],
      [rule(resource, 'list', `contains(user.spec.roles, "x") || equals(resource.metadata.name, "${kind}-secret")`)],
    );
    expect(await asked(who)).not.toContain(`${kind}-secret`);
  });
});

test.each([
  ['databases/db', 'db_server'],
  ['desktops/windows_desktop', 'windows_desktop'],
])('one thing that a condition denies is not there: %s', async (path, resource) => {
  const who = await personWith([], [rule(resource, 'read', secret)]);
  expect((await who.call('GET', `${site}/${path}-open`)).status).toBe(200);
  expect((await who.call('GET', `${site}/${path}-secret`)).status).toBe(404);
});

test('servers are removed, and host keys trusted, only where the condition holds', async () => {
  const who = await personWith([rule('node', '*', notSecret)]);
  const remove = (id: string) => who.call('DELETE', `${site}/nodes/${id}`);
  expect((await remove('node-secret')).status).toBe(404);
  const id = await rig.addServer('passing');
  expect((await remove(id)).status).toBe(200);
});

describe('events', () => {
  const events = async (who: Browser) =>
    (await namesOf(who, `${site}/events/search?include=session.end&from=2026-01-01T00:00:00Z`)).filter(name =>
      Object.values(sids).includes(name),
    );
  const recordings = async (who: Browser) =>
    (await namesOf(who, `${site}/events/search/sessions?from=2026-01-01T00:00:00Z`)).filter(name =>
      Object.values(sids).includes(name),
    );
  const own = 'contains(session.participants, user.metadata.name)';
  test("with a condition on who took part, others' are not shown", async () => {
    const who = await personWith([rule('event', 'list', own), rule('session', 'list', own)], [], 'zoe');
    // What stands there from before is another zoe's.
    expect([await events(who), await recordings(who)]).toEqual([[], []]);
    await rig.services.audit.emit({ code: 'T2004I', sid: sids.mine, user: 'zoe', participants: ['zoe', 'others'] });
    expect([await events(who), await recordings(who)]).toEqual([[sids.mine], [sids.mine]]);
  });
  test('what a condition denies is left out', async () => {
    const not = 'contains(session.participants, "zoe")';
    const who = await personWith(
      [rule('event', 'list'), rule('session', 'list')],
      [rule('event', 'list', not), rule('session', 'list', not)],
    );
    expect([await events(who), await recordings(who)]).toEqual([[sids.others], [sids.others]]);
  });
  test.each([
    ['contains(session.participants, "bob")', 2],
    ['contains(session.participants, "bob") && !contains(session.participants, "zoe")', 1],
    ['contains(session.participants, "zoe") || contains(session.participants, "owner")', 2],
    ['!contains(session.participants, "zoe")', 1],
    ['contains(session.participants, user.metadata.name)', 0],
    ['equals(user.metadata.name, "nobody")', 0],
  ])('%s shows %i', async (where, count) => {
    const who = await personWith([rule('event', 'list', where), rule('session', 'list', where)]);
    if (where.startsWith('equals')) return expect((await who.call('GET', `${site}/events/search`)).status).toBe(403);
    expect([new Set(await events(who)).size, new Set(await recordings(who)).size]).toEqual([count, count]);
    // Beside the caller's own filter, both hold.
    const of = await namesOf(who, `${site}/events/search?user=zoe&from=2026-01-01T00:00:00Z&include=session.end`);
    const expected = (await events(who)).includes(sids.mine);
    expect(of.includes(sids.mine)).toBe(expected);
    expect(of).not.toContain(sids.others);
  });
  test('only whoever sees every event is told how many there are', async () => {
    const month = 'from=2026-01-01T00:00:00Z&to=2100-01-01T00:00:00Z&include=session.end';
    const asked = async (slices: number, where?: string) =>
      (await personWith([rule('event', 'list', where)])).call(
        'GET',
        `${site}/events/timeline?${month}&slices=${slices}`,
      );
    expect((await asked(2)).json).toMatchObject({ slices: [{ isPart: false }, { count: 0, isPart: false }] });
    expect((await asked(2, 'contains(session.participants, "bob")')).json).toEqual({ slices: [] });
    expect(((await asked(1000)).json as { slices: unknown[] }).slices).toHaveLength(120);
  });
  test('a page is filled although conditions leave out most of what was read', async () => {
    const who = await personWith([rule('event', 'list', '!contains(session.participants, "noise")')]);
    for (let made = 0; made < 30; made++) await rig.services.audit.emit({ code: 'T1002I', user: 'noise', name: 'x' });
    const { json } = await who.call('GET', `${site}/events/search?limit=2`);
    expect((json as { events: unknown[] }).events).toHaveLength(2);
  });
  test('a file of all events holds what the search shows, of every page, and nothing else', async () => {
    const who = await personWith([rule('event', 'list', '!contains(session.participants, "noise")')]);
    const stranger = await personWith([rule('event', 'list')]);
    const month = 'from=2026-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    const { json } = await who.call('GET', `${site}/events/search?limit=5000&${month}`);
    const file = await who.call('GET', `${site}/events/export?format=ndjson&${month}`);
    const lines = file.body.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.map(line => JSON.parse(line))).toEqual((json as { events: unknown[] }).events);
    const link = async () => {
      const { json: made } = await who.call('POST', `${site}/events/export`);
      return `${site}/events/export/${(made as { token: string }).token}?format=ndjson&${month}`;
    };
    const [first, other] = [await link(), await link()];
    // A browser that follows a link sends no more than its cookie.
    const follow = async (url: string, cookie: string) =>
      rig.app.inject({ method: 'GET', url, headers: { cookie: `${SESSION_COOKIE}=${cookie}` } });
    expect((await follow(first, stranger.cookie)).statusCode).toBe(403);
    expect((await follow(first, '')).statusCode).toBe(403);
    const followed = await follow(first, who.cookie);
    expect([followed.body, followed.headers['content-disposition']]).toEqual([
      file.body,
      expect.stringContaining('attachment; filename="audit-'),
    ]);
    expect((await follow(first, who.cookie)).statusCode).toBe(403);
    rig.later(61_000);
    expect((await follow(other, who.cookie)).statusCode).toBe(403);
    const csv = await who.call('GET', `${site}/events/export?format=csv&${month}&include=session.end`);
    expect(csv.body.split('\r\n')[0]).toMatch(/^time,code,/);
    for (const [query, status] of [
      ['format=pdf', 400],
      [`format=csv&${month}&include=${'x,'.repeat(301)}`, 400],
    ] as const)
      expect((await who.call('GET', `${site}/events/export?${query}`)).status, query).toBe(status);
  });
  test('recordings are read only where the condition holds', async () => {
    const who = await personWith([rule('session', 'read', 'contains(session.participants, "zoe")')]);
    const read = async (sid: string) => (await who.call('GET', `${site}/sessions/${sid}/events`)).status;
    expect([await read(sids.mine), await read(sids.others)]).toEqual([404, 403]);
  });
});

describe('users and roles', () => {
  const name = (wanted: string) => `resource.metadata.name == "${wanted}"`;
  test('are listed and read where the condition holds', async () => {
    const who = await personWith(
      [rule('user', '*'), rule('role', '*')],
      [rule('user', '*', name('secret')), rule('role', '*', secret)],
    );
    expect(await namesOf(who, '/v1/webapi/users')).not.toContain('secret');
    expect(await namesOf(who, '/v1/webapi/roles')).toContain('role-open');
    expect(await namesOf(who, '/v1/webapi/roles')).not.toContain('role-secret');
    const status = async (method: string, path: string, body?: unknown) =>
      (await who.call(method, `/v1/webapi/${path}`, body)).status;
    expect(await status('GET', 'users/secret')).toBe(403);
    expect(await status('PUT', 'users', { name: 'secret', roles: ['access'] })).toBe(403);
    expect(await status('DELETE', 'users/secret')).toBe(403);
    expect(await status('POST', 'users/password/token', { name: 'secret', type: 'password' })).toBe(403);
    expect(await status('GET', 'roles/role-secret')).toBe(403);
    expect(await status('DELETE', 'roles/role-secret')).toBe(403);
    expect(await status('GET', 'users/owner')).toBe(200);
    expect(await status('DELETE', 'roles/role-open')).toBe(200);
  });
  test('and not where nothing else allows it', async () => {
    const who = await personWith([rule('user', '*', name('owner'))]);
    expect(await namesOf(who, '/v1/webapi/users')).toContain('owner');
    expect(await namesOf(who, '/v1/webapi/users')).not.toContain('secret');
    expect((await who.call('POST', '/v1/webapi/users', { name: 'new', roles: ['access'] })).status).toBe(403);
  });
});

test('running sessions are listed where the condition holds', async () => {
  const seen = async (where: string, side: 'allow' | 'deny') => {
    const who = await personWith(
      [rule('ssh_session', 'list', side === 'allow' ? where : undefined)],
      side === 'deny' ? [rule('ssh_session', 'list', where)] : [],
    );
    return (await namesOf(who, `${site}/sessions`)).includes(liveSid);
  };
  const owners = 'contains(ssh_session.participants, "owner")';
  const others = 'contains(ssh_session.participants, "somebody")';
  expect([await seen(owners, 'allow'), await seen(others, 'allow')]).toEqual([true, false]);
  expect([await seen(owners, 'deny'), await seen(others, 'deny')]).toEqual([false, true]);
});

test('alerts are shown where the condition holds', async () => {
  const allowed = await namesOf(await personWith([rule('cluster_alert', 'list', notSecret)]), `${site}/alerts`);
  const left = await namesOf(
    await personWith([rule('cluster_alert', 'list')], [rule('cluster_alert', 'list', secret)]),
    `${site}/alerts`,
  );
  for (const names of [allowed, left])
    expect([names.includes('open'), names.includes('secret')]).toEqual([true, false]);
});

test.each([
  ['event', secret, 'a condition on resource cannot be decided for "event": there it can speak of user, session'],
  ['node', 'contains(session.participants, "x")', 'a condition on session cannot be decided for "node"'],
  ['billing', notSecret, 'a condition on resource cannot be decided for "billing": there it can speak of user'],
  ['session', 'impersonate_user.name == "x"', 'a condition on impersonate_user cannot be decided for "session"'],
  ['*', secret, 'a condition on resource cannot stand beside "*": name the resources that it is about'],
])('a condition that nobody could decide is refused when it is written: %s where %s', (resource, where, why) => {
  for (const side of ['allow', 'deny']) {
    const spec = { [side]: { rules: [rule('user', 'list'), rule(resource, 'list', where)] } };
    const content = JSON.stringify({ kind: 'role', version: 'v7', metadata: { name: 'x' }, spec });
    expect(() => roleResource(content)).toThrow(`role x: spec.${side}.rules.1.where: ${why}`);
  }
});
