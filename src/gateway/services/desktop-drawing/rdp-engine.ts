// The browser's RDP engine (IronRDP) in a thread of the gateway: it is given what it uses of a page, which is a window's name, a canvas to put
// pixels on, and a socket that leads to whoever opened it. For worker threads alone: it changes what is global.
import { rdpSocketAt } from '../../../contract/rdp-socket.ts';

/** Where the engine puts pixels. */
interface Canvas {
  width: number;
  height: number;
  readonly style: Record<string, string>;
  getContext(kind: string): unknown;
}
export interface Painted {
  /** Four bytes a pixel, `width` pixels a line; only the part that is named was drawn. */
  put(pixels: Uint8Array, width: number, left: number, top: number, part: readonly number[]): void;
  resized(width: number, height: number): void;
}

class PlainImage {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  constructor(data: Uint8ClampedArray, width: number) {
    // The engine's own memory is used again.
    this.data = Uint8ClampedArray.from(data);
    this.width = width;
  }
  get height(): number {
    return this.data.length / 4 / this.width;
  }
}
class PlainContext {
  private readonly painted: Painted;
  constructor(painted: Painted) {
    this.painted = painted;
  }
  putImageData(image: PlainImage, left: number, top: number, ...part: number[]): void {
    const { data, width } = image;
    const all = part.length === 4 ? part : [0, 0, width, image.height];
    this.painted.put(new Uint8Array(data.buffer, data.byteOffset, data.length), width, left, top, all);
  }
}
/** The engine makes its socket itself: it is given the one that was made for its address. */
const ChosenSocket = new Proxy(class {}, {
  construct(_, [url]: [string]) {
    const socket = rdpSocketAt(String(url));
    if (!socket) throw new Error('the engine wants to go elsewhere');
    return socket;
  },
});
/** What the engine asks of a page is there. */
const PlainWindow = { [Symbol.hasInstance]: (one: unknown): boolean => one === globalThis };

type Engine = typeof import('@devolutions/iron-remote-desktop-rdp');
let loaded: Promise<Engine> | null = null;
async function load(): Promise<Engine> {
  Object.assign(globalThis, {
    Window: PlainWindow,
    ImageData: PlainImage,
    CanvasRenderingContext2D: PlainContext,
    WebSocket: ChosenSocket,
  });
  const engine = await import('@devolutions/iron-remote-desktop-rdp');
  await engine.init('ERROR');
  return engine;
}

/**
 * `address`: of a socket that was opened for it. `connect` of what is answered resolves once the first picture can come, and rejects with what the
 * engine says. `copied`: text that was copied on the desktop; absent: there is no clipboard.
 */
export async function openRdpEngine(
  wanted: { readonly width: number; readonly height: number; readonly address: string; readonly token: string },
  painted: Painted,
  copied?: (text: string) => void,
) {
  const { width, height, address, token } = wanted;
  loaded ??= load();
  const { Backend, displayControl, enableCredssp } = await loaded;
  let high = height;
  const canvas: Canvas = {
    width,
    style: {},
    getContext: () => new PlainContext(painted),
    get height() {
      return high;
    },
    // The engine sets both, this one last, whenever the desktop has another size; its callback it does not call for that.
    set height(now) {
      high = now;
      painted.resized(canvas.width, high);
    },
  };
  let text = '';
  const clipboard = () => {
    const data = new Backend.ClipboardData();
    if (text !== '') data.addText('text/plain', text);
    return data;
  };
  let builder = new Backend.SessionBuilder()
    .username('-')
    .password('-')
    .destination('-')
    .proxyAddress(address)
    .authToken(token)
    .desktopSize(new Backend.DesktopSize(width, height))
    .renderCanvas(canvas as never)
    .setCursorStyleCallbackContext(canvas)
    .setCursorStyleCallback(() => undefined)
    .extension(enableCredssp(false))
    .extension(displayControl(true));
  if (copied)
    builder = builder
      .remoteClipboardChangedCallback((data: InstanceType<Engine['Backend']['ClipboardData']>) => {
        const found = data.items().find(item => item.mimeType() === 'text/plain');
        const value: unknown = found?.value();
        if (typeof value === 'string') copied(value);
      })
      .forceClipboardUpdateCallback(() => void session?.onClipboardPaste(clipboard()));
  let session: Awaited<ReturnType<typeof builder.connect>> | null = null;
  return {
    doing: Backend.DeviceEvent,
    async connect() {
      session = await builder.connect();
      return session;
    },
    act(...doings: readonly ReturnType<typeof Backend.DeviceEvent.keyPressed>[]): void {
      const transaction = new Backend.InputTransaction();
      for (const doing of doings) transaction.addEvent(doing);
      session?.applyInputs(transaction);
    },
    resize(toWidth: number, toHeight: number): void {
      session?.resize(toWidth, toHeight);
    },
    copy(given: string): void {
      text = given;
      void session?.onClipboardPaste(clipboard());
    },
  };
}
