// What a VNC client sends once it is let in (RFC 6143, 7.5, and what rfbproto adds): what it asks for is narrowed to what can be followed.
import { CLIPBOARD_MOST_BYTES } from '../../../../../contract/desktop-sessions.ts';
import { Malformed, type Script, take } from '../passing.ts';
import { isRelayed } from './encodings.ts';

const CLIENT = {
  pixelFormat: 0,
  encodings: 2,
  updateRequest: 3,
  key: 4,
  pointer: 5,
  cutText: 6,
  continuousUpdates: 150,
  fence: 248,
  desktopSize: 251,
  qemu: 255,
} as const;
/** More encodings than there are. */
const ENCODINGS_MOST = 256;
const SCREENS_MOST = 16;

export interface ClientSinks {
  passed(bytes: Buffer): void;
  /** The person did something. */
  active(): void;
  /** A whole message of the clipboard; `length` as in it. */
  copied(message: Buffer, length: number): void;
}

export function* clientMessages({ passed, active, copied }: ClientSinks): Script {
  for (;;) {
    const [type = 0] = yield* take(1);
    /** The rest of a message of a fixed length. */
    function* whole(count: number): Script {
      passed(Buffer.concat([Buffer.of(type), yield* take(count)]));
    }
    switch (type) {
      case CLIENT.pixelFormat: {
        const rest = yield* take(19);
        // What the server draws is followed by this size of pixels.
        if (rest[3] !== 32 || rest[4] !== 24 || rest[6] === 0)
          throw new Malformed('pixels of 32 bits are relayed alone');
        passed(Buffer.concat([Buffer.of(type), rest]));
        break;
      }
      case CLIENT.encodings: {
        const count = (yield* take(3)).readUInt16BE(1);
        if (count > ENCODINGS_MOST) throw new Malformed('the client knows too many encodings');
        const asked = yield* take(4 * count);
        const kept = Array.from({ length: count }, (_, index) => asked.readInt32BE(4 * index)).filter(isRelayed);
        const message = Buffer.alloc(4 + 4 * kept.length);
        message.writeUInt8(type, 0);
        message.writeUInt16BE(kept.length, 2);
        for (const [index, encoding] of kept.entries()) message.writeInt32BE(encoding, 4 + 4 * index);
        passed(message);
        break;
      }
      case CLIENT.updateRequest:
      case CLIENT.continuousUpdates:
        yield* whole(9);
        break;
      case CLIENT.key:
        active();
        yield* whole(7);
        break;
      case CLIENT.pointer:
        active();
        yield* whole(5);
        break;
      case CLIENT.cutText: {
        const head = yield* take(7);
        const length = head.readInt32BE(3);
        const bytes = Math.abs(length);
        if (bytes > CLIPBOARD_MOST_BYTES) {
          yield { drop: bytes };
          break;
        }
        copied(Buffer.concat([Buffer.of(type), head, yield* take(bytes)]), length);
        break;
      }
      case CLIENT.fence: {
        const head = yield* take(8);
        passed(Buffer.concat([Buffer.of(type), head, yield* take(head.readUInt8(7))]));
        break;
      }
      case CLIENT.desktopSize: {
        const head = yield* take(7);
        if (head.readUInt8(5) > SCREENS_MOST) throw new Malformed('the client wants too many screens');
        passed(Buffer.concat([Buffer.of(type), head, yield* take(16 * head.readUInt8(5))]));
        break;
      }
      case CLIENT.qemu: {
        const [kind = 0] = yield* take(1);
        if (kind !== 0) throw new Malformed('the client sent what is not relayed');
        active();
        passed(Buffer.concat([Buffer.of(type, kind), yield* take(10)]));
        break;
      }
      default:
        throw new Malformed(`the client sent a message of an unknown kind, ${type}`);
    }
  }
}
