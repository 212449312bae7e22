// People's own clients of clusters, kubectl among them: HTTP over a connection whose certificate has said whose it is.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, finished, pipeline } from 'node:stream';
import { Failure } from '../../../../contract/failure.ts';
import { createServer } from '../../../../node/http.ts';
import type { Identity } from '../identity.ts';
import { ClusterRefusal, type KubernetesDoor } from './door.ts';
import type { Clusters } from './entrance.ts';
import { statusOf, type Told, toldOf } from './status.ts';
import { forward, runInContainer } from './stream.ts';

/** The head of a request is there within this time, ms; a body and an answer may take as long as they do. */
const HEAD_MS = 15_000;
const HEADERS_MOST_BYTES = 64 * 1024;
/** In front of the paths of a cluster. */
const PREFIX = /^\/v1\/clusters\/([^/?]+)(?=[/?]|$)/;

interface Client {
  /** Undefined: it has shown no certificate that counts. */
  readonly identity: Identity | undefined;
  readonly remoteAddr: string;
  /** Why nothing is answered, whatever it asks; absent or '': nothing is in the way. */
  readonly refusal?: string;
}
export interface ClusterClients {
  /** Takes a connection, whose certificate has been read. */
  take(socket: Duplex, client: Client): void;
  close(): void;
}

/** You must close it. */
export function openClusterClients(
  clusters: Pick<Clusters, 'enter'>,
  report: (problem: string, error: unknown) => void,
): ClusterClients {
  const clients = new WeakMap<Duplex, Client>();
  const open = new Set<Duplex>();
  const server = createServer({ headersTimeout: HEAD_MS, requestTimeout: 0, maxHeaderSize: HEADERS_MOST_BYTES });

  const told = (error: unknown): Told => {
    const said = error instanceof ClusterRefusal ? { status: error.status, body: error.body } : toldOf(error);
    if (said) return said;
    report('a request to a cluster failed', error);
    return statusOf(500, 'something went wrong at the gateway');
  };
  /** The way in, and the path behind the cluster's own. Throws Failure. */
  async function enter({ url = '', socket }: IncomingMessage): Promise<{ door: KubernetesDoor; path: string }> {
    const client = clients.get(socket);
    if (client?.refusal) throw new Failure('bad_request', client.refusal);
    if (!client?.identity) throw new Failure('signed_out', 'show the certificate that postern kube credentials gives');
    const [prefix = '', written = ''] = PREFIX.exec(url) ?? [];
    if (prefix === '' || nameIn(written) !== client.identity.target)
      throw new Failure('not_found', 'this certificate is not for such a cluster: log in with postern kube login');
    const rest = url.slice(prefix.length);
    return {
      door: await clusters.enter(client.identity, client.remoteAddr),
      path: rest.startsWith('/') ? rest : `/${rest}`,
    };
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const { door, path } = await enter(request);
      const hasBody =
        request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
      const { status, headers, body } = await door.request({
        method: request.method ?? '',
        path,
        headers: request.rawHeaders,
        ...(hasBody && { body: request }),
        signal: gone.signal,
      });
      response.writeHead(status, [...headers]);
      response.flushHeaders();
      // What breaks off on the way is told by the connection's end: the head has gone out.
      pipeline(body, response, () => undefined);
    } catch (error) {
      if (gone.signal.aborted) return;
      const { status, body } = told(error);
      // What of the body has not been read is not waited for.
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
    }
  }
  async function upgrade(request: IncomingMessage, socket: Duplex, early: Buffer): Promise<void> {
    const gone = new AbortController();
    finished(socket, () => gone.abort());
    try {
      const { door, path } = await enter(request);
      const headers = request.rawHeaders;
      const opening = await door.upgrade({ method: request.method ?? '', path, headers, signal: gone.signal });
      const streamed = { client: socket, early, door, upgrade: opening, headers };
      const { verb } = opening.info;
      if (verb === 'exec') await runInContainer(streamed);
      else if (verb === 'portforward') await forward(streamed);
      else throw new Failure('bad_request', 'only programs in containers and forwarded ports are streams here');
    } catch (error) {
      if (socket.destroyed) return;
      const { status, body } = told(error);
      const head = [
        `HTTP/1.1 ${status} Refused`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
      ];
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    }
  }
  server.on('request', (request, response) => void answer(request, response));
  server.on('upgrade', (request, socket, early) => void upgrade(request, socket, early));
  return {
    take(socket, client) {
      clients.set(socket, client);
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      server.emit('connection', socket);
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Tells a client why it does not come in, whatever it asks. */
export function refuseClient(client: Duplex, why: string): void {
  const { status, body } = statusOf(502, why);
  const lines = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  client.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

function nameIn(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return '';
  }
}
