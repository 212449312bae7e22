// What stands in for a WebSocket of the RDP engine, in the page and in the gateway: it leads to whoever opened it, not to a network.

/**
 * Changes of a screen's size that come closer together may end the session of an xrdp, ms: it then still draws from memory that its X server has given
 * back for the second. A busy machine takes more than a second for the first.
 */
export const RDP_RESIZE_APART_MS = 3000;

export interface RdpSocket {
  /** To be connected to. */
  readonly address: string;
  /** A message of the server's; nobody hears it before the engine is there. */
  tell(message: Uint8Array): void;
  close(): void;
}

/** Of a browser's event: what the engine reads of one. */
interface SocketEvent {
  readonly type: string;
  readonly data?: ArrayBufferLike;
  readonly code?: number;
  readonly reason?: string;
  readonly wasClean?: boolean;
}
type Listener = ((event: SocketEvent) => void) | null;
/** The engine sends each message as one. */
interface Sent {
  arrayBuffer(): Promise<ArrayBufferLike>;
}

const open = new Map<string, StandIn>();
let last = 0;

/** What the engine uses of a WebSocket. */
class StandIn {
  binaryType = 'arraybuffer';
  readyState = 0;
  readonly bufferedAmount = 0;
  readonly protocol = '';
  readonly extensions = '';
  readonly url: string;
  onopen: Listener = null;
  onmessage: Listener = null;
  onclose: Listener = null;
  onerror: Listener = null;
  private readonly listeners = new Map<string, Set<(event: SocketEvent) => void>>();
  private sent: Promise<void> = Promise.resolve();
  private readonly heard: (message: Uint8Array) => void;

  constructor(url: string, heard: (message: Uint8Array) => void) {
    this.url = url;
    this.heard = heard;
  }
  addEventListener(type: string, listener: (event: SocketEvent) => void): void {
    const all = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, all.add(listener));
  }
  removeEventListener(type: string, listener: (event: SocketEvent) => void): void {
    this.listeners.get(type)?.delete(listener);
  }
  /** What the engine dies of is told where it is heard of that: as a rejection that nobody handles. */
  private dispatch(event: SocketEvent, handler: Listener): void {
    for (const listener of [...(handler ? [handler] : []), ...(this.listeners.get(event.type) ?? [])])
      try {
        listener(event);
      } catch (error) {
        void Promise.reject(error);
      }
  }
  open(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.dispatch({ type: 'open' }, this.onopen);
  }
  tell(message: Uint8Array): void {
    if (this.readyState === 1)
      this.dispatch({ type: 'message', data: Uint8Array.from(message).buffer }, this.onmessage);
  }
  /** What is sent is read later: it is heard in order all the same. */
  send(data: Sent): void {
    this.sent = this.sent
      .then(() => data.arrayBuffer())
      .then(bytes => {
        if (this.readyState === 1) this.heard(new Uint8Array(bytes));
      });
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    open.delete(this.url);
    void Promise.resolve().then(() =>
      this.dispatch({ type: 'close', code: 1000, reason: '', wasClean: true }, this.onclose),
    );
  }
}

/** `heard`: each message that the engine sends, in order. You must close it. */
export function openRdpSocket(heard: (message: Uint8Array) => void): RdpSocket {
  last += 1;
  const address = `wss://desktop.invalid/${last}`;
  const socket = new StandIn(address, heard);
  open.set(address, socket);
  return { address, tell: message => socket.tell(message), close: () => socket.close() };
}

/**
 * What `new WebSocket(address)` is to answer for an address that was opened here, however many others were since: undefined for every other. It
 * opens once whoever made it has had time to listen.
 */
export function rdpSocketAt(address: string): object | undefined {
  const socket = open.get(address);
  if (socket) void Promise.resolve().then(() => socket.open());
  return socket;
}
