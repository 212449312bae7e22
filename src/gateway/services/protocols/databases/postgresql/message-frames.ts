// Messages of PostgreSQL as they pass: type, 32-bit length that counts itself, body.
import type { WaitingTap } from '../../pump.ts';
import { createFrames, createWaitingFrames, type Frames, Malformed } from '../frames.ts';

const HEAD_BYTES = 5;
/** The protocol's own bound of a message, bytes. */
const MESSAGE_MOST_BYTES = 0x3fffffff;

interface MessageTap<Instead = Buffer | undefined> {
  /** How much of the body of this type is wanted, bytes. Throws Malformed for a type that there is not. */
  wants(type: number): number;
  /** Whether a message of this type waits until it was read. */
  holds(type: number): boolean;
  /** `body` holds at most what was wanted; `length` is that of the whole. Answers what goes on in the place of one that is held. */
  on(type: number, body: Buffer, length: number): Instead;
}
export const messages = (tap: MessageTap): Frames => createFrames(HEAD_BYTES, framesOf(tap));
export const waitingMessages = (tap: MessageTap<Buffer | undefined | Promise<Buffer | undefined>>): WaitingTap =>
  createWaitingFrames(HEAD_BYTES, framesOf(tap));
function framesOf<Instead>(tap: MessageTap<Instead>) {
  let type = 0;
  let length = 0;
  return {
    head(bytes: Buffer, at: number) {
      type = bytes.readUInt8(at);
      length = bytes.readInt32BE(at + 1) - 4;
      if (length < 0 || length > MESSAGE_MOST_BYTES) throw new Malformed(`a message of ${length} bytes`);
      return { length, wanted: tap.wants(type), isHeld: tap.holds(type) };
    },
    on: (body: Buffer): Instead => tap.on(type, body, length),
  };
}
