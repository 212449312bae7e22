// The part of a WebSocket (npm `ws`, which brings no types) that the sockets here use, and what all of them do with it.

export interface Socket {
  readonly readyState: number;
  readonly OPEN: number;
  /** Given to the socket and not yet taken by the network, bytes. */
  readonly bufferedAmount: number;
  send(
    message: Uint8Array | string,
    options: { readonly binary: boolean },
    sent?: (error?: Error | null) => void,
  ): void;
  ping(): void;
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
  /** Ends the connection without a close frame. */
  terminate(): void;
  on(event: 'message', listener: (message: unknown, isBinary: boolean) => void): void;
  on(event: 'close', listener: (code: number) => void): void;
  on(event: 'pong', listener: () => void): void;
  off(event: 'message', listener: (message: unknown, isBinary: boolean) => void): void;
  off(event: 'close', listener: (code: number) => void): void;
}

/** Longest reason a close frame holds, bytes (RFC 6455, 5.5). */
const REASON_MOST_BYTES = 123;

/** Closes with a reason, cut at a whole character to what a close frame holds. */
export function finish(socket: Socket, code: number, why: string): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.resume();
  const cut = new TextDecoder().decode(Buffer.from(why).subarray(0, REASON_MOST_BYTES), { stream: true });
  socket.close(code, cut);
}

/** Pings every `everyMs` and drops a peer that was silent for twice `keepAliveMs`. `answered` hears each round trip, ms. */
export function keepAlive(
  socket: Socket,
  keepAliveMs: number,
  everyMs = keepAliveMs,
  answered: (ms: number) => void = () => {},
): void {
  let lastHeard = performance.now();
  let pinged = lastHeard;
  const timer = setInterval(() => {
    if (performance.now() - lastHeard > 2 * keepAliveMs) return socket.terminate();
    pinged = performance.now();
    socket.ping();
  }, everyMs);
  socket.on('message', () => {
    lastHeard = performance.now();
  });
  socket.on('pong', () => {
    lastHeard = performance.now();
    answered(lastHeard - pinged);
  });
  socket.on('close', () => clearInterval(timer));
}
