// Where a request came from, as the audit log and sessions show it.

/** The part of a request that says so: `ip` already minds a trusted proxy. */
export interface Arrival {
  /** Undefined once the connection was reset: Fastify's types do not know. */
  readonly ip: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined };
}

/** host:port of the peer; behind a trusted proxy its port is not known and 0. Empty when the peer is gone already. */
export function peerOf({ ip, socket }: Arrival): string {
  if (ip === undefined) return '';
  const host = ip.includes(':') ? `[${ip}]` : ip;
  return `${host}:${ip === socket.remoteAddress ? (socket.remotePort ?? 0) : 0}`;
}
