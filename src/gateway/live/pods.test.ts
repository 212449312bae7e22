import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiServerDouble, openApiServerDouble, runningPod } from '../../../e2e/rigs/api-server.ts';
import { containerAddress } from '../../contract/container-address.ts';
import { decodeFrame, encodeFrame, frameTypes } from '../../contract/envelope.ts';
import { type Challenge, FACTOR_MISSING } from '../../contract/mfa.ts';
import type { PodsMessage, PodsParams } from '../../contract/pods.ts';
import { type Browser, CLUSTER, call, openRig, PASSWORD, type Rig } from '../app.testing.ts';
import { roleResource } from '../services/rights/source.ts';
import { createSoftwareKey } from '../software-key.testing.ts';

let rig: Rig;
let cluster: ApiServerDouble;
let port: number;
let ann: Browser;
let bob: Browser;

const role = (name: string, resources: string): string => `kind: role
version: v7
metadata: { name: ${name} }
spec:
  options: { reach_loopback: true }
  allow: { kubernetes_labels: { env: prod }, kubernetes_groups: [dev], kubernetes_resources: [${resources}] }
`;
beforeAll(async () => {
  [rig, cluster] = await Promise.all([openRig({ factors: { secondFactor: 'optional' } }), openApiServerDouble()]);
  const spec = {
    server: cluster.url,
    ca_cert: cluster.authority,
    client_cert: cluster.gateway.certificate,
    client_key: cluster.gateway.key,
  };
  const metadata = { name: 'prod', labels: { env: 'prod' } };
  const content = JSON.stringify({ kind: 'kube_cluster', version: 'v3', metadata, spec });
  const { problems } = await rig.declared.apply([{ name: 'prod.json', content }], { by: 'root' });
  expect(problems).toEqual([]);
  for (const [name, resources] of Object.entries({
    dev: "{ kind: '*', namespace: '*', name: '*', verbs: ['*'] }",
    reader: "{ kind: pods, namespace: default, name: 'web-*', verbs: [list, watch, get] }",
  }))
    await rig.store.resources.create(roleResource(role(name, resources)));
  await rig.addUser('ann', ['access', 'dev']);
  await rig.addUser('bob', ['reader']);
  await rig.addUser('eve', ['access']);
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
  [ann, bob] = await Promise.all([rig.signIn('ann'), rig.signIn('bob')]);
  for (const pod of [runningPod('web-0', 'default', ['main', 'side']), runningPod('queue-0', 'shop')]) cluster.set(pod);
});
afterAll(async () => {
  await rig?.dispose();
  cluster?.dispose();
});

/** Opens a socket; what is said is handed out in order. */
function connect(who: Browser, path: string, params: object) {
  const query = new URLSearchParams({ access_token: who.bearer, params: JSON.stringify(params), traceparent: '' });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/webapi/sites/${CLUSTER}/${path}?${query}`, {
    headers: { cookie: `__Host-session=${who.cookie}` },
  } as unknown as string[]);
  socket.binaryType = 'arraybuffer';
  return socket;
}
function live(who: Browser, params: Partial<PodsParams>) {
  const socket = connect(who, 'kubernetes/prod/live', params);
  const said: PodsMessage[] = [];
  const waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const one of waiting.splice(0)) one();
  };
  socket.addEventListener('message', ({ data }) => {
    said.push(JSON.parse(String(data)) as PodsMessage);
    wake();
  });
  socket.addEventListener('close', wake);
  return {
    async next(): Promise<PodsMessage | undefined> {
      while (said.length === 0 && socket.readyState < WebSocket.CLOSING)
        await new Promise<void>(go => waiting.push(go));
      return said.shift();
    },
    say: (answer: unknown) => socket.send(JSON.stringify(answer)),
    close: () => socket.close(),
  };
}
const names = (pods: PodsMessage['pods'] = []) =>
  pods.map(({ namespace, name, status }) => `${namespace}/${name} ${status}`);

test('pods are told as they are, and whatever changes, also after the cluster has ended the watch', async () => {
  const watch = live(ann, { what: 'pods' });
  const first = await watch.next();
  expect(names(first?.pods)).toEqual(['default/web-0 Running', 'shop/queue-0 Running']);
  expect(first?.namespaces).toEqual(['default', 'shop']);
  const starting = runningPod('web-1');
  const waits = { name: 'main', ready: false, restartCount: 2, state: { waiting: { reason: 'CrashLoopBackOff' } } };
  cluster.set({ ...starting, status: { phase: 'Running', containerStatuses: [waits] } });
  const changed = await watch.next();
  expect(changed?.changed).toMatchObject([{ name: 'web-1', status: 'CrashLoopBackOff', ready: '0/1', restarts: 2 }]);
  cluster.remove(starting);
  expect((await watch.next())?.gone).toEqual(['default/web-1']);
  cluster.endWatches();
  expect(names((await watch.next())?.pods)).toEqual(['default/web-0 Running', 'shop/queue-0 Running']);
  watch.close();
});

test('only what roles name is told, found and described', async () => {
  const watch = live(bob, { what: 'pods', namespace: 'default' });
  expect(names((await watch.next())?.pods)).toEqual(['default/web-0 Running']);
  watch.close();
  const found = async (who: Browser, search: string) => {
    const { json } = await who.call('GET', `/v1/webapi/sites/-current-/pods?search=${search}`);
    return (json as { items: { name: string }[] }).items.map(({ name }) => name);
  };
  expect(await found(ann, 'queue')).toEqual(['queue-0']);
  expect(await found(bob, 'queue')).toEqual([]);
  const one = (namespace: string, pod: string) =>
    `/v1/webapi/sites/-current-/kubernetes/prod/namespaces/${namespace}/pods/${pod}`;
  const { json } = await ann.call('GET', one('default', 'web-0'));
  expect((json as { yaml: string }).yaml).toMatch(/^apiVersion: v1\nkind: Pod\nmetadata:\n {2}name: web-0\n/);
  expect((json as { yaml: string }).yaml).not.toContain('managedFields');
  expect((await bob.call('GET', one('shop', 'queue-0'))).status).toBe(403);
  expect((await ann.call('GET', one('default', 'web-9'))).status).toBe(404);
  const eve = await rig.signIn('eve');
  expect((await eve.call('GET', one('default', 'web-0'))).status).toBe(403);
  expect(await found(eve, '')).toEqual([]);
});

test('a log is followed, the one before comes to its end, and a refusal says why', async () => {
  cluster.kubelet.log('one\n');
  cluster.kubelet.log('before\n', { previous: true });
  const log = live(ann, { what: 'log', namespace: 'default', pod: 'web-0', container: 'main' });
  expect((await log.next())?.text).toBe('one\n');
  cluster.kubelet.log('two\n');
  expect((await log.next())?.text).toBe('two\n');
  log.close();
  const previous = live(ann, { what: 'log', namespace: 'default', pod: 'web-0', container: 'main', previous: true });
  expect([await previous.next(), await previous.next()]).toEqual([{ text: 'before\n' }, { over: '' }]);
  const refused = live(bob, { what: 'log', namespace: 'shop', pod: 'queue-0' });
  expect((await refused.next())?.over).toContain('You may not get pods "queue-0" in namespace "shop" of prod');
});

async function withKey(user: string) {
  const key = createSoftwareKey('https://console.example.com');
  const { credentials, devices } = rig.services.identity;
  const { tokenId: token } = await credentials.createToken(user, 'invite', { user: 'test', rights: null });
  const creation = key.create(await devices.registerWebauthn(token, 'mfa'));
  const from = { remoteAddr: '192.0.2.1:1', userAgent: 'test' };
  const password = Buffer.from(PASSWORD).toString('base64');
  const { signedIn } = await credentials.complete({ token, password, deviceName: 'key', creation }, from);
  if (!signedIn) throw new Error(`${user} was not signed in`);
  const { cookie, reply } = signedIn;
  const who: Browser = {
    ...{ ...ann, user, cookie, bearer: reply.token },
    call: (method, url, body) =>
      call(rig.app, { method, url, body, cookie, bearer: reply.token, from: '127.0.0.1' } as never),
  };
  return { key, who };
}

test('where roles ask for a second factor for each session, pods and shells are shown after a touch, and calls count it for that web session', async () => {
  const options = 'spec: {options: {require_session_mfa: true}}';
  await rig.store.resources.create(roleResource(`kind: role\nversion: v7\nmetadata: {name: keyed}\n${options}`));
  await rig.addUser('gil', ['access', 'dev', 'keyed']);
  const { key, who } = await withKey('gil');
  const described = () => who.call('GET', '/v1/webapi/sites/-current-/kubernetes/prod/namespaces/default/pods/web-0');
  expect(await described()).toMatchObject({ status: 403, json: { error: { message: FACTOR_MISSING } } });

  const forged = live(who, { what: 'pods' });
  const asked = (await forged.next())?.challenge;
  expect(asked?.webauthn_challenge).not.toBeNull();
  forged.say(asked && key.get(asked, { isForged: true }));
  expect(await forged.next()).toEqual({ over: 'The hardware key was not accepted.' });
  expect((await described()).status).toBe(403);

  const watch = live(who, { what: 'pods' });
  const challenge = (await watch.next())?.challenge;
  watch.say(challenge && key.get(challenge));
  expect(names((await watch.next())?.pods)).toContain('default/web-0 Running');
  expect((await described()).status).toBe(200);
  const second = live(who, { what: 'pods' });
  expect(names((await second.next())?.pods)).toContain('default/web-0 Running');
  for (const one of [second, watch]) one.close();

  const opened = await shell(who, 'web-0', 'default', given => key.get(given));
  expect(opened.session).toMatchObject({ kind: 'k8s', server_hostname: 'web-0' });
  opened.type('exit\n');
  await opened.ended();
});

async function shell(
  who: Browser,
  pod: string,
  namespace = 'default',
  answer: (asked: Challenge) => unknown = () => undefined,
) {
  const server_id = containerAddress({ cluster: 'prod', namespace, pod, container: 'main' });
  const socket = connect(who, 'connect', { server_id, login: 'main', sid: '', mode: '', term: { h: 24, w: 80 } });
  let shown = '';
  let session: Record<string, unknown> | undefined;
  const waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const one of waiting.splice(0)) one();
  };
  socket.addEventListener('message', ({ data }) => {
    const { type, payload } = decodeFrame(new Uint8Array(data as ArrayBuffer));
    const text = new TextDecoder().decode(payload);
    if (type === frameTypes.session) ({ session } = JSON.parse(text) as { session: Record<string, unknown> });
    else if (type === frameTypes.webauthn) {
      const given = JSON.stringify(answer(JSON.parse(text) as Challenge));
      socket.send(new Uint8Array(encodeFrame(frameTypes.webauthn, Buffer.from(given))));
    } else shown += text;
    wake();
  });
  socket.addEventListener('close', wake);
  const until = async (look: () => boolean): Promise<void> => {
    while (!look()) await new Promise<void>(go => waiting.push(go));
  };
  await until(() => session !== undefined || socket.readyState >= WebSocket.CLOSING);
  return {
    session,
    type: (keys: string) => socket.send(new Uint8Array(encodeFrame(frameTypes.raw, Buffer.from(keys)))),
    shows: (text: string) => until(() => shown.includes(text)),
    ended: () => until(() => socket.readyState >= WebSocket.CLOSING),
    shown: () => shown,
  };
}

test('a shell in a container is a session: named, recorded, in the audit log, and ended when roles do not give it any more', async () => {
  const opened = await shell(ann, 'web-0');
  expect(opened.session).toMatchObject({
    kind: 'k8s',
    kubernetes_cluster_name: 'prod',
    server_hostname: 'web-0',
    server_addr: 'prod/default',
  });
  opened.type('echo so-$((6*7))\n');
  await opened.shows('so-42');
  expect(cluster.asked.at(-1)).toMatch(
    /^ann GET \/api\/v1\/namespaces\/default\/pods\/web-0\/exec\?container=main&command=sh/,
  );
  opened.type('exit\n');
  await opened.ended();
  const of = async (code: string) => {
    const { events } = await rig.store.events.search({
      from: new Date(0),
      to: new Date(Date.now() + 60_000),
      limit: 1000,
      types: [],
      descending: false,
    });
    return events.filter(one => one.code === code && one.user === 'ann').map(({ raw }) => raw);
  };
  await expect.poll(async () => (await of('T2004I')).length).toBe(1);
  const at = {
    proto: 'kube',
    kubernetes_cluster: 'prod',
    kubernetes_pod_name: 'web-0',
    kubernetes_pod_namespace: 'default',
    kubernetes_container_name: 'main',
  };
  expect(await of('T2000I')).toMatchObject([{ ...at, user: 'ann' }]);
  expect(await of('T2004I')).toMatchObject([{ ...at, interactive: true, session_recording: 'node' }]);
  const refused = await shell(bob, 'web-0');
  expect(refused.shown()).toContain(
    'You may not exec pods "web-0" in namespace "default" of prod (kubernetes_resources).',
  );
  expect((await shell(ann, 'web-9')).shown()).toContain('web-9');
  const running = await shell(ann, 'web-0');
  await rig.store.resources.delete('role', 'dev');
  await running.ended();
  expect(running.shown()).toContain('The session was ended:');
});
