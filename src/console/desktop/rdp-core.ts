// The RDP engine: IronRDP, compiled to WebAssembly, which draws on canvases. rdp-engine.ts loads it, and once more when it has died.
import { Backend, displayControl, enableCredssp, init } from '@devolutions/iron-remote-desktop-rdp';
import { rdpSocketAt } from '../../contract/rdp-socket.ts';

type Builder = InstanceType<typeof Backend.SessionBuilder>;
export type RdpSession = Awaited<ReturnType<Builder['connect']>>;
export type RdpClipboard = InstanceType<typeof Backend.ClipboardData>;

/** Its log goes to the browser's console; what is wrong is said there. */
const LOG_LEVEL = 'ERROR';
/** The engine makes its socket itself: what was opened for it to stand in for one is found by its address. */
globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
  construct: (Real, [url, protocols]: [string | URL, string | string[] | undefined]) =>
    rdpSocketAt(String(url)) ?? new Real(url, protocols),
});

/** Where this module was loaded from: another address is another engine. */
export const address = import.meta.url;
/** Compiles it. Before all else. */
export const begin = (): Promise<unknown> => init(LOG_LEVEL);

interface Connecting {
  readonly canvas: HTMLCanvasElement;
  /** Address of what speaks RDCleanPath. */
  readonly address: string;
  readonly token: string;
  readonly size: { readonly width: number; readonly height: number };
  /** The screen has another size now. */
  resized?(): void;
  /** Absent: there is no clipboard. */
  copied?(clipboard: RdpClipboard): void;
  /** The desktop wants to know what is in the clipboard. */
  wanted?(): void;
}

/** Once the first picture can come; `run` of what is answered must be called. Rejects with what the engine says. */
export async function connectEngine({ canvas, address, token, size, resized, copied, wanted }: Connecting) {
  let builder = new Backend.SessionBuilder()
    // The gateway logs in: neither is looked at.
    .username('-')
    .password('-')
    .destination('-')
    .proxyAddress(address)
    .authToken(token)
    .desktopSize(new Backend.DesktopSize(size.width, size.height))
    .renderCanvas(canvas)
    .setCursorStyleCallbackContext(canvas)
    .setCursorStyleCallback(pointer(canvas))
    .extension(enableCredssp(false))
    .extension(displayControl(true))
    .canvasResizedCallback(() => resized?.());
  if (copied) builder = builder.remoteClipboardChangedCallback(copied);
  if (wanted) builder = builder.forceClipboardUpdateCallback(wanted);
  return builder.connect();
}
const pointer =
  (canvas: HTMLCanvasElement) =>
  (kind: string, image: string | undefined, x = 0, y = 0): void => {
    canvas.style.cursor =
      kind === 'none' ? 'none' : kind === 'url' && image !== undefined ? `url(${image}) ${x} ${y}, default` : 'default';
  };

export type Doing = ReturnType<typeof Backend.DeviceEvent.keyPressed>;
/** What a person does, in order and at once. */
export function act(session: RdpSession, doings: readonly Doing[]): void {
  const transaction = new Backend.InputTransaction();
  for (const doing of doings) transaction.addEvent(doing);
  session.applyInputs(transaction);
}
export const doing = Backend.DeviceEvent;

/** A clipboard with a text; '' = with nothing. */
export function clipboardOf(text: string): RdpClipboard {
  const clipboard = new Backend.ClipboardData();
  if (text !== '') clipboard.addText('text/plain', text);
  return clipboard;
}
/** The text in it, if there is one. */
export function textIn(clipboard: RdpClipboard): string | undefined {
  const found = clipboard
    .items()
    .find(item => item.mimeType() === 'text/plain')
    ?.value();
  return typeof found === 'string' ? found : undefined;
}
