// Frames of WebSocket (RFC 6455) as Kubernetes uses them: the first byte of a message says which channel it belongs to.
import { randomBytes } from 'node:crypto';

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
/** What the rest of a message is. `close` ends a channel, and is new in version 5 of the protocol. */
export const channels = { input: 0, output: 1, errors: 2, status: 3, resize: 4, close: 255 } as const;

/** Longest payload of one frame: clients and kubelets write 32 KiB at most. */
const PAYLOAD_MOST_BYTES = 1024 * 1024;
const LONGEST_SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;
const MASK_BYTES = 4;

export interface Frame {
  readonly opcode: number;
  /** The message ends with it. */
  readonly isLast: boolean;
  /** Unmasked. */
  readonly payload: Buffer;
}

/**
 * Reads one direction, in pieces as they come. What it answers throws Error for what is no frame or too long, and tells whether all messages
 * so far are whole. Nothing of a piece is kept but as a copy.
 */
export function readFrames(hear: (frame: Frame) => void): (bytes: Buffer) => boolean {
  let waiting: Buffer = Buffer.alloc(0);
  let isWhole = true;
  return bytes => {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    for (let frame = firstOf(waiting); frame; frame = firstOf(waiting)) {
      waiting = waiting.subarray(frame.end);
      if (frame.opcode < opcodes.close) isWhole = frame.isLast;
      hear(frame);
    }
    // The piece is whoever's it was again, and its memory may be used for something else.
    if (waiting.length > 0 && waiting.buffer === bytes.buffer) waiting = Buffer.from(waiting);
    return isWhole && waiting.length === 0;
  };
}

/** Undefined while it is not whole. */
function firstOf(bytes: Buffer): (Frame & { readonly end: number }) | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  if ((first & 0x70) !== 0) throw new Error('a frame of an extension that was not agreed on');
  const short = second & 0x7f;
  const lengthBytes = short === TWO_BYTES ? 2 : short === EIGHT_BYTES ? 8 : 0;
  if (bytes.length < 2 + lengthBytes) return undefined;
  const length =
    lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (length > PAYLOAD_MOST_BYTES) throw new Error(`a frame of ${length} bytes is too long`);
  const isMasked = (second & 0x80) !== 0;
  const start = 2 + lengthBytes + (isMasked ? MASK_BYTES : 0);
  const end = start + length;
  if (bytes.length < end) return undefined;
  const payload = bytes.subarray(start, end);
  return {
    opcode: first & 0x0f,
    isLast: (first & 0x80) !== 0,
    payload: isMasked ? masked(payload, bytes.subarray(start - MASK_BYTES, start)) : payload,
    end,
  };
}

const masked = (bytes: Uint8Array, mask: Uint8Array): Buffer => {
  const out = Buffer.from(bytes);
  for (let at = 0; at < out.length; at += 1) out[at] = (out[at] ?? 0) ^ (mask[at % MASK_BYTES] ?? 0);
  return out;
};

/** A whole message; `isMasked`: as a client sends it. */
export function writeFrame(opcode: number, payload: Uint8Array, isMasked = true): Buffer {
  const { length } = payload;
  const size = length <= LONGEST_SHORT ? 0 : length <= 0xffff ? 2 : 8;
  const head = Buffer.alloc(2 + size);
  head[0] = 0x80 | opcode;
  head[1] = (isMasked ? 0x80 : 0) | (size === 0 ? length : size === 2 ? TWO_BYTES : EIGHT_BYTES);
  if (size === 2) head.writeUInt16BE(length, 2);
  if (size === 8) head.writeBigUInt64BE(BigInt(length), 2);
  if (!isMasked) return Buffer.concat([head, payload]);
  const mask = randomBytes(MASK_BYTES);
  return Buffer.concat([head, mask, masked(payload, mask)]);
}

/** A message of one channel. */
export const writeChannel = (channel: number, bytes: Uint8Array, isMasked = true): Buffer =>
  writeFrame(opcodes.binary, Buffer.concat([Buffer.of(channel), bytes]), isMasked);

/** Tells of what each channel of one direction carries, `isLast` with the end of a message. Throws as `readFrames` does. */
export function readChannels(
  hear: (channel: number, piece: Buffer, isLast: boolean) => void,
): (bytes: Buffer) => boolean {
  let channel = 0;
  return readFrames(({ opcode, payload, isLast }) => {
    if (opcode >= opcodes.close) return;
    const begins = opcode !== opcodes.continuation;
    if (begins) channel = payload[0] ?? 0;
    hear(channel, begins ? payload.subarray(1) : payload, isLast);
  });
}
