// The RDP engine: IronRDP, compiled to WebAssembly, which is loaded once and draws on canvases.
import { Backend, displayControl, enableCredssp, init } from '@devolutions/iron-remote-desktop-rdp';
import { rdpSocketAt } from '../../contract/rdp-socket.ts';

type Builder = InstanceType<typeof Backend.SessionBuilder>;
export type RdpSession = Awaited<ReturnType<Builder['connect']>>;
export type RdpClipboard = InstanceType<typeof Backend.ClipboardData>;

/** Its log goes to the browser's console; what is wrong is said there. */
const LOG_LEVEL = 'ERROR';
let loaded: Promise<void> | null = null;
/** The engine makes its socket itself: what was opened for it to stand in for one is found by its address. */
globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
  construct: (Real, [url, protocols]: [string | URL, string | string[] | undefined]) =>
    rdpSocketAt(String(url)) ?? new Real(url, protocols),
});

/**
 * Loads it. Throws where the page's policy does not let it run: a page that another was turned into without being loaded has the other's; it is
 * loaded once more then, which this never returns from.
 */
export async function loadEngine(): Promise<void> {
  if (!mayRun()) {
    const key = `rdp-loaded-for:${location.pathname}`;
    if (sessionStorage.getItem(key) !== null) throw new Error('This browser does not let the page show RDP');
    sessionStorage.setItem(key, 'yes');
    location.reload();
    await new Promise(() => undefined);
  }
  sessionStorage.removeItem(`rdp-loaded-for:${location.pathname}`);
  loaded ??= init(LOG_LEVEL);
  await loaded;
}
/** The shortest module there is. */
function mayRun(): boolean {
  try {
    return new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)) instanceof WebAssembly.Module;
  } catch {
    return false;
  }
}

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

/** Ends one. The engine throws where it has ended by itself, and what it throws is no error: there is nothing left to end then. */
export function endSession(session: RdpSession): void {
  try {
    session.shutdown();
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
  }
}

type Doing = ReturnType<typeof Backend.DeviceEvent.keyPressed>;
/** What a person does, in order and at once. */
export function act(session: RdpSession, ...doings: readonly Doing[]): void {
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

/** The engine has died within a page: its promises never settle then. Answers how to stop listening. */
export function onEngineDeath(run: () => void): () => void {
  const hear = (event: ErrorEvent | PromiseRejectionEvent): void => {
    const why: unknown = 'reason' in event ? event.reason : event.error;
    if (why instanceof WebAssembly.RuntimeError) {
      loaded = null;
      run();
    }
  };
  addEventListener('error', hear);
  addEventListener('unhandledrejection', hear);
  return () => {
    removeEventListener('error', hear);
    removeEventListener('unhandledrejection', hear);
  };
}
