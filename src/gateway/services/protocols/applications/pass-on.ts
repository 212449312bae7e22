// Passes one request on, and its answer back, as they come: bodies of any size, and streams that never end.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
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

/** One request of a session, and how it is put on the other side. */
export interface Passing extends Pick<Visit, 'session' | 'streams'> {
  readonly pool: Pool;
  /** With its query, as the application is asked. */
  readonly path: string;
  /** As it is written down. */
  readonly told: string;
  /** Name and value by turns. */
  headers(hasBody: boolean): string[] | Promise<string[]>;
  answered(raw: Buffer[], status: number): string[];
  /** Says why nothing came. */
  refuse(status: number, text: string): void;
  readonly name: string;
}

/** To a web application, for a browser. */
export const passOn = (
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit,
  { origin, from }: Arrived,
): Promise<void> => {
  const { app } = visit;
  const path = request.url ?? '/';
  return pass(request, response, {
    ...{
      session: visit.session,
      streams: visit.streams,
      pool: visit.connection.pool,
      path,
      told: path,
      name: app.name,
    },
    async headers(hasBody) {
      const identity = visit.token();
      const came = { raw: request.rawHeaders, origin, from, hasBody };
      return requestHeaders(came, app, typeof identity === 'string' ? identity : await identity);
    },
    answered: raw => responseHeaders(raw, app, origin),
    refuse: (status, text) => pageOf(response, status, text),
  });
};

export async function pass(request: IncomingMessage, response: ServerResponse, asked: Passing): Promise<void> {
  const { session, streams, pool, path, told, name } = asked;
  // Read to its end, a request has no socket any more.
  const { method = 'GET', headers, socket } = request;
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
    session.requested({ method, path: told, status, bytes, took: Math.round((performance.now() - began) * 1000) });
  }
  response.once('close', over);
  const sent = await asked.headers(hasBody);
  if (hasBody) watchBody(request);
  try {
    await pool.stream(
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
        response.writeHead(statusCode, asked.answered(raw as unknown as Buffer[], statusCode));
        // Nobody knows when what has no length comes: a stream of events has begun all the same.
        if (!response.hasHeader('content-length')) response.flushHeaders();
        return response;
      },
    );
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    if (session.over) return asked.refuse(403, 'Your session in this application is over: load the page again.');
    const why = error instanceof ConnectError ? error.message : `it broke off (${codeOf(error)})`;
    asked.refuse(502, `${name} does not answer: ${why}`);
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
