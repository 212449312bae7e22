// What a VNC server sends once a client is let in (RFC 6143, 7.3.2, 7.6 and 7.7; further encodings as in rfbproto), for the encodings that
// client-messages.ts lets a client ask for. What is drawn goes on as it comes; the clipboard is told apart.
import { CLIPBOARD_MOST_BYTES } from '../../../../../contract/desktop-sessions.ts';
import { Malformed, type Script, take } from '../passing.ts';
import { encodings } from './encodings.ts';

/** Largest side of a screen, pixels; and a desktop's name, bytes. */
const SIDE_MOST = 16_384;
const NAME_MOST_BYTES = 4096;
/** Pixels are four bytes, those of Tight three. */
const PIXEL_BYTES = 4;
const TIGHT_PIXEL_BYTES = 3;
/** Tight does not pack less, bytes. */
const TIGHT_PACKED_FROM = 12;

const SERVER = { update: 0, colours: 1, bell: 2, cutText: 3, endOfUpdates: 150, fence: 248 } as const;

export interface ServerSinks {
  drawn(bytes: Buffer): void;
  /** A whole message of the clipboard; `length` as in it. */
  copied(message: Buffer, length: number): void;
}

export function* serverMessages({ drawn, copied }: ServerSinks): Script {
  function* kept(count: number): Generator<{ take: number }, Buffer, Buffer> {
    const bytes = yield { take: count };
    drawn(bytes);
    return bytes;
  }
  const start = yield* kept(24);
  checkSize(start.readUInt16BE(0), start.readUInt16BE(2));
  yield { pass: bounded(start.readUInt32BE(20), NAME_MOST_BYTES, "the desktop's name") };
  for (;;) {
    const [type] = yield* take(1);
    if (type === SERVER.cutText) {
      const head = yield* take(7);
      const length = head.readInt32BE(3);
      const bytes = Math.abs(length);
      // More than anybody pastes goes nowhere.
      if (bytes > CLIPBOARD_MOST_BYTES) {
        yield { drop: bytes };
        continue;
      }
      const body = yield* take(bytes);
      copied(Buffer.concat([Buffer.of(SERVER.cutText), head, body]), length);
      continue;
    }
    drawn(Buffer.of(type ?? 0));
    if (type === SERVER.update) yield* update();
    else if (type === SERVER.fence) yield { pass: (yield* kept(8)).readUInt8(7) };
    else if (type === SERVER.colours) yield { pass: 6 * (yield* kept(5)).readUInt16BE(3) };
    else if (type !== SERVER.bell && type !== SERVER.endOfUpdates)
      throw new Malformed(`the server sent a message of an unknown kind, ${type}`);
  }

  function* update(): Script {
    const count = (yield* kept(3)).readUInt16BE(1);
    for (let index = 0; index < count; index += 1) {
      const head = yield* kept(12);
      const [width, height] = [head.readUInt16BE(4), head.readUInt16BE(6)];
      const encoding = head.readInt32BE(8);
      if (encoding === encodings.lastRect) return;
      if (encoding === encodings.raw) yield { pass: pixels(width, height) * PIXEL_BYTES };
      else if (encoding === encodings.copyRect) yield { pass: 4 };
      else if (encoding === encodings.tight) yield* tight(width, height);
      else if (encoding === encodings.cursor)
        yield { pass: pixels(width, height) * PIXEL_BYTES + Math.ceil(width / 8) * height };
      else if (encoding === encodings.desktopSize) checkSize(width, height);
      else if (encoding === encodings.extendedDesktopSize) {
        checkSize(width, height);
        yield { pass: 16 * (yield* kept(4)).readUInt8(0) };
      } else if (encoding === encodings.desktopName)
        yield { pass: bounded((yield* kept(4)).readUInt32BE(0), NAME_MOST_BYTES, "the desktop's name") };
      else if (encoding !== encodings.qemuKeys)
        throw new Malformed(`the server drew in an encoding that nobody asked for, ${encoding}`);
    }
  }
  function* tight(width: number, height: number): Script {
    const [control = 0] = yield* kept(1);
    const how = control >> 4;
    if (how === 8) {
      yield { pass: TIGHT_PIXEL_BYTES };
      return;
    }
    if (how === 9) {
      yield { pass: yield* packedLength() };
      return;
    }
    if (how > 7) throw new Malformed('the server drew what cannot be read');
    let bytes = pixels(width, height) * TIGHT_PIXEL_BYTES;
    if ((how & 4) !== 0) {
      const [filter = 0] = yield* kept(1);
      if (filter === 1) {
        const colours = ((yield* kept(1))[0] ?? 0) + 1;
        yield { pass: colours * TIGHT_PIXEL_BYTES };
        bytes = colours <= 2 ? Math.ceil(width / 8) * height : width * height;
      } else if (filter > 2) throw new Malformed('the server drew what cannot be read');
    }
    yield { pass: bytes < TIGHT_PACKED_FROM ? bytes : yield* packedLength() };
  }
  /** One to three bytes: seven bits each, and eight of the last. */
  function* packedLength(): Generator<{ take: number }, number, Buffer> {
    const [first = 0] = yield* kept(1);
    if (first < 128) return first;
    const [second = 0] = yield* kept(1);
    if (second < 128) return (first & 127) | (second << 7);
    const [third = 0] = yield* kept(1);
    return (first & 127) | ((second & 127) << 7) | (third << 14);
  }
}

function checkSize(width: number, height: number): void {
  if (width > SIDE_MOST || height > SIDE_MOST) throw new Malformed(`the server has a screen of ${width}x${height}`);
}
const pixels = (width: number, height: number): number => {
  checkSize(width, height);
  return width * height;
};
function bounded(count: number, most: number, what: string): number {
  if (count > most) throw new Malformed(`${what} is longer than ${most} bytes`);
  return count;
}
