// A request that becomes something else, such as a WebSocket: passed on with its answer, and from then on bytes both ways.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { request as ask } from '../../../../node/http.ts';
import type { Visit } from './entrance.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import type { Arrived } from './pass-on.ts';

/** The application has this long to answer, ms. */
const ANSWER_MS = 30_000;

/** Throws ConnectError. Both sides are gone when one is, and when the session is over. */
export async function upgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { app, session, connection, streams, token }: Visit,
  { origin, from }: Arrived,
): Promise<void> {
  const { method = 'GET', url: path = '/' } = request;
  const headers = requestHeaders({ raw: request.rawHeaders, origin, from, hasBody: false }, app, await token());
  const reached = await connection.open();
  const began = performance.now();
  let status = 0;
  let bytes = 0;
  const closed = session.opened();
  const both = {
    destroy() {
      over();
      socket.destroy();
      reached.destroy();
    },
  };
  streams.add(both);
  /** Told before the session is over that it was broken off with. */
  function over(): void {
    if (!streams.delete(both)) return;
    closed();
    session.requested({ method, path, status, bytes, took: Math.round((performance.now() - began) * 1000) });
  }
  for (const side of [socket, reached]) {
    side.on('error', both.destroy);
    side.on('close', both.destroy);
  }
  // It may have ended, or the browser may have gone, while the application was being reached.
  if (session.over || socket.destroyed) return both.destroy();

  const asked = ask({
    method,
    path,
    headers: [...headers, 'Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? ''],
    setHost: false,
    createConnection: () => reached,
  });
  asked.setTimeout(ANSWER_MS, both.destroy);
  asked.on('error', both.destroy);
  asked.on('response', answer => {
    status = answer.statusCode ?? 0;
    socket.end(`${lineOf(answer)}Content-Length: 0\r\nConnection: close\r\n\r\n`);
    answer.resume();
  });
  asked.on('upgrade', (answer, _socket, first) => {
    status = answer.statusCode ?? 101;
    const said = responseHeaders(answer.rawHeaders, app, origin, true);
    let lines = lineOf(answer);
    for (let at = 0; at < said.length; at += 2) lines += `${said[at]}: ${said[at + 1]}\r\n`;
    socket.write(`${lines}\r\n`, 'latin1');
    if (first.length > 0) socket.write(first);
    if (head.length > 0) reached.write(head);
    asked.setTimeout(0);
    bytes += first.length;
    reached.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    socket.pipe(reached);
    reached.pipe(socket);
  });
  asked.end();
}

const lineOf = ({ statusCode = 502, statusMessage = '' }: IncomingMessage): string =>
  `HTTP/1.1 ${statusCode} ${statusMessage.replace(/[^\x20-\x7e]/g, '')}\r\n`;
