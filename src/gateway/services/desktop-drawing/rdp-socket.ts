// What stands in for a WebSocket of the RDP engine: it leads to whoever opened it, not to a network.

export interface RdpSocket {
  /** To be connected to. */
  readonly address: string;
  /** A message of the server's. */
  tell(message: Uint8Array): void;
  close(): void;
}

const open = new Map<string, PlainSocket>();
let last = 0;

class PlainSocket extends EventTarget {
  binaryType = 'arraybuffer';
  readyState = 0;
  readonly bufferedAmount = 0;
  readonly protocol = '';
  readonly extensions = '';
  readonly url: string;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: Event) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  private sent: Promise<void> = Promise.resolve();
  private readonly heard: (message: Buffer) => void;
  constructor(url: string, heard: (message: Buffer) => void) {
    super();
    this.url = url;
    this.heard = heard;
    this.addEventListener('open', event => this.onopen?.(event));
    this.addEventListener('message', event => this.onmessage?.(event as MessageEvent));
    this.addEventListener('close', event => this.onclose?.(event));
  }
  open(): void {
    setTimeout(() => {
      if (this.readyState !== 0) return;
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
    });
  }
  tell(message: Uint8Array): void {
    if (this.readyState === 1)
      this.dispatchEvent(new MessageEvent('message', { data: Uint8Array.from(message).buffer }));
  }
  /** The engine sends each message as a Blob, which is read later: they are heard in order all the same. */
  send(data: Blob): void {
    this.sent = this.sent
      .then(() => data.arrayBuffer())
      .then(bytes => {
        if (this.readyState === 1) this.heard(Buffer.from(bytes));
      });
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    open.delete(this.url);
    queueMicrotask(() => this.dispatchEvent(new Event('close')));
  }
}
/** The engine makes its socket itself: it is given the one that was made for its address. */
const Chosen = new Proxy(PlainSocket, {
  construct(_, [url]: [string]) {
    const socket = open.get(String(url));
    if (!socket) throw new Error('the engine wants to go elsewhere');
    socket.open();
    return socket;
  },
});

/** `heard`: each message that the engine sends, in order. */
export function openRdpSocket(heard: (message: Buffer) => void): RdpSocket {
  last += 1;
  const address = `wss://desktop.invalid/${last}`;
  const socket = new PlainSocket(address, heard);
  open.set(address, socket);
  Object.assign(globalThis, { WebSocket: Chosen });
  return { address, tell: message => socket.tell(message), close: () => socket.close() };
}
