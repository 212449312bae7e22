// A recorded VNC desktop: noVNC over a channel that leads nowhere, which is let in as the gateway lets one in and then fed what the server sent.
import RFB, { type RawChannel } from '@novnc/novnc';
import type { Moment } from './picture.ts';

export interface DesktopReplay {
  /** What the server sent next. `drawn` hears when that is on the screen, or never will be. */
  feed(bytes: Uint8Array, drawn: () => void): void;
  /** Begins at a moment, not at the beginning: before anything is fed. */
  restore(moment: Moment): void;
  dispose(): void;
}

const VERSION = new TextEncoder().encode('RFB 003.008\n');
/** Said in turn for each message of the client's: that it needs no password, that it is let in, and then what was recorded. */
const GREETINGS = [VERSION, Uint8Array.of(1, 1), Uint8Array.of(0, 0, 0, 0)];

/** Begins at the beginning. */
export function openVncReplay(into: HTMLElement): DesktopReplay {
  let said = 0;
  let isLetIn = false;
  let waiting: Uint8Array[] = [];
  const tell = (bytes: Uint8Array): void => {
    channel.onmessage?.({ data: Uint8Array.from(bytes).buffer });
    // What comes along with the beginning is read when it hears of something more.
    channel.onmessage?.({ data: new ArrayBuffer(0) });
  };
  function next(): void {
    if (isLetIn) return;
    const greeting = GREETINGS[said];
    said += 1;
    if (greeting) {
      queueMicrotask(() => tell(greeting));
      return;
    }
    isLetIn = true;
    queueMicrotask(() => {
      for (const bytes of waiting) tell(bytes);
      waiting = [];
    });
  }
  const channel: RawChannel = {
    binaryType: 'arraybuffer',
    readyState: 'open',
    protocol: '',
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    send: next,
    close: () => queueMicrotask(() => channel.onclose?.({ code: 1000, reason: '', wasClean: true })),
  };
  const rfb = new RFB(into, channel, { shared: true });
  rfb.viewOnly = true;
  rfb.scaleViewport = true;
  const take = (bytes: Uint8Array): void => {
    if (isLetIn && waiting.length === 0) tell(bytes);
    else waiting.push(bytes);
  };
  next();
  return {
    restore(moment) {
      take(moment.before);
      take(rawPicture(moment));
      take(moment.after);
    },
    feed(bytes, drawn) {
      take(bytes);
      // The next frame shows it.
      requestAnimationFrame(drawn);
    },
    dispose() {
      isLetIn = true;
      rfb.disconnect();
    },
  };
}

/** The whole screen in one picture that is not packed (RFC 6143, 7.6.1 and 7.7.1). */
function rawPicture({ width, height, pixels }: Moment): Uint8Array {
  const bytes = new Uint8Array(16 + pixels.length);
  bytes.set([0, 0, 0, 1, 0, 0, 0, 0, width >> 8, width & 255, height >> 8, height & 255, 0, 0, 0, 0]);
  bytes.set(pixels, 16);
  return bytes;
}
