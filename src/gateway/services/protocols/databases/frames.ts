// Messages as they pass: a head of known length says how long its body is. Nothing is copied but what is asked for.

/** The bytes are not as the protocol writes them. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
/** The client asks for more than is remembered of it: what it does could not be said any more. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

interface FrameTap {
  /** Reads a head: length of its body, and how much of that is wanted, bytes. Throws Malformed. */
  head(bytes: Buffer): { readonly length: number; readonly wanted: number };
  /** `body` holds at most what was wanted. It is memory of the piece, to be read at once. */
  on(body: Buffer): void;
}

/** Takes pieces as they come. Throws what the tap does. */
export function createFrames(headBytes: number, tap: FrameTap): (chunk: Buffer) => void {
  let head = Buffer.alloc(0);
  /** Of the body, bytes that have not come yet; -1: the head has not come. */
  let left = -1;
  let room = 0;
  let body: Buffer[] = [];

  function begin(bytes: Buffer): void {
    const { length, wanted } = tap.head(bytes);
    left = length;
    room = wanted;
    body = [];
  }
  return chunk => {
    for (let at = 0; at < chunk.length; ) {
      if (left < 0) {
        const need = headBytes - head.length;
        if (head.length === 0 && chunk.length - at >= headBytes) begin(chunk.subarray(at, at + headBytes));
        else {
          head = Buffer.concat([head, chunk.subarray(at, at + need)]);
          if (head.length < headBytes) return;
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
      tap.on(body.length === 1 && body[0] ? body[0] : Buffer.concat(body));
    }
  };
}

/** Text that ends with a zero byte, and where the next field begins; what was cut before its end is whole up to there. */
export function textAt(body: Buffer, at: number): readonly [text: string, next: number] {
  const end = body.indexOf(0, at);
  return end < 0 ? [body.toString('utf8', at), body.length] : [body.toString('utf8', at, end), end + 1];
}

/** Text of a statement that is kept, bytes: what is longer is kept up to there. */
export const TEXT_MOST_BYTES = 32 * 1024;
/** A text that may have been cut, with what is missing said. `length`: of the whole, bytes. */
export const whole = (text: string, length: number): string =>
  length > TEXT_MOST_BYTES ? `${text}… (${length} bytes)` : text;
