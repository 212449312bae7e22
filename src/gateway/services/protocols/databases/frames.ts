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
  /**
   * Reads a head: length of its body, and how much of that is wanted, bytes. A frame that is held goes on once what is wanted of it was read.
   * Throws Malformed.
   */
  head(bytes: Buffer): { readonly length: number; readonly wanted: number; readonly isHeld?: boolean };
  /**
   * `body` holds at most what was wanted. It is memory of the piece, to be read at once. Of a frame that is held: what goes on in its place;
   * undefined: the frame itself.
   */
  on(body: Buffer): Buffer | undefined;
}

/** Takes pieces as they come, and answers what goes on in the place of each; undefined: the piece as it is. Throws what the tap does. */
export function createFrames(headBytes: number, tap: FrameTap): (chunk: Buffer) => Buffer | undefined {
  /** Of a head that has not come whole, and has not gone on. */
  let head: Buffer = NOTHING;
  /** Of the body, bytes that have not come yet; -1: the head has not come. */
  let left = -1;
  let room = 0;
  let body: Buffer[] = [];
  /** All that has come of a frame that is held. */
  let held: Buffer[] | null = null;
  /** What was held has gone on, or something in its place; `drops`: the rest of it goes nowhere. */
  let isRead = false;
  let drops = false;

  return chunk => {
    const onward: Buffer[] = [];
    /** Whether something else goes on than this chunk as it is. */
    let isOther = head.length > 0 || held !== null;
    /** Up to here, the chunk has gone on, is held, or goes nowhere. */
    let gone = 0;
    const pass = (end: number): void => {
      if (end > gone) onward.push(chunk.subarray(gone, end));
      gone = end;
    };
    const read = (): void => {
      isRead = true;
      const instead = tap.on(body.length === 1 && body[0] ? body[0] : Buffer.concat(body));
      if (!held) return;
      onward.push(...(instead === undefined ? held : [instead]));
      drops = instead !== undefined;
      isOther ||= drops;
      held = null;
    };
    for (let at = 0; at < chunk.length; ) {
      if (left < 0) {
        const need = headBytes - head.length;
        if (chunk.length - at < need) {
          pass(at);
          head = Buffer.concat([head, chunk.subarray(at)]);
          gone = chunk.length;
          isOther = true;
          break;
        }
        const whole =
          head.length === 0 ? chunk.subarray(at, at + need) : Buffer.concat([head, chunk.subarray(at, at + need)]);
        const { length, wanted, isHeld = false } = tap.head(whole);
        left = length;
        room = Math.min(wanted, length);
        body = [];
        isRead = false;
        drops = false;
        if (isHeld) {
          pass(at);
          held = [Buffer.from(whole)];
          gone = at + need;
        } else if (head.length > 0) onward.push(head);
        head = NOTHING;
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
      if (held) {
        held.push(Buffer.from(part));
        gone = at;
        if (room === 0) read();
      } else if (drops) {
        gone = at;
        isOther = true;
      }
      if (left > 0) break;
      left = -1;
      if (!isRead) read();
    }
    if (!held && !drops) pass(chunk.length);
    return isOther || held || gone < chunk.length ? Buffer.concat(onward) : undefined;
  };
}
const NOTHING: Buffer = Buffer.alloc(0);

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
