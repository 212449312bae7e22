// The address of the metrics: one path, no sign-in, so it is for a network of its own or for loopback.
import type { Server } from 'node:http';
import { createServer } from '../../../node/http.ts';
import type { Metrics } from './metrics.ts';

/** Longest that a request may take to come, ms. */
const REQUEST_MS = 10_000;

/** Rejects when the address cannot be listened on. You must dispose it. */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number; dispose(): void }> {
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    if (request.url?.replace(/\?.*$/, '') !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('only /metrics is here\n');
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    metrics.text().then(
      text => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, host, done);
  });
  return {
    port: portOf(server),
    dispose() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
