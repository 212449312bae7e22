// Messages of PostgreSQL's protocol as they pass: type, 32-bit length, body. Nothing is copied but what is asked for.

/** The bytes are not as the protocol writes them. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

const HEAD_BYTES = 5;
/** The protocol's own bound of a message, bytes. */
const MESSAGE_MOST_BYTES = 0x3fffffff;

export interface FrameTap {
  /** How much of the body of this type is wanted, bytes. Throws Malformed for a type that there is not. */
  wants(type: number): number;
  /** `body` holds at most what was wanted; `length` is that of the whole. */
  on(type: number, body: Buffer, length: number): void;
}

/** Takes pieces as they come. Throws Malformed. */
export function createFrames(tap: FrameTap): (chunk: Buffer) => void {
  let head = Buffer.alloc(0);
  let type = 0;
  let length = 0;
  /** Of the body, bytes that have not come yet; -1: the head has not come. */
  let left = -1;
  let room = 0;
  let body: Buffer[] = [];

  function begin(bytes: Buffer): void {
    type = bytes.readUInt8(0);
    length = bytes.readInt32BE(1) - 4;
    if (length < 0 || length > MESSAGE_MOST_BYTES) throw new Malformed(`a message of ${length} bytes`);
    left = length;
    room = tap.wants(type);
    body = [];
  }
  return chunk => {
    for (let at = 0; at < chunk.length; ) {
      if (left < 0) {
        const need = HEAD_BYTES - head.length;
        if (head.length === 0 && chunk.length - at >= HEAD_BYTES) begin(chunk.subarray(at, at + HEAD_BYTES));
        else {
          head = Buffer.concat([head, chunk.subarray(at, at + need)]);
          if (head.length < HEAD_BYTES) return;
          begin(head);
          head = Buffer.alloc(0);
        }
        at += need;
      }
      const part = chunk.subarray(at, at + left);
      if (room > 0 && part.length > 0) {
        const kept = part.subarray(0, room);
        // A piece whose end has come is read at once; what waits for more needs memory of its own.
        body.push(part.length === left ? kept : Buffer.from(kept));
        room -= kept.length;
      }
      at += part.length;
      left -= part.length;
      if (left > 0) return;
      left = -1;
      tap.on(type, body.length === 1 && body[0] ? body[0] : Buffer.concat(body), length);
    }
  };
}

/** Text that ends with a zero byte, and where the next field begins; what was cut before its end is whole up to there. */
export function textAt(body: Buffer, at: number): readonly [text: string, next: number] {
  const end = body.indexOf(0, at);
  return end < 0 ? [body.toString('utf8', at), body.length] : [body.toString('utf8', at, end), end + 1];
}
