import { expect, test } from 'vitest';
import type { AuditEvent } from '../src/contract/audit.ts';
import { search } from '../src/contract/search.ts';
import { items } from '../src/features/items.ts';
import { recordingThing } from '../src/features/recording.ts';
import { loginsInOrder } from '../src/features/thing.ts';
import { findLabelled, findThings } from './found.ts';
import { recorder } from './tools.testing.ts';

const ended = (more: Record<string, unknown>): AuditEvent => ({
  event: 'session.end',
  code: 'T2004I',
  time: '2026-11-01T10:00:00Z',
  uid: 'u',
  sid: 'r1',
  server_hostname: 'db-3',
  participants: ['ada', 'bob'],
  session_start: '2026-11-01T09:59:00Z',
  session_stop: '2026-11-01T10:00:00Z',
  interactive: true,
  ...more,
});

test('root is the first of the logins, the others keep their order', () => {
  expect(loginsInOrder(['zoe', 'root', 'ada'])).toEqual(['root', 'zoe', 'ada']);
  expect(loginsInOrder([])).toEqual([]);
});

test('a server has its address, or that it is tunnelled, and its labels beside its name', async () => {
  const node = {
    id: 'n1',
    hostname: 'db-3',
    addr: 'db-3:22',
    tunnel: false,
    tags: [{ name: 'env', value: 'prod' }],
    sshLogins: ['ada', 'root'],
  };
  const { tools } = recorder(({ call }) =>
    call === search
      ? { server: { items: [node, { ...node, id: 'n2', tunnel: true, tags: [] }], complete: false } }
      : undefined,
  );
  const found = await findThings(tools, 'main', ['server'], '', 50);
  expect(found.get('server')).toMatchObject({
    complete: false,
    things: [
      { detail: 'db-3:22', labels: [{ name: 'env', value: 'prod' }], logins: ['root', 'ada'] },
      { detail: 'tunnel', labels: [] },
    ],
  });
});

test('a server is found by its name and port, and by no other port', async () => {
  const node = { hostname: 'db-3', tunnel: false, tags: [], sshLogins: [] };
  const nodes = [
    { ...node, id: 'far', addr: '10.0.0.3:2222' },
    { ...node, id: 'here', addr: '', subKind: 'local' },
  ];
  const { tools } = recorder(({ query }) => {
    const { search: words } = query as { search: string };
    return { server: { items: words === 'db-3' ? nodes : [], complete: true } };
  });
  const found = async (typed: string) =>
    (await findThings(tools, 'main', ['server'], typed, 50)).get('server')?.things.map(({ id, title }) => [id, title]);
  expect(await found('db-3:2222')).toEqual([['far', 'db-3:2222']]);
  expect(await found('db-3:22')).toEqual([['here', 'db-3:22']]);
  expect([await found('db-3:23'), await found('db-4:22')]).toEqual([[], []]);
});

test('all kinds are asked for in one call, with the words and no more of them than the gateway takes', async () => {
  const { tools, made } = recorder(() => ({}));
  await findThings(tools, 'main', ['server', 'user'], ` ${'x'.repeat(5000)} `, 50);
  await findThings(tools, 'main', ['role'], '  ', 7);
  expect(made).toEqual([
    {
      call: search,
      params: { clusterId: 'main' },
      query: { nouns: 'server,user', limit: 50, search: 'x'.repeat(512) },
    },
    { call: search, params: { clusterId: 'main' }, query: { nouns: 'role', limit: 7 } },
  ]);
});

test('a kind that the gateway leaves out was not found, and an event that names no session is no recording', async () => {
  const { tools } = recorder(() => ({ recording: { items: [ended({}), ended({ sid: '' })], complete: true } }));
  const found = await findThings(tools, 'main', ['user', 'recording'], '', 50);
  expect([...found].map(([kind, { things }]) => [kind, things.map(({ id }) => id)])).toEqual([['recording', ['r1']]]);
});

test.each([
  ['env', { search: 'env' }],
  ['env=prod', { query: 'labels["env"] == "prod"' }],
  ['env: prod 1', { query: 'labels["env"] == "prod 1"' }],
  ['env=', { search: 'env' }],
  ['a"b=c\\d', { query: 'labels["a\\"b"] == "c\\\\d"' }],
])('the label %s asks for %o', async (typed, query) => {
  const { tools, made } = recorder(() => ({ items: [], startKey: '', totalCount: 0 }));
  await findLabelled(tools, 'main', typed, 50);
  expect(made[0]?.query).toMatchObject(query);
});

test('a recording is known by its end: who, when, how long', () => {
  expect(recordingThing(ended({}))).toEqual({
    kind: 'recording',
    id: 'r1',
    title: 'db-3',
    detail: 'ada, bob  2026-11-01 10:00:00  r1',
    recording: { type: 'ssh', durationMs: 60_000 },
  });
});
test.each<[string, Record<string, unknown>, object]>([
  [
    'kubernetes',
    { proto: 'kube', kubernetes_cluster: 'k1' },
    { title: 'k1', recording: { type: 'k8s', durationMs: 60_000 } },
  ],
  [
    'a desktop',
    { event: 'windows.desktop.session.end', desktop_name: 'win', user: 'ada' },
    { title: 'win', recording: { type: 'desktop', durationMs: 60_000 } },
  ],
  [
    'a desktop that was not recorded',
    { event: 'windows.desktop.session.end', recorded: false },
    { refused: 'This session was not recorded' },
  ],
  ['recording off', { session_recording: 'off' }, { refused: 'This session was not recorded' }],
  ['a session that was not interactive', { interactive: false }, { refused: 'This session was not interactive' }],
  ['times that make no sense', { session_stop: 'soon' }, { recording: { type: 'ssh', durationMs: 0 } }],
  ['fields of the wrong kind', { participants: 'ada', server_hostname: 7 }, { title: 'r1' }],
])('of %s', (_name, more, expected) => expect(recordingThing(ended(more))).toMatchObject(expected));
test('an event without a session is no recording', () => expect(recordingThing(ended({ sid: 7 }))).toBeNull());

test('recordings are listed newest first, within the last thirty days', async () => {
  const { tools, made } = recorder(() => ({ events: [ended({})], startKey: '' }));
  await items.recording.list(tools.call, { clusterId: 'main', search: 'db', limit: 50, startKey: '' });
  const query = made[0]?.query as { from: string; to: string };
  expect(Date.parse(query.to) - Date.parse(query.from)).toBe(30 * 24 * 3_600_000);
  expect(query).toMatchObject({ order: 'desc', search: 'db', limit: 50 });
});

test('a cluster that is offline is refused', () => {
  const cluster = {
    name: 'alpha',
    status: 'offline' as const,
    publicURL: 'alpha:443',
    nodeCount: 0,
    lastConnected: '',
    authVersion: '',
    proxyVersion: '',
  };
  expect(items.cluster.thing(cluster)).toMatchObject({ id: 'alpha', refused: 'This cluster is offline' });
});
