// A leaf cluster joins its root: two real gateways, one token, and a shell on the leaf's own machine from the root's console.
import { userInfo } from 'node:os';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { acceptInvite, actingClient, signIn, type WireClient } from '../../e2e/rigs/client.ts';
import { freePort, type GatewayRig, openGateway } from '../../e2e/rigs/gateway.ts';
import type { Cluster } from '../contract/clusters.ts';
import type { MadeToken } from '../contract/new-join-token.ts';
import type { Node } from '../contract/nodes.ts';
import type { RemoteCluster, TrustedClusterItem } from '../contract/trusted-clusters.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });
const PASSWORD = 'correct horse battery';
const LOGIN = userInfo().username;

let root: GatewayRig;
let leaf: GatewayRig;
let tunnelPort: number;
let ann: WireClient;
let ben: WireClient;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  tunnelPort = await freePort();
  root = await openGateway({ flags: ['--ssh-listen', `127.0.0.1:${tunnelPort}`, '--cluster-name', 'hub'] });
  ends.push(() => root.dispose());
  leaf = await openGateway({ flags: ['--ssh-listen', `127.0.0.1:${await freePort()}`, '--cluster-name', 'acme-eu'] });
  ends.push(() => leaf.dispose());
  for (const gateway of [root, leaf]) await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  ann = await signIn(root.url, 'admin', PASSWORD);
  ben = await signIn(leaf.url, 'admin', PASSWORD);
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const newToken = async (roles: readonly string[] = ['Trusted_cluster'], more: object = {}): Promise<string> =>
  ((await ann.call('POST', 'token', { roles, uses: 1, ...more })) as MadeToken).id;
interface Written {
  readonly name?: string;
  readonly token?: string;
  readonly enabled?: boolean;
  readonly map?: string;
}
const document = ({
  name = 'hub',
  token,
  enabled = true,
  map = '[{remote: access, local: [access]}]',
}: Written): string =>
  [
    'kind: trusted_cluster',
    'version: v2',
    `metadata: {name: ${name}}`,
    'spec:',
    `  enabled: ${enabled}`,
    ...(token === undefined ? [] : [`  token: ${token}`]),
    `  tunnel_addr: 127.0.0.1:${tunnelPort}`,
    `  web_proxy_addr: ${new URL(root.url).host}`,
    `  role_map: ${map}`,
    '',
  ].join('\n');
const join = async (written: Written): Promise<TrustedClusterItem> =>
  (await ben.call('POST', 'trustedcluster', { content: document(written) })) as TrustedClusterItem;
const change = (written: Written) => ben.call('PUT', 'trustedcluster/hub', { content: document(written) });
const clusters = async (): Promise<readonly Cluster[]> => (await ann.call('GET', 'sites')) as Cluster[];
const status = async (): Promise<string | undefined> =>
  (await clusters()).find(({ name }) => name === 'acme-eu')?.status;
const online = () => expect.poll(status, { timeout: 20_000, interval: 100 }).toBe('online');
const nodes = async (who: WireClient = ann): Promise<readonly Node[]> =>
  ((await who.call('GET', 'sites/acme-eu/nodes')) as { items: Node[] }).items;
const machine = async (): Promise<Node> => {
  const [found] = await nodes();
  if (!found) throw new Error('the leaf lists no server');
  return found;
};
async function openShell() {
  return ann.shell({ cluster: 'acme-eu', server_id: (await machine()).id, login: LOGIN });
}

// Rule 7.3: trusted clusters
test('a token that is unknown, for another role or used up, and a name that is not the root’s, join nothing and leave nothing', async () => {
  await expect(join({ token: 'tabcdef.0123456789012345678901234567890' })).rejects.toThrow('not known here');
  await expect(join({ token: await newToken(['Node']) })).rejects.toThrow('is for servers, not for leaf clusters');
  const token = await newToken();
  await expect(join({ token, name: 'other' })).rejects.toThrow(/is called .{1,3}hub/);
  expect(await ben.call('GET', 'trustedcluster')).toEqual([]);
  expect(await ann.call('GET', 'remoteclusters')).toEqual([]);
  await expect(join({ token, map: '[{remote: access, local: [nowhere]}]' })).rejects.toThrow('nowhere');
  await ben.call('POST', 'trustedcluster', { content: document({ token }) });
  await ben.call('DELETE', 'trustedcluster/hub');
  // The root has pinned a key to the name: whoever comes with another must be let go of first, and a token counts once.
  await expect(join({ token: await newToken() })).rejects.toThrow('has joined already, with another key');
  await ann.call('DELETE', 'remoteclusters/acme-eu');
  await expect(join({ token })).rejects.toThrow('has been used up');
});

// Rule 7.3: clusters
test('it joins with one token, is online, and the token is gone from what it keeps', async () => {
  const token = await newToken(['Trusted_cluster'], { labels: [{ name: 'region', value: 'eu' }] });
  const made = await join({ token });
  expect(made.content).not.toContain(token.split('.')[1]);
  const remote = async () => ((await ann.call('GET', 'remoteclusters')) as RemoteCluster[])[0];
  const why = async () => ((await ben.call('GET', 'trustedcluster/hub')) as TrustedClusterItem).why;
  await expect.poll(why, { timeout: 10_000 }).toBe('');
  expect(((await ben.call('GET', 'trustedcluster')) as TrustedClusterItem[])[0]).toMatchObject({
    name: 'hub',
    status: 'connected',
    why: '',
  });
  expect(await remote()).toMatchObject({
    name: 'acme-eu',
    status: 'online',
    labels: [{ name: 'region', value: 'eu' }],
    fingerprint: expect.stringMatching(/^SHA256:/),
  });
});

// Rule 3.4: a cluster: whether it is connected, its versions and addresses
test('roles that choose no leaf of these labels do not see it; those that do see it with its count', async () => {
  expect(await status()).toBeUndefined();
  await expect(nodes()).rejects.toThrow('404');
  await ann.call('PUT', 'remoteclusters/acme-eu', { labels: [] });
  // A leaf that says nothing of itself in time is listed without its count.
  const told = async () => (await clusters()).map(({ name, status: now, nodeCount }) => `${name} ${now} ${nodeCount}`);
  await expect.poll(told, { timeout: 30_000 }).toEqual(['hub online 1', 'acme-eu online 1']);
});

test('a shell on the leaf, as who the leaf knows them, recorded and noted there, and seen from the root', async () => {
  const shell = await openShell();
  shell.send('echo on-$((40+2))\n');
  await shell.until('on-42');
  const live = (await ann.call('GET', 'sites/acme-eu/sessions')) as { sessions: { id: string; owner: string }[] };
  expect(live.sessions).toMatchObject([{ id: shell.sid, owner: 'hub/admin', cluster_name: 'acme-eu' }]);
  expect((await ann.call('GET', 'sites/hub/sessions')) as object).toEqual({ sessions: [] });
  shell.send('exit\n');
  await shell.closed;
  const seen = async (who: WireClient): Promise<string> =>
    JSON.stringify(await who.call('GET', 'sites/acme-eu/events/search'));
  await expect.poll(() => seen(ben), { timeout: 10_000 }).toContain('"session.end"');
  expect(await seen(ben)).toContain('"user":"hub/admin"');
});

test('a person without a role that the map knows gets nothing; another map counts at the next call; a disabled leaf lets nobody in', async () => {
  await change({ map: '[{remote: nobody, local: [access]}]' });
  await expect(nodes()).rejects.toThrow('none of your roles is mapped');
  await change({ map: '[{remote: "acc*", local: [access]}]' });
  expect(await nodes()).toHaveLength(1);
  const shell = await openShell();
  await change({ enabled: false });
  // The tunnel is cut with it: nothing is left that could say why.
  await shell.closed;
  await expect.poll(status, { timeout: 10_000 }).toBe('offline');
  await expect(nodes()).rejects.toThrow(/404.*acme-eu.*is offline: it was last connected at 20/);
  await change({});
  await online();
  await expect(change({ name: 'hub', token: 'ab.0123456789012345678901234567890123' })).rejects.toThrow(
    'only enabled and role_map',
  );
});

test('a capture makes nobody a person who gives rights; such a role must be named to the letter', async () => {
  const users = () => ann.call('POST', 'sites/acme-eu/apps', { name: 'x', uri: 'http://127.0.0.1:1' });
  await change({ map: '[{remote: "^(.*)$", local: ["$1"]}]' });
  await expect(users()).rejects.toThrow('403');
  expect(await nodes()).toHaveLength(1);
  await change({ map: '[{remote: editor, local: [editor]}, {remote: access, local: [access]}]' });
  await expect(users()).resolves.toMatchObject({ name: 'x' });
  await change({});
});

test('a role of the leaf that asks for a second factor for each session opens nothing to a person who has none at the root, in words, and lists are not asked', async () => {
  const content =
    "kind: role\nversion: v7\nmetadata: {name: touched}\nspec: {allow: {logins: ['*'], node_labels: {'*': '*'}}, options: {require_session_mfa: true}}\n";
  await ben.call('POST', 'roles', { content });
  await change({ map: '[{remote: access, local: [access, touched]}]' });
  await expect(openShell()).rejects.toThrow('you have none registered');
  const node = { node_name: (await machine()).id, login: LOGIN };
  const file = `sites/acme-eu/nodes/${node.node_name}/${LOGIN}/scp?location=/etc/hosts`;
  expect(await ann.call('POST', 'sites/acme-eu/mfa/required', { node })).toEqual({ required: true });
  await expect(ann.call('GET', file)).rejects.toThrow('MFA required for file transfer');
  await expect(ann.call('GET', `${file}&webauthn=%7B%7D`)).rejects.toThrow('The hardware key was not accepted.');
  expect(await nodes()).toHaveLength(1);
  await change({});
  const shell = await openShell();
  shell.send('exit\n');
  await shell.closed;
});

test('who acts as another at the root is named beside them on the leaf, with what the map makes of the other’s roles and no more', async () => {
  const role = (name: string, spec: string) =>
    ann.call('POST', 'roles', { content: `kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: ${spec}\n` });
  await role('deploys', '{}');
  await role('acts', '{allow: {impersonate: {users: [robot], roles: [deploys]}}}');
  const { roles } = (await ann.call('GET', 'users/admin')) as { roles: string[] };
  await ann.call('PUT', 'users', { name: 'admin', roles: [...roles, 'acts'] });
  await ann.call('POST', 'users', { name: 'robot', roles: ['deploys'], allTraits: { logins: [LOGIN] } });
  const given = (await ann.call('POST', 'users/impersonate', { user: 'robot' })) as { token: string; cookie: string };
  const robot = await actingClient(root.url, given);
  // Their own roles at the root, which the map knows, are not the other's.
  await expect(nodes(robot)).rejects.toThrow('none of your roles is mapped');
  await change({ map: '[{remote: deploys, local: [access]}]' });
  const shell = await robot.shell({ cluster: 'acme-eu', server_id: (await nodes(robot))[0]?.id ?? '', login: LOGIN });
  const started = async (gateway: WireClient, cluster: string): Promise<readonly object[]> =>
    ((await gateway.call('GET', `sites/${cluster}/events/search`)) as { events: object[] }).events;
  await expect
    .poll(() => started(ben, 'acme-eu'), { timeout: 10_000 })
    .toContainEqual(expect.objectContaining({ event: 'session.start', user: 'hub/robot', impersonator: 'hub/admin' }));
  expect(await started(ann, 'hub')).toContainEqual(
    expect.objectContaining({ event: 'cert.create', user: 'robot', impersonator: 'admin' }),
  );
  const { sessions } = (await ben.call('GET', 'sites/acme-eu/sessions')) as { sessions: { parties: object[] }[] };
  expect(sessions[0]?.parties[0]).toMatchObject({ user: 'hub/robot', impersonator: 'hub/admin' });
  // A lock of whoever acts, at the leaf, ends what they do there.
  await ben.call('PUT', 'sites/-current-/locks', { targets: { user: 'hub/admin' }, message: 'enough' });
  await shell.closed;
  await expect(nodes(robot)).rejects.toThrow('403');
  const locks = (await ben.call('GET', 'sites/-current-/locks')) as { name: string }[];
  for (const { name } of locks) await ben.call('DELETE', `sites/-current-/locks/${name}`);
  await change({});
});

test('a second leaf joins: each is a cluster of its own, and nobody goes from one to the other', async () => {
  const third = await openGateway({
    flags: ['--ssh-listen', `127.0.0.1:${await freePort()}`, '--cluster-name', 'acme-us'],
  });
  try {
    await acceptInvite(third.url, third.invite(), PASSWORD);
    const cat = await signIn(third.url, 'admin', PASSWORD);
    await cat.call('POST', 'trustedcluster', { content: document({ token: await newToken() }) });
    const states = async () => (await clusters()).map(({ name, status: now }) => `${name} ${now}`);
    await expect.poll(states, { timeout: 20_000 }).toEqual(['hub online', 'acme-eu online', 'acme-us online']);
    const listed = async (cluster: string): Promise<readonly Node[]> =>
      ((await ann.call('GET', `sites/${cluster}/nodes`)) as { items: Node[] }).items;
    for (const cluster of ['acme-eu', 'acme-us']) {
      const [host] = await listed(cluster);
      expect(host?.siteId).toBe(cluster);
      const shell = await ann.shell({ cluster, server_id: host?.id ?? '', login: LOGIN });
      shell.send('echo on-$((40+2))\n');
      await shell.until('on-42');
      shell.send('exit\n');
      await shell.closed;
    }
    // A leaf knows of no other: neither its own people nor the root's get through it.
    for (const [who, cluster] of [
      [cat, 'acme-eu'],
      [ben, 'acme-us'],
      [cat, 'hub'],
    ] as const)
      await expect(who.call('GET', `sites/${cluster}/nodes`)).rejects.toThrow('404');
    // One goes away, and the other stays.
    await third.kill('SIGKILL');
    await expect.poll(states, { timeout: 20_000 }).toEqual(['hub online', 'acme-eu online', 'acme-us offline']);
    await expect(listed('acme-us')).rejects.toThrow('is offline');
    expect(await listed('acme-eu')).toHaveLength(1);
    await ann.call('DELETE', 'remoteclusters/acme-us');
  } finally {
    await third.dispose();
  }
});

test('what a root says of its people counts over the tunnel alone, and the leaf’s own pairs say nothing at the root', async () => {
  const { cookie, bearer } = ben;
  const at = (url: string, headers: Record<string, string>) =>
    fetch(`${url}/v1/webapi/sites/-current-/nodes`, { headers }).then(({ status: code }) => code);
  expect(await at(root.url, { cookie, authorization: `Bearer ${bearer}` })).toBe(403);
  expect(await at(leaf.url, { cookie: ann.cookie, authorization: `Bearer ${ann.bearer}` })).toBe(403);
  expect(await at(leaf.url, { 'postern-visitor': 'x.y.z' })).toBe(403);
});

test('a sign-out at the root ends what is open on the leaf, with the reason in words', async () => {
  const other = await signIn(root.url, 'admin', PASSWORD);
  const shell = await other.shell({ cluster: 'acme-eu', server_id: (await machine()).id, login: LOGIN });
  await other.call('DELETE', 'sessions/web');
  await shell.closed;
});

test('the leaf is killed: lists say so, and it is back with what it had', async () => {
  await leaf.kill('SIGKILL');
  await expect.poll(status, { timeout: 20_000 }).toBe('offline');
  await expect(nodes()).rejects.toThrow('is offline');
  await leaf.start();
  await online();
  expect(await nodes()).toHaveLength(1);
});

test('the root is restarted: the leaf dials again by itself', async () => {
  await root.kill('SIGTERM');
  await root.start();
  ann = await signIn(root.url, 'admin', PASSWORD);
  await online();
  expect(await nodes()).toHaveLength(1);
});

test('taken out at the root, it is gone there and says why at the leaf', async () => {
  await ann.call('DELETE', 'remoteclusters/acme-eu');
  expect(await status()).toBeUndefined();
  const why = async () => ((await ben.call('GET', 'trustedcluster/hub')) as TrustedClusterItem).why;
  ben = await signIn(leaf.url, 'admin', PASSWORD);
  await expect.poll(why, { timeout: 20_000 }).toContain('has been removed there');
});
