// The one port of the gateway: the hosts of applications are answered before the console sees anything of it.
import { EventEmitter } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { createServer } from '../../node/http.ts';
import type { ApplicationFront } from '../services/protocols/applications/front.ts';
import type { Services } from './services.ts';

/** Connections without a request are kept so long, ms. */
const KEPT_MS = 72_000;
/** Used unless the configuration says otherwise, ms. */
const HEAD_MS = 60_000;
/** Connections whose head is late are looked for at least this often, ms. */
const LOOK_MS = 15_000;

export interface Hosts {
  /** Tells of the upgrades that are the console's. */
  readonly upgrades: EventEmitter;
  /** Makes the server; `handle` takes what is the console's. */
  server(handle: RequestListener): Server;
}

export function createHosts(
  front: ApplicationFront,
  { tls, headMs = HEAD_MS }: Pick<Services['config'], 'tls' | 'headMs'>,
): Hosts {
  const upgrades = new EventEmitter();
  /** Whose it is; at once where its host says so. */
  function divide(request: IncomingMessage, theirs: () => void, console: () => void): void {
    const takes = front.takes(request);
    if (takes === false) console();
    else if (takes === true) theirs();
    else
      takes.then(
        isTheirs => (isTheirs ? theirs() : console()),
        // What cannot be looked up is nobody's: the console must not stand in for an application.
        () => request.destroy(),
      );
  }
  return {
    upgrades,
    server(handle) {
      const request: RequestListener = (asked, answer) =>
        divide(
          asked,
          () => front.request(asked, answer),
          () => handle(asked, answer),
        );
      const options = {
        keepAliveTimeout: KEPT_MS,
        // A body may take as long as it moves, which those who read it watch. That takes Node's bound of the head away with it.
        requestTimeout: 0,
        headersTimeout: headMs,
        connectionsCheckingInterval: Math.min(headMs, LOOK_MS),
      };
      const server = tls ? createTlsServer({ ...options, ...tls }, request) : createServer(options, request);
      server.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
        const failed = (): void => void socket.destroy();
        socket.on('error', failed);
        divide(
          asked,
          () => front.upgrade(asked, socket, head),
          () => {
            upgrades.emit('upgrade', asked, socket, head);
            socket.off('error', failed);
          },
        );
      });
      return server;
    },
  };
}
