// TDP, the messages of desktops for clients that know pictures alone: an id, then fields, big endian; texts are a length and UTF-8.
import type { Doing } from '../services/desktop-drawing/screen.ts';

const ID = {
  screen: 1,
  move: 3,
  button: 4,
  key: 5,
  clipboard: 6,
  user: 7,
  wheel: 8,
  factor: 10,
  announce: 11,
  acknowledge: 12,
  picture: 27,
  notice: 28,
  keys: 32,
} as const;
/** As browsers name it. */
const WEBAUTHN = 'n'.charCodeAt(0);
const FAILED = 1;
/** Longest name of a directory, bytes. */
const NAME_MOST_BYTES = 4096;

interface Part {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly png: Uint8Array;
}
const message = (id: number, numbers: readonly number[], rest: Uint8Array = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(1 + 4 * numbers.length);
  head.writeUInt8(id, 0);
  for (const [index, number] of numbers.entries()) head.writeUInt32BE(number, 1 + 4 * index);
  return Buffer.concat([head, rest]);
};

export const tdpScreen = (width: number, height: number): Buffer => message(ID.screen, [width, height]);
export const tdpPicture = ({ left, top, right, bottom, png }: Part): Buffer =>
  message(ID.picture, [png.length, left, top, right, bottom], png);
export const tdpClipboard = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return message(ID.clipboard, [bytes.length], bytes);
};
const notice = (text: string, severity: number): Buffer => {
  const bytes = Buffer.from(text);
  return message(ID.notice, [bytes.length], Buffer.concat([bytes, Buffer.of(severity)]));
};
/** What ends the session. */
export const tdpEnd = (why: string): Buffer => notice(why, 2);
export const tdpNote = (text: string): Buffer => notice(text, 0);
/** What was not done, though it was asked for. */
export const tdpWarning = (text: string): Buffer => notice(text, 1);
export const tdpFactor = (challenge: unknown): Buffer => {
  const bytes = Buffer.from(JSON.stringify(challenge));
  const head = Buffer.alloc(6);
  head.writeUInt8(ID.factor, 0);
  head.writeUInt8(WEBAUTHN, 1);
  head.writeUInt32BE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
};
/** A directory that is not taken: none is shared over TDP. */
export const tdpNoDirectory = (directory: number): Buffer => message(ID.acknowledge, [FAILED, directory]);

/** The answer to a challenge, as JSON; undefined when the message is none. */
export function readTdpFactor(bytes: Buffer): unknown {
  if (bytes[0] !== ID.factor || bytes.length < 6) return undefined;
  return JSON.parse(bytes.toString('utf8', 6, 6 + bytes.readUInt32BE(2)));
}

export type TdpRead =
  | Doing
  | { readonly kind: 'ignored' }
  /** More text than is handed on. */
  | { readonly kind: 'tooMuch' }
  /** A directory is offered. */
  | { readonly kind: 'directory'; readonly directory: number; readonly name: string };
/** What a client sent, whatever numbers are in it; null for what is no message of one. */
export function readTdp(bytes: Buffer, clipboardMost: number): TdpRead | null {
  const [id] = bytes;
  const has = (count: number): boolean => bytes.length >= count;
  if (id === ID.move && has(9)) return { kind: 'move', x: bytes.readUInt32BE(1), y: bytes.readUInt32BE(5) };
  if (id === ID.button && has(3) && (bytes[1] ?? 3) <= 2)
    return { kind: 'button', button: bytes.readUInt8(1), isDown: bytes[2] === 1 };
  if (id === ID.key && has(6)) {
    const scancode = bytes.readUInt32BE(1);
    // A key that no keyboard has.
    if (scancode > 0xe0ff) return { kind: 'ignored' };
    return { kind: 'key', scancode, isDown: bytes[5] === 1 };
  }
  if (id === ID.wheel && has(4)) return { kind: 'wheel', isVertical: bytes[1] === 0, delta: bytes.readInt16BE(2) };
  if (id === ID.clipboard && has(5)) {
    const length = bytes.readUInt32BE(1);
    if (bytes.length < 5 + length) return null;
    if (length > clipboardMost) return { kind: 'tooMuch' };
    return { kind: 'clipboard', text: bytes.toString('utf8', 5, 5 + length) };
  }
  if (id === ID.screen && has(9))
    return { kind: 'resize', width: bytes.readUInt32BE(1), height: bytes.readUInt32BE(5) };
  if (id === ID.announce && has(13)) {
    const length = bytes.readUInt32BE(9);
    if (length > NAME_MOST_BYTES || bytes.length < 13 + length) return null;
    return { kind: 'directory', directory: bytes.readUInt32BE(5), name: bytes.toString('utf8', 13, 13 + length) };
  }
  return id === ID.user || id === ID.factor || id === ID.keys ? { kind: 'ignored' } : null;
}
