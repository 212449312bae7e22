// Ports of a person's own machine, each connection to which goes on to the gateway over TLS with a certificate of theirs.
import { once } from 'node:events';
import { createServer, isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { complain } from '../output.ts';
import { type Typed, UsageError } from '../verb.ts';

/** A certificate is made anew when it ends within this time, ms. */
const FRESH_MS = 60_000;

/** A certificate, its key, and where it is shown. */
export interface Ready {
  readonly host: string;
  readonly tlsPort: number;
  /** PEM. */
  readonly authority: string;
  readonly certificate: string;
  readonly privateKey: string;
  /** RFC 3339. */
  readonly expires: string;
}

/** What was typed as `--port`; 0: a free one. Throws UsageError. */
export function portOf(typed: Typed): number {
  const port = Number(typed.one('--port') ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError('--port: a number from 1 to 65535 expected');
  return port;
}

/** Answers what was asked last, `first` at first, while it is good for some time. */
export function keptFresh<Kept extends Ready>(first: Kept, ask: () => Promise<Kept>): () => Promise<Kept> {
  let ready: Kept | Promise<Kept> = first;
  return async () => {
    if (Date.parse((await ready).expires) - Date.now() < FRESH_MS) ready = ask();
    return ready;
  };
}

/** Connects to the gateway. `protocol`: what the connection begins with (ALPN). */
export const dial = ({ host, tlsPort, authority, certificate, privateKey }: Ready, protocol: string): TLSSocket =>
  connect({
    host,
    port: tlsPort,
    ...(isIP(host) === 0 && { servername: host }),
    ca: authority,
    cert: certificate,
    key: privateKey,
    ALPNProtocols: [protocol],
  });

/** Listens for this machine alone; each connection waits until `fresh` has answered. You must close it. Throws what listening does. */
export async function listenLocally<Kept>(
  { port, allowHalfOpen = false }: { readonly port: number; readonly allowHalfOpen?: boolean },
  fresh: () => Promise<Kept>,
  serve: (local: Socket, ready: Kept) => void,
): Promise<{ readonly port: number; close(): void }> {
  const server = createServer({ noDelay: true, allowHalfOpen }, local => {
    local.on('error', () => undefined);
    fresh().then(
      ready => serve(local, ready),
      (error: unknown) => {
        complain(error instanceof Error ? error.message : String(error));
        local.destroy();
      },
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () => void server.close(),
  };
}
