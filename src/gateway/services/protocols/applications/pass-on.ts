// Passes one request on, and its answer back, as they come: bodies of any size, and streams that never end.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { ConnectError } from '../../../ports/reach.ts';
import type { Visit } from './entrance.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { pageOf } from './page.ts';

/** A body that does not move for so long is given up, ms. */
const STALLED_MS = 60_000;

/** Scheme, host and port that the browser knows the application by, and where it is. */
export interface Arrived {
  readonly origin: string;
  readonly from: string;
}

export async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit,
  { origin, from }: Arrived,
): Promise<void> {
  const { app, session, connection, streams } = visit;
  // Read to its end, a request has no socket any more.
  const { method = 'GET', url: path = '/', headers, socket } = request;
  const hasBody = Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined;
  const began = performance.now();
  const closed = session.opened();
  let status = 0;
  let bytesBefore = socket.bytesWritten;
  const passing = {
    destroy() {
      over();
      response.destroy();
    },
  };
  streams.add(passing);
  /** Told before the session is over that it was broken off with. */
  function over(): void {
    if (!streams.delete(passing)) return;
    closed();
    const bytes = socket.bytesWritten - bytesBefore;
    session.requested({ method, path, status, bytes, took: Math.round((performance.now() - began) * 1000) });
  }
  response.once('close', over);
  const identity = visit.token();
  const sent = requestHeaders(
    { raw: request.rawHeaders, origin, from, hasBody },
    app,
    typeof identity === 'string' ? identity : await identity,
  );
  if (hasBody) watchBody(request);
  try {
    await connection.pool.stream(
      {
        method: method as Dispatcher.HttpMethod,
        path,
        headers: sent,
        body: hasBody ? request : null,
        responseHeaders: 'raw',
      },
      ({ statusCode, headers: raw }) => {
        status = statusCode;
        bytesBefore = socket.bytesWritten;
        response.writeHead(statusCode, responseHeaders(raw as unknown as Buffer[], app, origin));
        // Nobody knows when what has no length comes: a stream of events has begun all the same.
        if (!response.hasHeader('content-length')) response.flushHeaders();
        return response;
      },
    );
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    if (session.over) return pageOf(response, 403, 'Your session in this application is over: load the page again.');
    const why = error instanceof ConnectError ? error.message : `it broke off (${codeOf(error)})`;
    pageOf(response, 502, `${app.name} does not answer: ${why}`);
  }
}

/** Ends a request whose body stands still. */
function watchBody(request: IncomingMessage): void {
  const { socket } = request;
  let before = -1;
  const watch = setInterval(() => {
    const { bytesRead } = socket;
    if (bytesRead === before && !request.complete) request.destroy();
    before = bytesRead;
  }, STALLED_MS).unref();
  request.once('close', () => clearInterval(watch));
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
