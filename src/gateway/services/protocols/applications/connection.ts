// Connections to one application for one session: nobody else's requests go over them, and they are gone with it.

import type { Duplex } from 'node:stream';
import type { Pool } from 'undici';
import type { Reach } from '../../../ports/reach.ts';
import { tunnelWay } from '../../tunnel-way.ts';
import { secure } from '../tls.ts';
import type { WebApplication } from './targets.ts';

/** Connections at once: browsers open six to a host over HTTP/1.1, several tabs more. */
const CONNECTIONS_MOST = 64;
/** An application has this long to begin its answer, ms. */
const ANSWER_MS = 120_000;

export interface ApplicationConnection {
  readonly pool: Pool;
  /** A connection of its own, as a socket is upgraded on. Throws ConnectError. You must destroy it. */
  open(): Promise<Duplex>;
  /** Breaks off all that is open. */
  close(): void;
}

/** Loaded with the first application: a gateway of shells alone does without its 30 MB. */
const loadClient = () => import('undici');

/** `own`: whether it may be on the gateway's own machine, asked for each connection. */
export async function connectTo(
  reach: Pick<Reach, 'stream'>,
  app: WebApplication,
  own: () => boolean,
): Promise<ApplicationConnection> {
  const { Pool } = await loadClient();
  const port = Number(app.url.port) || (app.url.protocol === 'https:' ? 443 : 80);
  const host = app.url.hostname.replace(/^\[|\]$/g, '');
  const open = async (): Promise<Duplex> => {
    const raw = await reach.stream(
      { target: app.name, host, port, way: tunnelWay('app', app.name, app.labels) },
      own(),
    );
    if (app.url.protocol === 'http:') return raw;
    return secure(raw, {
      name: app.name,
      serverName: host,
      authorities: app.authorities,
      alpn: ['http/1.1'],
      advice: {
        otherName: 'write the name that it has into its address',
        unknown: 'set spec.tls.ca_cert to whoever does',
      },
    });
  };
  const pool = new Pool(app.url.origin, {
    connections: CONNECTIONS_MOST,
    headersTimeout: ANSWER_MS,
    // Events may be hours apart.
    bodyTimeout: 0,
    connect: (_options, done) => {
      open().then(
        // What undici asks of a socket, each stream of `reach` has.
        socket => done(null, socket as Parameters<typeof done>[1] & object),
        (error: Error) => done(error, null),
      );
    },
  });
  return { pool, open, close: () => void pool.destroy().catch(() => undefined) };
}
