import { expect, test } from 'vitest';
import type { AuditEvent } from '../src/contract/audit.ts';
import { searchSessionEvents } from '../src/contract/audit.ts';
import { listClusters } from '../src/contract/clusters.ts';
import { listNodes } from '../src/contract/nodes.ts';
import { listApps, listDatabases, listDesktops, listKubes } from '../src/contract/resources.ts';
import { listUsers } from '../src/contract/users.ts';
import {
  findApplications,
  findClusters,
  findDatabases,
  findDesktops,
  findKubes,
  findLabelled,
  findRecordings,
  findServers,
  findUsers,
} from './find.ts';
import { recordingThing } from './recording-thing.ts';
import { loginsInOrder } from './things.ts';
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
    call === listNodes
      ? { items: [node, { ...node, id: 'n2', tunnel: true, tags: [] }], startKey: 'more', totalCount: 9 }
      : undefined,
  );
  const found = await findServers(tools, 'main', '', 50);
  expect(found).toMatchObject({
    complete: false,
    things: [{ detail: 'db-3:22  env: prod', logins: ['root', 'ada'] }, { detail: 'tunnel' }],
  });
});

test('a search longer than the gateway takes is cut, not refused', async () => {
  const { tools, made } = recorder(() => ({ items: [], startKey: '', totalCount: 0 }));
  await findServers(tools, 'main', 'x'.repeat(5000), 50);
  expect(made).toMatchObject([{ query: { search: 'x'.repeat(1024) } }]);
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

test('recordings are asked for newest first, within the last thirty days', async () => {
  const { tools, made } = recorder(({ call }) =>
    call === searchSessionEvents ? { events: [ended({}), ended({ sid: '' })], startKey: '' } : undefined,
  );
  const found = await findRecordings(tools, 'main', ' db ', 50);
  expect(found.things.length).toBe(1);
  const query = made[0]?.query as { from: string; to: string; order: string; search: string };
  expect(Date.parse(query.to) - Date.parse(query.from)).toBe(30 * 24 * 3_600_000);
  expect(query).toMatchObject({ order: 'desc', search: 'db', limit: 50 });
});

test('people are found by every typed word, in their name or roles', async () => {
  const { tools } = recorder(({ call }) =>
    call === listUsers
      ? [
          { name: 'bob', roles: ['access'] },
          { name: 'eve', roles: ['auditor', 'access'] },
        ]
      : undefined,
  );
  expect((await findUsers(tools, 'ACCESS e', 50)).things.map(({ id }) => id)).toEqual(['bob', 'eve']);
  expect((await findUsers(tools, 'auditor eve', 50)).things.map(({ id }) => id)).toEqual(['eve']);
  expect(await findUsers(tools, '', 1)).toMatchObject({ complete: false, things: [{ id: 'bob' }] });
});

test("the gateway's own cluster comes first, and one that is offline is refused", async () => {
  const cluster = (name: string, status: string) => ({ name, status, publicURL: `${name}:443` });
  const { tools } = recorder(({ call }) =>
    call === listClusters ? [cluster('alpha', 'offline'), cluster('main', 'online')] : undefined,
  );
  expect((await findClusters(tools, 'main', '', 50)).things).toMatchObject([
    { id: 'main' },
    { id: 'alpha', refused: 'This cluster is offline' },
  ]);
});

test.each([
  [findApplications, listApps, { name: 'wiki', friendlyName: 'The wiki', publicAddr: 'wiki.example.com' }],
  [findDatabases, listDatabases, { name: 'orders', protocol: 'postgres' }],
  [findDesktops, listDesktops, { name: 'win-1', addr: 'win-1:3389', logins: ['Administrator'] }],
  [findKubes, listKubes, { name: 'prod' }],
] as const)('%o asks the gateway with the words and says whether that is all', async (find, list, item) => {
  const { tools, made } = recorder(() => ({
    items: [{ ...item, labels: [{ name: 'env', value: 'prod' }] }],
    startKey: 'more',
  }));
  const { things, complete } = await find(tools, 'main', ' wi ', 7);
  expect(made).toMatchObject([
    { call: list, params: { clusterId: 'main' }, query: { search: 'wi', limit: 7, sort: 'name:asc' } },
  ]);
  expect([things[0]?.id, things[0]?.detail?.endsWith('env: prod'), complete]).toEqual([item.name, true, false]);
});
