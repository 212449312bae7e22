// An API server double: pods and namespaces that a test changes, told as lists and watches, and a node behind it (`kubelet.ts`). For what
// needs no rules of a cluster of its own: `kubernetes.ts` starts the real one.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as toNode } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestAuthority, type Issued } from './authority.ts';
import { type Kubelet, openKubelet } from './kubelet.ts';

interface StoredPod {
  readonly [field: string]: unknown;
  readonly metadata: { readonly name: string; readonly namespace: string };
}
export interface ApiServerDouble {
  readonly url: string;
  /** PEM: who vouches for it. */
  readonly authority: string;
  /** What it takes a gateway by. */
  readonly gateway: Issued;
  readonly kubelet: Kubelet;
  /** Sets a pod, or takes it away, and tells whoever watches. */
  set(pod: StoredPod): void;
  remove(pod: StoredPod): void;
  /** Ends all watches, as servers do after a while. */
  endWatches(): void;
  /** Whom requests came for: `Impersonate-User`, with method and path. */
  readonly asked: readonly string[];
  dispose(): void;
}

/** A pod that runs, as an API server has it. */
export const runningPod = (name: string, namespace = 'default', containers: readonly string[] = ['main']) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, creationTimestamp: '2026-01-02T03:04:05Z', managedFields: [{ manager: 'kubectl' }] },
  spec: { nodeName: 'node-1', containers: containers.map(one => ({ name: one })) },
  status: {
    phase: 'Running',
    containerStatuses: containers.map(one => ({ name: one, ready: true, restartCount: 0, state: { running: {} } })),
  },
});

/** You must dispose it. */
export async function openApiServerDouble(): Promise<ApiServerDouble> {
  const authority = await createTestAuthority('cluster');
  const [own, gateway, node] = await Promise.all([
    authority.issue('kube-apiserver', { hosts: ['127.0.0.1'] }),
    authority.issue('postern', { group: 'postern' }),
    authority.issue('node-1', { hosts: ['127.0.0.1'] }),
  ]);
  const kubelet = await openKubelet(node, authority.certificate);
  const pods = new Map<string, StoredPod>();
  const watches = new Map<ServerResponse, string>();
  const asked: string[] = [];
  /** Every change, so that a watch goes on where a list has ended. */
  const changes: { readonly type: string; readonly object: StoredPod }[] = [];
  const keyOf = ({ metadata }: StoredPod) => `${metadata.namespace}/${metadata.name}`;
  const write = (watch: ServerResponse, namespace: string, change: (typeof changes)[number]): void => {
    if (namespace === '' || namespace === change.object.metadata.namespace) watch.write(`${JSON.stringify(change)}\n`);
  };
  const tell = (type: string, object: StoredPod): void => {
    changes.push({ type, object });
    for (const [watch, namespace] of watches) write(watch, namespace, { type, object });
  };
  const credential = { ca: authority.certificate, cert: own.certificate, key: own.key };
  const behind = (request: IncomingMessage, path: string) =>
    toNode({ host: '127.0.0.1', port: kubelet.port, ...credential, path, method: 'GET', headers: request.headers });
  const note = (request: IncomingMessage): void =>
    void asked.push(`${request.headers['impersonate-user']} ${request.method} ${request.url}`);

  const server = createServer({ ...credential, requestCert: true }, (request, response) => {
    note(request);
    const { pathname, searchParams, search } = new URL(request.url ?? '', 'https://cluster');
    const json = (status: number, body: object): void => void response.writeHead(status).end(JSON.stringify(body));
    if (pathname === '/api/v1/namespaces')
      return json(200, { metadata: {}, items: ['default', 'shop'].map(name => ({ metadata: { name } })) });
    const [, namespace = '', name, log] =
      /^\/api\/v1(?:\/namespaces\/([^/]+))?\/pods(?:\/([^/]+))?(\/log)?$/.exec(pathname) ?? [];
    if (searchParams.has('watch')) {
      watches.set(response, namespace);
      response.once('close', () => watches.delete(response));
      response.writeHead(200).flushHeaders();
      for (const change of changes.slice(Number(searchParams.get('resourceVersion'))))
        write(response, namespace, change);
      return undefined;
    }
    const found = [...pods.values()].filter(pod => namespace === '' || pod.metadata.namespace === namespace);
    if (name === undefined) return json(200, { metadata: { resourceVersion: String(changes.length) }, items: found });
    const pod = found.find(({ metadata }) => metadata.name === name);
    if (!pod) return json(404, { kind: 'Status', message: `pods "${name}" not found` });
    if (log === undefined) return json(200, pod);
    const path = `/containerLogs/${namespace}/${name}/${searchParams.get('container') ?? 'main'}${search}`;
    const call = behind(request, path).once('response', answer => answer.pipe(response));
    response.once('close', () => call.destroy());
    return call.once('error', () => response.destroy()).end();
  });
  server.on('upgrade', (request, socket) => {
    note(request);
    socket.on('error', () => undefined);
    const { pathname, searchParams, search } = new URL(request.url ?? '', 'https://cluster');
    const [, namespace, name] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/exec$/.exec(pathname) ?? [];
    if (!pods.has(`${namespace}/${name}`)) return socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    const call = behind(request, `/exec/${namespace}/${name}/${searchParams.get('container') ?? 'main'}${search}`);
    call.once('upgrade', ({ rawHeaders }, node) => {
      const lines = rawHeaders.flatMap((header, at) => (at % 2 === 0 ? [`${header}: ${rawHeaders[at + 1]}`] : []));
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '\r\n'].join('\r\n'));
      node.on('error', () => socket.destroy());
      socket.once('close', () => node.destroy());
      socket.pipe(node).pipe(socket);
    });
    call.once('error', () => socket.destroy()).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authority: authority.certificate,
    gateway,
    kubelet,
    set(pod) {
      const type = pods.has(keyOf(pod)) ? 'MODIFIED' : 'ADDED';
      pods.set(keyOf(pod), pod);
      tell(type, pod);
    },
    remove(pod) {
      pods.delete(keyOf(pod));
      tell('DELETED', pod);
    },
    endWatches() {
      for (const watch of watches.keys()) watch.end();
    },
    asked,
    dispose() {
      server.close();
      server.closeAllConnections();
      kubelet.dispose();
    },
  };
}
