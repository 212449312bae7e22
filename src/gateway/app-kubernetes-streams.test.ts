// What lasts at a cluster: programs that are attached to and ports that are forwarded, by kubectl over a real API server; and nonsense.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { apiServerProgram, type ClusterRig, openCluster } from '../../e2e/rigs/kubernetes.ts';
import {
  addCluster,
  EVERYTHING,
  type KubernetesClient,
  kubectl,
  kubeLogin,
  kubernetesRole,
} from '../../e2e/rigs/kubernetes-gateway.ts';
import { openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const KUBECTL = 'kubectl';

describe.skipIf(apiServerProgram() === null)('streams of a cluster', () => {
  let rig: Rig;
  let cluster: ClusterRig;
  let folder: string;
  let web: Server;
  const ends: (() => void)[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postern-kube-'));
    [rig, cluster] = await Promise.all([openRig({ databases: true }), openCluster()]);
    await addCluster(rig, cluster);
    await cluster.addPod('web-0');
    web = createServer((request, response) => response.end(`you asked for ${request.url}`)).listen(0, '127.0.0.1');
    await once(web, 'listening');
  }, 90_000);
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });
  afterAll(async () => {
    web?.close();
    await rig?.dispose();
    await cluster?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function personWith(name: string, role: string): Promise<KubernetesClient> {
    await rig.addUser(name, [role]);
    return kubeLogin(folder, await rig.signIn(name), 'prod');
  }
  async function auditTrail(user: string) {
    const [from, to] = [new Date(0), new Date(Date.now() + 60_000)];
    const { events } = await rig.store.events.search({ from, to, limit: 1000, types: [], descending: false });
    return events
      .map(({ raw, code }) => ({ ...raw, code }) as { readonly code: string; readonly [field: string]: unknown })
      .filter(event => event.user === user);
  }
  /** kubectl that stays: what it has printed so far, and how it ends. */
  function stays(client: KubernetesClient, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const args = ['--kubeconfig', client.config, '--cache-dir', join(folder, 'cache'), ...words];
    const child = spawn(KUBECTL, args, { env: { ...process.env, ...env } });
    const said = { text: '' };
    for (const from of [child.stdout, child.stderr])
      from.setEncoding('utf8').on('data', (piece: string) => {
        said.text += piece;
      });
    ends.push(() => child.kill('SIGKILL'));
    return { child, said, ended: once(child, 'close') };
  }

  /** Attaches to what runs in a container, over WebSocket as kubectl 1.31 and later do. */
  function attach(client: KubernetesClient) {
    const { authority: ca, certificate: cert, key } = client;
    const path = `${client.server}/api/v1/namespaces/default/pods/web-0/attach?stdin=true&stdout=true`;
    const socket = new WebSocket(path, ['v5.channel.k8s.io'], { ca, cert, key });
    const said = { text: '' };
    socket.on('message', (message: Buffer) => {
      said.text += message.subarray(1).toString();
    });
    ends.push(() => socket.terminate());
    socket.on('error', () => undefined);
    return { socket, said, closed: new Promise(done => socket.once('close', done)) };
  }

  test('a program that runs is attached to as a session: recorded, in the audit log, and for those whose roles name exec', async () => {
    const ann = await personWith('ann', 'dev');
    const annSignedIn = await rig.signIn('ann');
    const { socket, said, closed } = attach(ann);
    await once(socket, 'open');
    socket.send(Buffer.from('\0hello\n'));
    await expect.poll(() => said.text).toContain('main: hello');
    const { json } = await annSignedIn.call('GET', '/v1/webapi/sites/-current-/sessions');
    expect(json).toMatchObject({ sessions: [{ kind: 'k8s', kubernetes_cluster_name: 'prod' }] });
    socket.send(Buffer.of(255, 0));
    await closed;
    await expect.poll(async () => (await auditTrail('ann')).at(-1)?.code, { timeout: 20_000 }).toBe('T2004I');
    const end = (await auditTrail('ann')).at(-1);
    expect(end).toMatchObject({ proto: 'kube', kubernetes_pod_name: 'web-0', interactive: true });
    const summary = await rig.services.recordings.summary(String(end?.sid));
    expect(summary).toMatchObject({ state: 'sealed', integrity: { ok: true }, hostname: 'prod' });

    const reads = "{ kind: pods, namespace: '*', name: '*', verbs: [get, list] }";
    await rig.store.resources.create(roleResource(kubernetesRole('reader', reads)));
    const bob = await personWith('bob', 'reader');
    expect((await kubectl(folder, bob.config, 'attach', 'web-0')).printed).toContain(
      'You may not exec pods "web-0" in namespace "default" of prod (kubernetes_resources).',
    );
    expect((await kubectl(folder, bob.config, 'port-forward', 'web-0', ':80')).printed).toContain(
      'You may not portforward pods "web-0" in namespace "default" of prod (kubernetes_resources).',
    );
  });

  test.each([
    ['cat', 'over WebSocket', {}],
    ['dan', 'over SPDY', { KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }],
  ])('%s has a port forwarded %s, which is in the audit log and ends with a lock', async (name, _how, env) => {
    const client = await personWith(name, 'dev');
    const { port } = web.address() as AddressInfo;
    const { said, ended } = stays(client, ['port-forward', 'web-0', `:${port}`], env);
    await expect.poll(() => said.text, { timeout: 20_000 }).toMatch(/Forwarding from 127/);
    const own = /127\.0\.0\.1:(\d+)/.exec(said.text)?.[1];
    for (const path of ['/one', '/two'])
      expect(await (await fetch(`http://127.0.0.1:${own}${path}`)).text()).toBe(`you asked for ${path}`);
    const noted = (await auditTrail(name)).find(event => String(event.request_path).endsWith('/portforward'));
    expect(noted).toMatchObject({ code: 'T3009I', response_code: 101, resource_kind: 'pods', resource_name: 'web-0' });
    await rig.services.locks.add({ targets: { user: name }, message: 'gone', ttl: '' }, { user: 'root', rights: null });
    await ended;
    expect(said.text).toContain('lost connection to pod');
  });

  test('roles say how many programs and forwarded ports may be open at once', async () => {
    const few = kubernetesRole('few', EVERYTHING, ', max_kubernetes_connections: 1');
    await rig.store.resources.create(roleResource(few));
    const eve = await personWith('eve', 'few');
    const first = attach(eve);
    await once(first.socket, 'open');
    const why = 'You have 1 connection to clusters open, and your roles allow 1 (max_kubernetes_connections).';
    const second = attach(eve);
    const [, answer] = await once(
      second.socket.on('error', () => undefined),
      'unexpected-response',
    );
    expect([answer.statusCode, (await answer.setEncoding('utf8').toArray()).join('')]).toEqual([
      429,
      expect.stringContaining(why),
    ]);
    expect((await kubectl(folder, eve.config, 'port-forward', 'web-0', ':80')).printed).toContain(why);
    expect((await kubectl(folder, eve.config, 'get', 'pods', '-o', 'name')).printed).toBe('pod/web-0');
    first.socket.close();
    await first.closed;
    // Its place is given back once the cluster has hung up, too.
    await expect
      .poll(() =>
        once(
          attach(eve).socket.on('error', () => undefined),
          'open',
        ).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const refused = (await auditTrail('eve')).find(event => event.response_code === 429);
    expect(refused).toMatchObject({ code: 'T3009I', error: expect.stringContaining(why) });
  });
});
