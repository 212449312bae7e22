// A real cluster for tests: Kubernetes' own API server over Debian's etcd, with roles and one node (`kubelet.ts`). No controller runs: what
// should be there is made through the API.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestAuthority, type Issued } from './authority.ts';
import { freePort } from './gateway.ts';
import { type Kubelet, openKubelet } from './kubelet.ts';
import { startServer } from './server.ts';

const READY_MS = 60_000;
const ASKED_EVERY_MS = 100;

/** No package has the API server: it is kept here once it was unpacked or built. */
export const cachedApiServer = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'postern',
  'kube-apiserver',
);
const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
/** The API server's program: that of the PATH, or of the cache where `npm test` unpacks it; null without one, or without etcd. */
export function apiServerProgram(): string | null {
  const found = (name: string): string =>
    spawnSync('sh', ['-c', `command -v ${name}`])
      .stdout.toString()
      .trim();
  if (found('etcd') === '') return null;
  return [found('kube-apiserver'), cachedApiServer].find(path => path !== '' && isProgram(path)) ?? null;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
export interface ClusterRig {
  readonly port: number;
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
  /** PEM: who vouches for the API server. */
  readonly authority: string;
  /** Of a client in the group `postern`, which may act as others and do nothing else. */
  readonly gateway: Issued;
  /** Says the same as that certificate. */
  readonly gatewayToken: string;
  /** Of a client that may do all. */
  readonly admin: Issued;
  readonly kubelet: Kubelet;
  /** Asks the API server, as that client. Throws with its answer where it refuses. */
  call(method: string, path: string, body?: unknown, type?: string): Promise<unknown>;
  /** A pod that runs on the node; `containers` are their names. */
  addPod(name: string, where?: { readonly namespace?: string; readonly containers?: readonly string[] }): Promise<void>;
  dispose(): Promise<void>;
}

/** Roles of the cluster itself: the group `postern` may act as others, `dev` may use pods and config maps. */
const clusterRoles = {
  postern: [
    { apiGroups: [''], resources: ['users', 'groups', 'serviceaccounts'], verbs: ['impersonate'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'], verbs: ['create'] },
  ],
  dev: [
    {
      apiGroups: [''],
      resources: [
        'pods',
        'pods/log',
        'pods/exec',
        'pods/attach',
        'pods/portforward',
        'configmaps',
        'namespaces',
        'events',
      ],
      verbs: ['*'],
    },
  ],
};

/** `clients`: PEM of further authorities whose clients the API server believes. You must dispose it. */
export async function openCluster(clients = ''): Promise<ClusterRig> {
  const program = apiServerProgram();
  if (program === null) throw new Error('There is no kube-apiserver and etcd here');
  const folder = mkdtempSync(join(tmpdir(), 'postern-cluster-'));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const dispose = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const [authority, nodes] = await Promise.all([createTestAuthority('cluster'), createTestAuthority('nodes')]);
    const hosts = ['localhost', 'kubernetes.default.svc', '127.0.0.1'];
    const [own, admin, gateway, node, toNodes] = await Promise.all([
      authority.issue('kube-apiserver', { hosts }),
      authority.issue('admin', { group: 'system:masters' }),
      authority.issue('postern', { group: 'postern' }),
      nodes.issue('node-1', { hosts: ['node-1', '127.0.0.1'] }),
      nodes.issue('kube-apiserver'),
    ]);
    const accounts = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const gatewayToken = 'token-of-the-gateway';
    const kubelet = await openKubelet(node, nodes.certificate);
    ends.push(() => kubelet.dispose());
    const [port, store, peers] = await Promise.all([freePort(), freePort(), freePort()]);
    const storeUrl = `http://127.0.0.1:${store}`;
    const peersUrl = `http://127.0.0.1:${peers}`;
    const etcd = await startServer({
      name: 'etcd',
      file: 'etcd',
      args: [
        ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync'],
        ...['--listen-client-urls', storeUrl, '--advertise-client-urls', storeUrl],
        ...['--listen-peer-urls', peersUrl, '--initial-advertise-peer-urls', peersUrl],
        ...['--initial-cluster', `default=${peersUrl}`],
      ],
      ready: 'serving insecure client requests',
    });
    ends.push(() => etcd.end());
    const server = await startServer({
      name: 'kube-apiserver',
      file: program,
      args: Object.entries({
        'etcd-servers': storeUrl,
        'bind-address': '127.0.0.1',
        'advertise-address': '127.0.0.1',
        'secure-port': port,
        'cert-dir': join(folder, 'certs'),
        'tls-cert-file': file('server.crt', own.certificate),
        'tls-private-key-file': file('server.key', own.key),
        'client-ca-file': file('clients.crt', authority.certificate + clients),
        'token-auth-file': file('tokens.csv', `${gatewayToken},postern,postern,postern\n`),
        'authorization-mode': 'RBAC',
        'service-cluster-ip-range': '10.96.0.0/24',
        'service-account-key-file': file(
          'accounts.pub',
          accounts.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        ),
        'service-account-signing-key-file': file(
          'accounts.key',
          accounts.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
        ),
        'service-account-issuer': 'https://kubernetes.default.svc',
        'kubelet-certificate-authority': file('nodes.crt', nodes.certificate),
        'kubelet-client-certificate': file('to-nodes.crt', toNodes.certificate),
        'kubelet-client-key': file('to-nodes.key', toNodes.key),
        'kubelet-preferred-address-types': 'InternalIP',
        // No controller makes the default account.
        'disable-admission-plugins': 'ServiceAccount',
        'allow-privileged': true,
      }).map(([name, value]) => `--${name}=${value}`),
      ready: 'Serving securely on',
    });
    ends.push(() => server.end());
    const agent = new Agent({ ca: authority.certificate, cert: admin.certificate, key: admin.key, keepAlive: true });
    ends.push(() => agent.destroy());
    const ask = (method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> =>
      new Promise((done, fail) => {
        const headers = body === undefined ? {} : { 'content-type': type };
        const call = request({ host: '127.0.0.1', port, path, method, agent, headers }, response => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          response.once('end', () =>
            done({ status: response.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : text }),
          );
        });
        call.once('error', fail).end(body === undefined ? undefined : JSON.stringify(body));
      });
    const call: ClusterRig['call'] = async (...asked) => {
      const { status, body } = await ask(...asked);
      if (status >= 300) throw new Error(`${asked[0]} ${asked[1]}: ${status} ${JSON.stringify(body)}`);
      return body;
    };
    await ready(() => ask('GET', '/readyz'));
    const merge = 'application/merge-patch+json';
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const apiGroup = 'rbac.authorization.k8s.io';
    await call('POST', '/api/v1/nodes', { metadata: { name: 'node-1' } });
    await call(
      'PATCH',
      '/api/v1/nodes/node-1/status',
      {
        status: {
          addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
          daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
        },
      },
      merge,
    );
    for (const [name, rules] of Object.entries(clusterRoles)) {
      await call('POST', `${rbac}/clusterroles`, { metadata: { name }, rules });
      await call('POST', `${rbac}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup, kind: 'ClusterRole', name },
        subjects: [{ apiGroup, kind: 'Group', name }],
      });
    }
    const addPod: ClusterRig['addPod'] = async (name, { namespace = 'default', containers = ['main'] } = {}) => {
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      await call('POST', pods, {
        metadata: { name, labels: { app: name.replace(/-\d+$/, '') } },
        spec: {
          nodeName: 'node-1',
          containers: containers.map(one => ({ name: one, image: 'registry.example/web:1' })),
        },
      });
      const state = { ready: true, restartCount: 0, image: 'registry.example/web:1', imageID: 'web' };
      const running = { running: { startedAt: new Date().toISOString() } };
      await call(
        'PATCH',
        `${pods}/${name}/status`,
        {
          status: {
            phase: 'Running',
            podIP: '127.0.0.1',
            startTime: new Date().toISOString(),
            containerStatuses: containers.map(one => ({ name: one, ...state, state: running })),
          },
        },
        merge,
      );
    };
    const url = `https://127.0.0.1:${port}`;
    return {
      port,
      url,
      authority: authority.certificate,
      gateway,
      gatewayToken,
      admin,
      kubelet,
      call,
      addPod,
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The API server says that it is ready only once its own roles are made. */
async function ready(ask: () => Promise<Answer>): Promise<void> {
  const until = Date.now() + READY_MS;
  for (;;) {
    const { status, body } = await ask();
    if (status === 200) return;
    if (Date.now() > until) throw new Error(`kube-apiserver did not become ready: ${JSON.stringify(body)}`);
    await new Promise(again => setTimeout(again, ASKED_EVERY_MS));
  }
}
