// Connections to one application for one session: nobody else's requests go over them, and they are gone with it.

import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, rootCertificates } from 'node:tls';
import { Pool } from 'undici';
import { ConnectError, type Reach } from '../../../ports.ts';
import type { WebApplication } from './targets.ts';

/** Connections at once: browsers open six to a host over HTTP/1.1, several tabs more. */
const CONNECTIONS_MOST = 64;
/** An application has this long to begin its answer, ms. */
const ANSWER_MS = 120_000;
/** The hand-shake of TLS takes no longer than this, ms. */
const HANDSHAKE_MS = 10_000;

export interface ApplicationConnection {
  readonly pool: Pool;
  /** A connection of its own, as a socket is upgraded on. Throws ConnectError. You must destroy it. */
  open(): Promise<Duplex>;
  /** Breaks off all that is open. */
  close(): void;
}

/** `own`: whether it may be on the gateway's own machine, asked for each connection. */
export function connectTo(
  reach: Pick<Reach, 'stream'>,
  app: WebApplication,
  own: () => boolean,
): ApplicationConnection {
  const port = Number(app.url.port) || (app.url.protocol === 'https:' ? 443 : 80);
  const host = app.url.hostname.replace(/^\[|\]$/g, '');
  const open = async (): Promise<Duplex> => {
    const raw = await reach.stream({ target: app.name, host, port }, own());
    return app.url.protocol === 'https:' ? secure(raw, app, host) : raw;
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

async function secure(raw: Duplex, app: WebApplication, host: string): Promise<Duplex> {
  const socket = connectTls({
    socket: raw,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ca: app.authorities ?? [...rootCertificates],
    rejectUnauthorized: !app.isUnverified,
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
  });
  const late = setTimeout(() => raw.destroy(new Error('no answer')), HANDSHAKE_MS);
  try {
    await new Promise<void>((done, fail) => {
      socket.once('secureConnect', done).once('error', fail);
      raw.once('close', () => fail(new Error('it hung up')));
    });
    return socket;
  } catch (error) {
    raw.destroy();
    throw new ConnectError('failed', certificateSentence(app, error));
  } finally {
    clearTimeout(late);
  }
}

function certificateSentence({ name }: WebApplication, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of ${name} is for another name.`;
  if (/^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_)/.test(code))
    return `Nobody that this gateway knows vouches for the certificate of ${name} (${code}): set spec.tls.ca_cert.`;
  return `${name} could not be reached over TLS: ${error instanceof Error ? error.message : String(error)}`;
}
