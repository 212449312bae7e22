// What stands in for a WebSocket of the RDP engine: it leads to what was recorded, not to a network, and begins with RDCleanPath as the gateway does.
import { recordedCertificate, recordedWelcome } from '../../contract/rdp-recorded.ts';

export interface RecordedChannel {
  /** To be connected to. */
  readonly address: string;
  /** A message of the server's. */
  tell(message: Uint8Array): void;
  close(): void;
}

/** `asked`: each message of the client's behind RDCleanPath. The next socket for its address is the channel. */
export function openChannel(asked: (message: Uint8Array) => void): RecordedChannel {
  const address = `wss://recording.invalid/${crypto.randomUUID()}`;
  const socket = new RecordedSocket(address, asked);
  const Real = globalThis.WebSocket;
  globalThis.WebSocket = new Proxy(Real, {
    construct(real, [url, protocols]: [string | URL, string | string[] | undefined]) {
      if (String(url) !== address) return new real(url, protocols);
      globalThis.WebSocket = Real;
      socket.open();
      return socket;
    },
  });
  return {
    address,
    tell: message => socket.tell(message),
    close: () => socket.close(),
  };
}

class RecordedSocket extends EventTarget {
  binaryType = 'arraybuffer';
  readyState = 0;
  readonly bufferedAmount = 0;
  readonly protocol = '';
  readonly extensions = '';
  readonly url: string;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  private isWelcome = false;
  private sent: Promise<void> = Promise.resolve();
  private readonly asked: (message: Uint8Array) => void;

  constructor(url: string, asked: (message: Uint8Array) => void) {
    super();
    this.url = url;
    this.asked = asked;
    this.addEventListener('open', event => this.onopen?.(event));
    this.addEventListener('message', event => this.onmessage?.(event as MessageEvent));
    this.addEventListener('close', event => this.onclose?.(event as CloseEvent));
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
        if (this.readyState !== 1) return;
        if (this.isWelcome) this.asked(new Uint8Array(bytes));
        else {
          this.isWelcome = true;
          this.tell(recordedWelcome(Uint8Array.from(atob(recordedCertificate), letter => letter.charCodeAt(0))));
        }
      });
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    queueMicrotask(() => this.dispatchEvent(new CloseEvent('close', { code: 1000, wasClean: true })));
  }
}
