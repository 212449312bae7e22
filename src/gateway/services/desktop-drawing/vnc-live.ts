// A VNC client of the gateway's own (RFC 6143): for whoever looks at a desktop without speaking VNC.
import { createKeysyms } from './keysyms.ts';
import type { Doing, LiveScreen, LiveSinks } from './screen.ts';
import { openVncScreen } from './vnc-screen.ts';

const VERSION = 'RFB 003.008\n';
/** Said by the gateway's relay before the screen: its version, that no password is wanted, and that it is let in; bytes of each. */
const GREETINGS = [VERSION.length, 2, 4] as const;
const ANSWERS = [Buffer.from(VERSION), Buffer.of(1), Buffer.of(1)] as const;
/** As noVNC asks for them: four bytes each, red first. */
const PIXELS = Buffer.from([0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0]);
/** Tight without JPEG, copies, raw; sizes, the end of a picture, keys by their places. */
const ENCODINGS = [7, 1, 0, -223, -224, -308, -258];
/** Bits of the wheel: up, down, left, right. */
const WHEEL = { up: 8, down: 16, left: 32, right: 64 } as const;
/** Text is Latin-1 here. */
const latin1 = (text: string): Buffer => Buffer.from(text.replace(/[^\0-\xff]/g, '?'), 'latin1');

/** Of one screen of a desktop, bytes. */
const SCREEN_BYTES = 16;

/** The desktop is made as large as is wanted, where it lets clients choose. */
export function openLiveVnc(wanted: { readonly width: number; readonly height: number }, sinks: LiveSinks): LiveScreen {
  let said = 0;
  let greeting: Buffer = Buffer.alloc(0);
  let takesKeys = false;
  let buttons = 0;
  const keysymOf = createKeysyms();
  let [x, y] = [0, 0];
  /** The first screen of the desktop; null: it has a size of its own. */
  let layout: Buffer | null = null;
  const ask = (isMore: boolean): void => {
    const { width, height } = screen.frame;
    sinks.send(Buffer.of(3, isMore ? 1 : 0, 0, 0, 0, 0, width >> 8, width & 255, height >> 8, height & 255));
  };
  const screen = openVncScreen((kind, text) => {
    if (kind === 'text') sinks.copied(text);
    else if (kind === 'keys') takesKeys = true;
    else if (kind === 'drawn') ask(true);
    else if (kind === 'screens') {
      const isFirst = layout === null;
      layout = Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(SCREEN_BYTES)]).subarray(0, SCREEN_BYTES);
      if (isFirst) resize(wanted.width, wanted.height);
    } else {
      const encodings = Buffer.alloc(4 + 4 * ENCODINGS.length);
      encodings.set([2, 0, 0, ENCODINGS.length]);
      for (const [index, encoding] of ENCODINGS.entries()) encodings.writeInt32BE(encoding, 4 + 4 * index);
      sinks.send(Buffer.concat([PIXELS, encodings]));
      ask(false);
    }
  });
  /** rfbproto, SetDesktopSize: one screen, all of it. */
  function resize(width: number, height: number): void {
    if (!layout || (width === screen.frame.width && height === screen.frame.height)) return;
    const message = Buffer.from([251, 0, 0, 0, 0, 0, 1, 0]);
    message.writeUInt16BE(width, 2);
    message.writeUInt16BE(height, 4);
    const one = Buffer.from(layout);
    one.writeUInt32BE(0, 4);
    one.writeUInt16BE(width, 8);
    one.writeUInt16BE(height, 10);
    sinks.send(Buffer.concat([message, one]));
  }
  const point = (mask: number): void => sinks.send(Buffer.of(5, mask, x >> 8, x & 255, y >> 8, y & 255));
  function act(doing: Doing): void {
    // What is done before there is a screen is done nowhere: the server would read it as part of its greetings.
    if (screen.frame.width === 0) return;
    if (doing.kind === 'move') {
      [x, y] = [Math.min(doing.x, 0xffff), Math.min(doing.y, 0xffff)];
      point(buttons);
    } else if (doing.kind === 'button') {
      const bit = 1 << doing.button;
      buttons = doing.isDown ? buttons | bit : buttons & ~bit;
      point(buttons);
    } else if (doing.kind === 'wheel') {
      const [more, less] = doing.isVertical ? [WHEEL.up, WHEEL.down] : [WHEEL.left, WHEEL.right];
      point(buttons | (doing.delta > 0 ? more : less));
      point(buttons);
    } else if (doing.kind === 'resize') resize(doing.width, doing.height);
    else if (doing.kind === 'clipboard') {
      const text = latin1(doing.text);
      const head = Buffer.alloc(8);
      head.writeUInt8(6, 0);
      head.writeUInt32BE(text.length, 4);
      sinks.send(Buffer.concat([head, text]));
    } else {
      const keysym = keysymOf(doing.scancode, doing.isDown);
      if (!takesKeys) {
        if (keysym > 0) sinks.send(Buffer.of(4, doing.isDown ? 1 : 0, 0, 0, 0, 0, keysym >> 8, keysym & 255));
        return;
      }
      const message = Buffer.alloc(12);
      message.set([255, 0, 0, doing.isDown ? 1 : 0]);
      message.writeUInt32BE(keysym, 4);
      // Keys that were added later have a bit of their own here.
      const { scancode } = doing;
      message.writeUInt32BE(scancode > 0xff ? (scancode & 0x7f) | 0x80 : scancode, 8);
      sinks.send(message);
    }
  }
  return {
    frame: screen.frame,
    restored: () => null,
    act,
    feed(bytes) {
      let rest = bytes;
      while (said < GREETINGS.length) {
        greeting = Buffer.concat([greeting, rest]);
        const wanted = GREETINGS[said] ?? 0;
        if (greeting.length < wanted) return;
        rest = greeting.subarray(wanted);
        greeting = Buffer.alloc(0);
        const answer = ANSWERS[said];
        if (answer) sinks.send(answer);
        said += 1;
      }
      return screen.feed(rest);
    },
  };
}
