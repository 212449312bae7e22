// Node's own WebSocket with the person's cookies, and what the first frame of a session says.
import * as z from 'zod/mini';

const sessionFrame = z.object({
  session: z.object({ id: z.string() }),
  output: z.optional(z.object({ offset: z.number(), fresh: z.boolean() })),
});

/** The session frame, or undefined when it is not one. */
export const readSessionFrame = (text: string): z.infer<typeof sessionFrame> | undefined =>
  z.safeParse(sessionFrame, parsed(text)).data;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema refuses undefined
  }
}

/** What Node's own WebSocket takes beside the browser's, and the part of it that is used. */
export interface Socket {
  binaryType: string;
  readonly bufferedAmount: number;
  addEventListener(kind: 'open' | 'message' | 'close', heard: (event: SocketEvent) => void): void;
  addEventListener(kind: 'error', heard: () => void): void;
  send(message: Uint8Array): void;
  close(code?: number): void;
}
interface SocketEvent {
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
}
const SocketClass = globalThis.WebSocket as unknown as new (
  address: string,
  options: { readonly headers: Readonly<Record<string, string>> },
) => Socket;

/** Opens a socket. An address that begins with http is meant as its ws counterpart. */
export const openSocket = (address: string, cookie: string): Socket =>
  new SocketClass(address.replace(/^http/, 'ws'), { headers: { cookie } });
