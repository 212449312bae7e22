// Messages as they pass: a head of known length says how long its body is. Nothing is copied but what is asked for.
import { Held, type Passed } from '../pump.ts';

/** The bytes are not as the protocol writes them. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
/** The client asks for more than is remembered of it: what it does could not be said any more. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

interface FrameTap<Instead = Buffer | undefined> {
  /**
   * Reads a head that begins there: length of its body, and how much of that is wanted, bytes. A frame that is held goes on once what is wanted
   * of it was read. Throws Malformed.
   */
  head(bytes: Buffer, at: number): { readonly length: number; readonly wanted: number; readonly isHeld?: boolean };
  /**
   * `body` holds at most what was wanted. It is memory of the piece, to be read at once. Of a frame that is held: what goes on in its place;
   * undefined: the frame itself. Where that is a promise, nothing behind it is read before it is kept.
   */
  on(body: Buffer): Instead;
}
export interface Frames<Instead = Buffer | undefined> {
  (chunk: Buffer): Instead;
  /** Whether the last piece ended where a frame did, and all of it has gone on. */
  isBetween(): boolean;
}

/** Takes pieces as they come, and answers what goes on in the place of each; undefined: the piece as it is. Throws what the tap does. */
export const createFrames = (headBytes: number, tap: FrameTap): Frames => createWaitingFrames(headBytes, tap) as Frames;

/** The same for a tap that may keep a frame waiting: no further piece may come before what waits has gone on. */
export function createWaitingFrames(
  headBytes: number,
  tap: FrameTap<Buffer | undefined | Promise<Buffer | undefined>>,
): Frames<Passed> {
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

  const take = (chunk: Buffer): Passed => {
    const onward: Buffer[] = [];
    /** Whether something else goes on than this chunk as it is. */
    let isOther = head.length > 0 || held !== null;
    /** Up to here, the chunk has gone on, is held, or goes nowhere. */
    let gone = 0;
    const pass = (end: number): void => {
      if (end > gone) onward.push(chunk.subarray(gone, end));
      gone = end;
    };
    const release = (frame: readonly Buffer[], instead: Buffer | undefined): readonly Buffer[] => {
      drops = instead !== undefined;
      held = null;
      if (left === 0) left = -1;
      return instead === undefined ? frame : [instead];
    };
    /** Answers what is to be waited for. */
    const read = (): Promise<Buffer | undefined> | null => {
      isRead = true;
      const [only = NOTHING] = body;
      const instead = tap.on(body.length > 1 ? Buffer.concat(body) : only);
      if (instead instanceof Promise) return instead;
      if (!held) return null;
      onward.push(...release(held, instead));
      isOther ||= drops;
      return null;
    };
    /** All behind the frame that is held is read once it is known what goes on in its place. */
    const wait = (frame: readonly Buffer[], known: Promise<Buffer | undefined>, at: number): Held =>
      new Held(
        Buffer.concat(onward),
        known.then(instead => {
          const first = Buffer.concat([...release(frame, instead)]);
          const rest = chunk.subarray(at);
          const passed = take(rest);
          return passed instanceof Held
            ? new Held(Buffer.concat([first, passed.before]), passed.rest)
            : Buffer.concat([first, passed ?? rest]);
        }),
      );
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
        // Bulk is thousands of small frames: none of them is to cost memory of its own.
        const isWhole = head.length === 0;
        const whole = isWhole ? chunk : Buffer.concat([head, chunk.subarray(at, at + need)]);
        const wholeAt = isWhole ? at : 0;
        const { length, wanted, isHeld = false } = tap.head(whole, wholeAt);
        left = length;
        room = Math.min(wanted, length);
        if (body.length > 0) body = [];
        isRead = false;
        drops = false;
        if (isHeld) {
          pass(at);
          held = [Buffer.from(whole.subarray(wholeAt, wholeAt + headBytes))];
          gone = at + need;
        } else if (head.length > 0) onward.push(head);
        head = NOTHING;
        at += need;
      }
      const began = at;
      const come = Math.min(left, chunk.length - at);
      if (room > 0 && come > 0) {
        const kept = chunk.subarray(at, at + Math.min(room, come));
        // A piece whose end has come is read at once; what waits for more needs memory of its own.
        body.push(come === left ? kept : Buffer.from(kept));
        room -= kept.length;
      }
      at += come;
      left -= come;
      if (held) {
        held.push(Buffer.from(chunk.subarray(began, at)));
        gone = at;
        if (room === 0) {
          const known = read();
          if (known) return wait(held, known, at);
        }
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
  return Object.assign(take, { isBetween: () => left < 0 && head.length === 0 && held === null });
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
