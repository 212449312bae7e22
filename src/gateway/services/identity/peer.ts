// Where a request came from, as the audit log and sessions show it.

/** The part of a request that says so: `ip` already minds a trusted proxy. */
export interface Arrival {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined };
}

/** host:port of the peer; behind a trusted proxy its port is not known and 0. */
export function peerOf({ ip, socket }: Arrival): string {
  const host = ip.includes(':') ? `[${ip}]` : ip;
  return `${host}:${ip === socket.remoteAddress ? (socket.remotePort ?? 0) : 0}`;
}
