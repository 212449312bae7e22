// Draws what a VNC server sends (RFC 6143, 7.3.2, 7.6 and 7.7; Tight as in rfbproto), in the encodings that the gateway lets clients ask for.
import { constants, inflateRawSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { createFrame, type Frame, type Rectangle } from './frame.ts';
import type { Screen } from './screen.ts';

/** As far back as zlib looks, bytes. */
const WINDOW_BYTES = 32 * 1024;
const TIGHT_PACKED_FROM = 12;
/** A picture in JPEG may take no more to unpack, MB. */
const JPEG_MOST_MB = 256;
/** Largest side of a pointer, pixels. */
const CURSOR_MOST_PIXELS = 1024;
const ENCODING = {
  raw: 0,
  copy: 1,
  tight: 7,
  tightPng: -260,
  size: -223,
  last: -224,
  cursor: -239,
  keys: -258,
  name: -307,
  extendedSize: -308,
} as const;

/** Ends the session or the playing: what came is not what the protocol says. */
class BadDrawing extends Error {
  override readonly name = 'BadDrawing';
}
/** What was wanted is not there yet. */
const NOT_YET = Symbol('not yet');

/** `told`: each message that is not a picture, by its kind, with all of it. `screens`: how the desktop is laid out, bytes as Latin-1. */
export function openVncScreen(
  told: (kind: 'begun' | 'drawn' | 'keys' | 'screens' | 'text', text: string) => void,
): Screen {
  const frame = createFrame();
  const windows = [0, 1, 2, 3].map(() => ({ seen: Buffer.alloc(0) as Buffer, isBegun: false }));
  let start: Buffer | null = null;
  let cursor: Buffer = Buffer.alloc(0);
  let held: Buffer = Buffer.alloc(0);
  let at = 0;
  /** Rectangles of the picture that is coming; 0xffff: until one says that it is the last. */
  let left = 0;

  const take = (count: number): Buffer => {
    if (at + count > held.length) throw NOT_YET;
    at += count;
    return held.subarray(at - count, at);
  };
  const byte = (): number => take(1).readUInt8(0);

  function begin(): void {
    const head = take(24);
    const name = take(Math.min(4096, head.readUInt32BE(20)));
    frame.resize(head.readUInt16BE(0), head.readUInt16BE(2));
    start = Buffer.concat([head, name]);
    told('begun', '');
  }
  function message(): void {
    const kind = byte();
    if (kind === 0) left = take(3).readUInt16BE(1);
    else if (kind === 1) take(6 * take(5).readUInt16BE(3));
    else if (kind === 3) {
      const length = take(7).readInt32BE(3);
      const text = take(Math.abs(length));
      if (length >= 0) told('text', text.toString('latin1'));
    } else if (kind === 248) take(take(8).readUInt8(7));
    else if (kind !== 2 && kind !== 150) throw new BadDrawing(`a message of an unknown kind, ${kind}`);
    if (kind === 0 && left === 0) told('drawn', '');
  }
  function rectangle(): void {
    const from = at;
    const head = take(12);
    const place: Rectangle = {
      ...{ left: head.readUInt16BE(0), top: head.readUInt16BE(2) },
      ...{ width: head.readUInt16BE(4), height: head.readUInt16BE(6) },
    };
    const encoding = head.readInt32BE(8);
    const isPicture = encoding === ENCODING.raw || encoding === ENCODING.copy || encoding === ENCODING.tight;
    if (isPicture && (place.left + place.width > frame.width || place.top + place.height > frame.height))
      throw new BadDrawing('a picture outside of the screen');
    let isLast = left === 1;
    if (encoding === ENCODING.raw) frame.put(place, take(place.width * place.height * 4));
    else if (encoding === ENCODING.copy) {
      const source = take(4);
      frame.copy({ left: source.readUInt16BE(0), top: source.readUInt16BE(2) }, place);
    } else if (encoding === ENCODING.tight) tight(place);
    else if (encoding === ENCODING.size) frame.resize(place.width, place.height);
    else if (encoding === ENCODING.extendedSize) {
      const screens = take(16 * take(4).readUInt8(0));
      // What answers a wish that it did not grant is no new size.
      if (place.left !== 1 || place.top === 0) frame.resize(place.width, place.height);
      told('screens', screens.toString('latin1'));
    } else if (encoding === ENCODING.cursor) {
      if (Math.max(place.width, place.height) > CURSOR_MOST_PIXELS) throw new BadDrawing('a pointer larger than any');
      take(place.width * place.height * 4 + Math.ceil(place.width / 8) * place.height);
      cursor = Buffer.from(held.subarray(from, at));
    } else if (encoding === ENCODING.name) take(Math.min(4096, take(4).readUInt32BE(0)));
    else if (encoding === ENCODING.keys) told('keys', '');
    else if (encoding === ENCODING.last) isLast = true;
    else throw new BadDrawing(`an encoding that nobody asked for, ${encoding}`);
    left = isLast ? 0 : left - (left === 0xffff ? 0 : 1);
    if (left === 0) told('drawn', '');
  }

  function tight(place: Rectangle): void {
    const { width, height } = place;
    const control = byte();
    const how = control >> 4;
    if (how === 8) {
      const colour = take(3);
      put(place, colour, () => 0);
      return;
    }
    if (how === 9) {
      const {
        width: wide,
        height: high,
        data,
      } = jpeg.decode(packed(), {
        useTArray: true,
        maxMemoryUsageInMB: JPEG_MOST_MB,
      });
      if (wide !== width || high !== height) throw new BadDrawing('a picture of another size than its place');
      frame.put(place, data);
      return;
    }
    if (how > 7) throw new BadDrawing('a picture that cannot be read');
    const filter = (how & 4) === 0 ? 0 : byte();
    if (filter > 2) throw new BadDrawing('a picture that cannot be read');
    const colours = filter === 1 ? byte() + 1 : 0;
    const palette = take(3 * colours);
    const line = colours === 0 ? 3 * width : colours <= 2 ? Math.ceil(width / 8) : width;
    const size = line * height;
    const raw = size < TIGHT_PACKED_FROM ? take(size) : packed();
    // All of it is there: streams begin anew now, and not once for each try.
    for (const [index, window] of windows.entries()) if (((control >> index) & 1) === 1) window.isBegun = false;
    const data = size < TIGHT_PACKED_FROM ? raw : unpacked(how & 3, raw, size);
    if (colours > 0)
      put(place, palette, (x, y) => {
        const bits = data[y * line + (colours <= 2 ? x >> 3 : x)] ?? 0;
        return 3 * (colours <= 2 ? (bits >> (7 - (x & 7))) & 1 : bits);
      });
    else {
      if (filter === 2) gradient(data, width, height);
      put(place, data, (x, y) => y * line + 3 * x);
    }
  }
  /** `from`: where red, green and blue of a pixel stand among the colours. */
  function put(place: Rectangle, colours: Uint8Array, from: (x: number, y: number) => number): void {
    const pixels = new Uint8Array(place.width * place.height * 4);
    let to = 0;
    for (let y = 0; y < place.height; y += 1)
      for (let x = 0; x < place.width; x += 1) {
        const red = from(x, y);
        pixels[to] = colours[red] ?? 0;
        pixels[to + 1] = colours[red + 1] ?? 0;
        pixels[to + 2] = colours[red + 2] ?? 0;
        to += 4;
      }
    frame.put(place, pixels);
  }
  function packed(): Buffer {
    const first = byte();
    if (first < 128) return take(first);
    const second = byte();
    if (second < 128) return take((first & 127) | (second << 7));
    return take((first & 127) | ((second & 127) << 7) | (byte() << 14));
  }
  /** Each picture ends where a byte does: so what was unpacked last is all that the next one needs. */
  function unpacked(stream: number, data: Buffer, size: number): Buffer {
    const window = windows[stream];
    if (!window) throw new BadDrawing('a picture that cannot be read');
    const isFirst = !window.isBegun;
    const found = inflateRawSync(isFirst ? data.subarray(2) : data, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: size,
      ...(!isFirst && window.seen.length > 0 && { dictionary: window.seen }),
    });
    if (found.length !== size) throw new BadDrawing('a picture that is cut short');
    window.isBegun = true;
    window.seen = Buffer.from((isFirst ? found : Buffer.concat([window.seen, found])).subarray(-WINDOW_BYTES));
    return found;
  }

  return {
    frame,
    feed(bytes) {
      held = at === held.length ? bytes : Buffer.concat([held.subarray(at), bytes]);
      at = 0;
      for (let from = 0; ; from = at) {
        try {
          if (!start) begin();
          else if (left > 0) rectangle();
          else message();
        } catch (error) {
          at = from;
          if (error === NOT_YET) return;
          throw error;
        }
      }
    },
    restored() {
      if (!start) return null;
      const size = Buffer.from(start);
      size.writeUInt16BE(frame.width, 0);
      size.writeUInt16BE(frame.height, 2);
      const rest = held.subarray(at);
      return {
        before: Buffer.concat([size, restart(windows, frame)]),
        png: frame.png(),
        after: Buffer.concat([
          cursor.length > 0 ? Buffer.concat([Buffer.of(0, 0, 0, 1), cursor]) : cursor,
          left > 0 ? Buffer.of(0, 0, left >> 8, left & 255) : Buffer.alloc(0),
          rest,
        ]),
      };
    },
  };
}

/** Lines as differences to what their neighbours foretell (rfbproto, Tight's gradient filter). */
function gradient(data: Buffer, width: number, height: number): void {
  const line = 3 * width;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < line; x += 1) {
      const here = y * line + x;
      const [west, north] = [x < 3 ? 0 : (data[here - 3] ?? 0), y === 0 ? 0 : (data[here - line] ?? 0)];
      const corner = x < 3 || y === 0 ? 0 : (data[here - line - 3] ?? 0);
      data[here] = (data[here] ?? 0) + Math.min(255, Math.max(0, west + north - corner));
    }
}

/** Side of the square of pixels that holds what zlib looks back at. */
const WINDOW_SIDE = 105;
/**
 * A picture for each stream that was begun, in which zlib finds what it has unpacked last: stored, not packed. They are drawn over at once.
 * The streams go on behind it as if all before had been there.
 */
function restart(
  windows: readonly { readonly seen: Buffer; readonly isBegun: boolean }[],
  { width, height }: Frame,
): Buffer {
  const side = WINDOW_SIDE;
  if (width < side || height < side) return Buffer.alloc(0);
  const rectangles = windows.flatMap(({ seen, isBegun }, stream) => {
    if (!isBegun) return [];
    const plain = Buffer.alloc(3 * side * side);
    seen.copy(plain, plain.length - seen.length);
    // A header, and one block that is stored as it is and not the last.
    const stored = Buffer.from([0x78, 0x01, 0, plain.length & 255, plain.length >> 8, 0, 0]);
    stored.writeUInt16LE(~plain.length & 0xffff, 5);
    const bytes = Buffer.concat([stored, plain]);
    const head = Buffer.from([0, 0, 0, 0, 0, side, 0, side, 0, 0, 0, ENCODING.tight]);
    const { length } = bytes;
    const control = (stream << 4) | (1 << stream);
    return [head, Buffer.of(control, (length & 127) | 128, ((length >> 7) & 127) | 128, length >> 14), bytes];
  });
  const count = rectangles.length / 3;
  return count === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.of(0, 0, 0, count), ...rectangles]);
}
