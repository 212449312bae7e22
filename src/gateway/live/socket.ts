// The part of a WebSocket (npm `ws`, which brings no types) that the sockets here use.

export interface Socket {
  readonly readyState: number;
  readonly OPEN: number;
  /** Given to the socket and not yet taken by the network, bytes. */
  readonly bufferedAmount: number;
  send(message: Uint8Array, options: { readonly binary: boolean }, sent?: (error?: Error | null) => void): void;
  ping(): void;
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
  /** Ends the connection without a close frame. */
  terminate(): void;
  on(event: 'message', listener: (message: unknown, isBinary: boolean) => void): void;
  on(event: 'close', listener: (code: number) => void): void;
  on(event: 'pong', listener: () => void): void;
}
