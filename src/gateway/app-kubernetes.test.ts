// Clusters through the gateway: a real API server, kubectl and other clients; what each person may, and what the audit log has of it.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type CommandLineRig, openCommandLine } from '../../e2e/rigs/command-line.ts';
import { apiServerProgram, type ClusterRig, openCluster } from '../../e2e/rigs/kubernetes.ts';
import {
  addCluster,
  EVERYTHING,
  type KubernetesClient,
  kubectl,
  kubeLogin,
  kubernetesRole,
} from '../../e2e/rigs/kubernetes-gateway.ts';
import type { Browser, Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const run = promisify(execFile);

interface Answer {
  readonly status: number;
  readonly body: string;
}
/** A request with the certificate of a log-in, its path as it is. */
function ask(
  client: KubernetesClient,
  path: string,
  how: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<Answer> {
  const { hostname: host, port, pathname } = new URL(client.server);
  const agent = new Agent({ ca: client.authority, cert: client.certificate, key: client.key });
  const { body, ...rest } = how;
  return new Promise((done, fail) => {
    const call = request({ host, port, path: `${pathname}${path}`, agent, ...rest }, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.once('end', () => done({ status: answer.statusCode ?? 0, body: text }));
      answer.once('error', fail);
    });
    call.once('error', fail).end(body);
  });
}
const PODS = '/api/v1/namespaces/default/pods';

describe.skipIf(apiServerProgram() === null)('a cluster', () => {
  let line: CommandLineRig;
  let rig: Rig;
  let cluster: ClusterRig;
  let folder: string;
  let ann: Browser;
  let all: KubernetesClient;
  let web: KubernetesClient;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postern-kube-'));
    [line, cluster] = await Promise.all([openCommandLine({ databases: true }), openCluster()]);
    rig = line.gateway;
    await addCluster(rig, cluster);
    for (const pod of ['web-0', 'web-1', 'db-0']) await cluster.addPod(pod);
    await rig.addUser('ann', ['dev']);
    await rig.addUser('bob', ['web']);
    ann = await rig.signIn('ann');
    all = await kubeLogin(folder, ann, 'prod');
    web = await kubeLogin(folder, await rig.signIn('bob'), 'prod');
  }, 90_000);
  afterAll(async () => {
    await line?.dispose();
    await cluster?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function auditTrail(from: Date) {
    const to = new Date(Date.now() + 60_000);
    const found = await rig.store.events.search({ from, to, limit: 1000, types: [], descending: false });
    return found.events.map(
      ({ raw, code }) => ({ ...raw, code }) as { readonly code: string; readonly [field: string]: unknown },
    );
  }
  const requests = async (from: Date) =>
    (await auditTrail(from))
      .filter(({ code }) => code === 'T3009I')
      .map(({ user, verb, resource_kind, resource_name, response_code }) =>
        [user, verb, resource_kind, resource_name, response_code].join(' '),
      );

  test("kubectl works as whom the roles name, and each request is in the audit log with the cluster's answer", async () => {
    const from = new Date();
    const got = await kubectl(folder, all.config, 'get', 'pods', '-o', 'name');
    expect(got).toEqual({ code: 0, printed: 'pod/db-0\npod/web-0\npod/web-1' });
    expect((await kubectl(folder, all.config, 'create', 'configmap', 'c1', '--from-literal=a=b')).code).toBe(0);
    const refused = await kubectl(folder, all.config, 'get', 'secrets', '-n', 'kube-system');
    expect(refused.printed).toContain('User "ann" cannot list resource "secrets"');
    expect(await requests(from)).toEqual(['ann GET pods  200', 'ann POST configmaps  201', 'ann GET secrets  403']);
    expect((await auditTrail(from)).find(({ code }) => code === 'T3009I')).toMatchObject({
      kubernetes_cluster: 'prod',
      kubernetes_groups: ['dev'],
      kubernetes_users: ['ann'],
      request_path: '/api/v1/namespaces/default/pods?limit=500',
      resource_namespace: 'default',
    });
  });

  test('what roles name is all that is seen: lists, tables and watches are cut to it, and the rest is refused in words', async () => {
    const from = new Date();
    expect(await kubectl(folder, web.config, 'get', 'pods', '-o', 'name')).toEqual({
      code: 0,
      printed: 'pod/web-0\npod/web-1',
    });
    const printed = await kubectl(folder, web.config, 'get', 'pods', '--no-headers', '-A');
    expect(printed.printed.split('\n').map(line => line.split(/\s+/)[1])).toEqual(['web-0', 'web-1']);
    for (const [words, what] of [
      [['get', 'pod', 'db-0'], 'You may not get pods "db-0" in namespace "default" of prod (kubernetes_resources).'],
      [['get', 'configmaps'], 'You may not list configmaps in namespace "default" of prod (kubernetes_resources).'],
      [['delete', 'pod', 'web-0'], 'You may not delete pods "web-0" in namespace "default" of prod'],
    ] as const)
      expect((await kubectl(folder, web.config, ...words)).printed).toContain(what);
    expect(await requests(from)).toContain('bob GET pods db-0 403');

    const { hostname, port, pathname } = new URL(web.server);
    const agent = new Agent({ ca: web.authority, cert: web.certificate, key: web.key });
    const watch = request({ hostname, port, path: `${pathname}${PODS}?watch=1`, agent });
    watch.end();
    const [answer] = await once(watch, 'response');
    let seen = '';
    answer.setEncoding('utf8').on('data', (piece: string) => {
      seen += piece;
    });
    await cluster.addPod('db-1');
    await cluster.addPod('web-2');
    await expect.poll(() => seen).toContain('"name":"web-2"');
    expect(seen).toContain('"name":"web-0"');
    expect(seen).not.toContain('"name":"db-');
    agent.destroy();
  });

  test('no client says as whom it comes but as its roles allow, and no path is read in two ways', async () => {
    const from = new Date();
    for (const headers of [
      { 'impersonate-user': 'admin' },
      { 'impersonate-user': 'ann', 'impersonate-group': 'system:masters' },
      { 'impersonate-uid': '1' },
      { 'impersonate-extra-scopes': 'x' },
    ] as Record<string, string>[])
      expect((await ask(all, PODS, { headers })).status, JSON.stringify(headers)).toBe(403);
    expect((await ask(all, PODS, { headers: { authorization: 'Bearer token-of-the-gateway' } })).status).toBe(200);
    for (const path of [
      '/api/v1/namespaces/default/pods%2fweb-0',
      '/api/v1/namespaces/default/../kube-system/secrets',
      '/api/v1/namespaces/default/%2e%2e/kube-system/secrets',
      '/api/v1//namespaces/default/pods',
      '/api/v1/namespaces/default/pods/web-0\\x',
      '/api/v1/namespaces/default/pods/%zz',
      '/api/v1/namespaces/default/pods/%00',
    ]) {
      const { status, body } = await ask(all, path);
      expect(status, path).toBe(400);
      expect(JSON.parse(body)).toMatchObject({ kind: 'Status', reason: 'BadRequest' });
    }
    expect((await ask(all, '/api/v1/nodes/node-1/proxy/pods')).body).toContain('held to no role');
    expect((await requests(from)).filter(line => line.endsWith('403'))).toHaveLength(5);
  });

  test('what is made is held to its name where roles name some, and many are not removed at once', async () => {
    const named = "{ kind: configmap, namespace: default, name: 'web-*', verbs: ['*'] }";
    await rig.store.resources.create(roleResource(kubernetesRole('maker', named)));
    await rig.addUser('mia', ['maker']);
    const mia = await kubeLogin(folder, await rig.signIn('mia'), 'prod');
    const make = (name: string) => kubectl(folder, mia.config, 'create', 'configmap', name, '--from-literal=a=b');
    expect(await make('web-1')).toEqual({ code: 0, printed: 'configmap/web-1 created' });
    expect((await make('other')).printed).toContain('You may not create configmaps "other"');
    const bare = await ask(mia, '/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"metadata":{"generateName":"web-"}}',
    });
    expect(bare.status).toBe(403);
    expect((await kubectl(folder, mia.config, 'delete', 'configmaps', '--all')).printed).toContain('web-1');
    expect((await ask(mia, '/api/v1/namespaces/default/configmaps', { method: 'DELETE' })).status).toBe(403);
  });

  /** What a program in a container says, over WebSocket as kubectl 1.31 and later speak it. */
  function exec(client: KubernetesClient, words: readonly string[], more: Record<string, string> = {}) {
    const query = new URLSearchParams([
      ...words.map(word => ['command', word]),
      ['stdout', '1'],
      ['stderr', '1'],
      ...Object.entries(more),
    ]);
    const socket = new WebSocket(
      `${client.server}${PODS}/web-0/exec?${query}`,
      ['v5.channel.k8s.io', 'v4.channel.k8s.io'],
      {
        ca: client.authority,
        cert: client.certificate,
        key: client.key,
      },
    );
    const said: Record<number, string> = {};
    socket.on('message', (message: Buffer) => {
      const channel = message[0] ?? 0;
      said[channel] = `${said[channel] ?? ''}${message.subarray(1).toString()}`;
    });
    return { socket, said, closed: once(socket, 'close') };
  }

  test('what runs in a container is a session: in the audit log, recorded as it was shown, and ended within a second by a lock', async () => {
    const from = new Date();
    const { said, closed } = exec(all, ['sh', '-c', 'echo out; echo err >&2; exit 3']);
    await closed;
    expect([said[1], said[2]]).toEqual(['out\n', 'err\n']);
    expect(said[3]).toContain('"ExitCode"');
    await expect.poll(async () => (await auditTrail(from)).at(-1)?.code).toBe('T2004I');
    const noted = await auditTrail(from);
    expect(noted.map(({ code }) => code)).toEqual(['T3009I', 'T2000I', 'T3002E', 'T2006I', 'T2004I']);
    expect(noted.at(-1)).toMatchObject({
      proto: 'kube',
      kubernetes_cluster: 'prod',
      kubernetes_pod_name: 'web-0',
      kubernetes_pod_namespace: 'default',
      initial_command: ['sh -c echo out; echo err >&2; exit 3'],
    });
    const summary = await rig.services.recordings.summary(String(noted.at(-1)?.sid));
    expect(summary).toMatchObject({ state: 'sealed', integrity: { ok: true }, hostname: 'prod', login: 'ann' });

    const shell = exec(all, ['sh'], { stdin: '1', tty: '1' });
    await once(shell.socket, 'open');
    shell.socket.send(Buffer.from('\u0004{"Width":100,"Height":30}'));
    shell.socket.send(Buffer.from('\u0000stty size\n'));
    await expect.poll(() => shell.said[1]).toContain('30 100');
    const { json } = await ann.call('GET', '/v1/webapi/sites/-current-/sessions');
    expect(json).toMatchObject({ sessions: [{ kind: 'k8s', kubernetes_cluster_name: 'prod', login: 'ann' }] });
    const { status } = await ask(all, '/version');
    expect(status).toBe(200);
    await rig.services.locks.add(
      { targets: { user: 'ann' }, message: 'left a laptop in a taxi', ttl: '' },
      { user: 'root', rights: null },
    );
    await shell.closed;
    expect(shell.said[3]).toContain('left a laptop in a taxi');
    expect((await ask(all, '/version')).status).toBe(401);
  });

  test('a client that cannot be recorded is told what is needed', async () => {
    await rig.addUser('cat', ['dev']);
    const cat = await kubeLogin(folder, await rig.signIn('cat'), 'prod');
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };
    const { status, body } = await ask(cat, `${PODS}/web-0/exec?command=id&stdout=1`, { method: 'POST', headers });
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({
      kind: 'Status',
      message: expect.stringContaining('kubectl 1.31 or later'),
    });
    // An old kubectl knows no other way, and says what it was told.
    const { printed } = await kubectl(folder, cat.config, 'exec', 'web-0', '--', 'echo', 'hello');
    expect(printed).toMatch(/^hello$|kubectl 1\.31 or later/);
  });

  test('roles that ask for others in a session, or for a second factor, are kept', async () => {
    const moderated = kubernetesRole('moderated', EVERYTHING).replace(
      '    kubernetes_labels',
      "    require_session_join: [{ name: two, filter: '', kinds: [k8s], modes: [moderator], count: 1 }]\n    kubernetes_labels",
    );
    await rig.store.resources.create(roleResource(moderated));
    await rig.store.resources.create(
      roleResource(kubernetesRole('careful', EVERYTHING, ", require_session_mfa: 'yes'")),
    );
    await rig.addUser('mod', ['moderated']);
    await rig.addUser('dan', ['careful']);
    const mod = await kubeLogin(folder, await rig.signIn('mod'), 'prod');
    const asked = exec(mod, ['id']);
    await expect(asked.closed).rejects.toThrow('Unexpected server response: 403');
    expect((await ask(mod, PODS)).status).toBe(200);
    await expect(kubeLogin(folder, await rig.signIn('dan'), 'prod')).rejects.toThrow('MFA required');
  });

  test('a client that asks in TLS for another name than the gateway has is told so, whatever its certificate', async () => {
    const [{ port }, from] = [new URL(web.server), new Date()];
    const askedFor = async (servername: string): Promise<string> => {
      const { authority: ca, certificate: cert, key } = web;
      const socket = connectTls({
        ...{ host: '127.0.0.1', port: Number(port), servername, ca, cert, key, ALPNProtocols: ['http/1.1'] },
        checkServerIdentity: () => undefined,
      });
      let said = '';
      socket.on('data', (bytes: Buffer) => {
        said += bytes.toString();
      });
      socket.write(`GET /v1/clusters/prod${PODS} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      await once(socket, 'close');
      return said;
    };
    expect(await askedFor('elsewhere')).toMatch(/^HTTP\/1\.1 400 [\s\S]*this gateway is not called elsewhere/);
    expect(await requests(from)).toEqual([]);
    expect(await askedFor('localhost')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('a certificate is for one person and one cluster, and a cluster on this machine is for whom a role lets there', async () => {
    await addCluster(rig, cluster, 'other');
    await rig.addUser('eve', ['dev']);
    const eve = await kubeLogin(folder, await rig.signIn('eve'), 'prod');
    expect((await ask({ ...eve, server: eve.server.replace(/prod$/, 'other') }, PODS)).status).toBe(404);
    await rig.store.resources.create(
      roleResource(kubernetesRole('outside', EVERYTHING).replace('reach_loopback: true', 'reach_loopback: false')),
    );
    await rig.addUser('out', ['outside']);
    const out = await kubeLogin(folder, await rig.signIn('out'), 'prod');
    const { status, body } = await ask(out, PODS);
    expect(status).toBe(502);
    expect(body).toContain('reach_loopback');
  });

  test('the command line makes a context, and kubectl asks it for the certificate that it works with', async () => {
    await rig.addUser('kim', ['dev']);
    await line.signIn('kim');
    expect(await line.run(['kube', 'ls'])).toMatch(/^prod +dev +team=shop$/m);
    const { file, args, env } = line.program(['kube', 'login', 'prod']);
    const KUBECONFIG = join(folder, 'kubeconfig');
    await run(file, args, { env: { ...env, KUBECONFIG } });
    const got = await run('kubectl', ['get', 'pod', 'web-0', '-o', 'name', '--cache-dir', join(folder, 'cache')], {
      env: { ...env, KUBECONFIG },
    });
    expect(got.stdout).toBe('pod/web-0\n');
    expect(readFileSync(KUBECONFIG, 'utf8')).not.toContain('PRIVATE KEY');
  });

  test('a cluster is added by its kubeconfig, tried step by step, changed and removed', async () => {
    await rig.addUser('ed', ['editor', 'dev']);
    const ed = await rig.signIn('ed');
    const KUBES = '/v1/webapi/sites/-current-/kubernetes';
    const labels = [{ name: 'team', value: 'shop' }];
    const config = (token: string, server = cluster.url) =>
      JSON.stringify({
        ...{ 'current-context': 'c', contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }] },
        clusters: [
          {
            name: 'k',
            cluster: { server, 'certificate-authority-data': Buffer.from(cluster.authority).toString('base64') },
          },
        ],
        users: [{ name: 'u', user: { token } }],
      });
    const tried = async (name: string, namespace = '') => {
      const { json } = await ed.call('POST', '/v1/webapi/sites/-current-/diagnostics/connections', {
        ...{ resource_kind: 'kube_cluster', resource_name: name, kubernetes_namespace: namespace },
      });
      const { traces } = json as { traces: { traceType: string; status: string; error?: string }[] };
      return traces.map(({ traceType, status, error }) => `${traceType} ${error ?? status}`);
    };
    const add = (name: string, kubeconfig: string) => ed.call('POST', KUBES, { name, kubeconfig, labels });
    expect((await add('new', config(cluster.gatewayToken))).json).toMatchObject({
      name: 'new',
      kubernetes_groups: ['dev'],
    });
    expect((await add('new', config(cluster.gatewayToken))).status).toBe(409);
    expect((await add('bad', 'a: [')).body).toContain('not readable as YAML');
    expect((await add('bad', `${'? '.repeat(100)}x`)).body).toContain('a list or a map cannot be a key');
    expect((await add('bad', config('x').replace('"token"', '"exec"'))).body).toContain('service account');
    expect(await tried('new')).toEqual(
      ['RBAC_KUBE', 'CONNECTIVITY', 'KUBE_PRINCIPAL', 'RBAC_KUBE'].map(one => `${one} SUCCESS`),
    );
    await add('stranger', config('nobody'));
    expect((await tried('stranger')).at(-1)).toBe(
      'KUBE_PRINCIPAL the cluster does not know the credential of the gateway',
    );
    await add('closed', config('nobody', 'https://127.0.0.1:1'));
    expect((await tried('closed')).at(-1)).toContain('CONNECTIVITY 127.0.0.1:1 cannot be reached');
    expect(await tried('nowhere')).toEqual(['RBAC_KUBE "nowhere" was not found']);
    // What is left out stays: the token too, which nobody is shown.
    const more = [...labels, { name: 'env', value: 'test' }];
    expect((await ed.call('PUT', `${KUBES}/new`, { labels: more })).json).toMatchObject({
      labels: expect.arrayContaining(more),
    });
    expect((await tried('new')).at(-1)).toBe('RBAC_KUBE SUCCESS');
    expect((await ed.call('DELETE', `${KUBES}/new`)).status).toBe(200);
    expect((await ed.call('DELETE', `${KUBES}/new`)).status).toBe(404);
  });
});
