// The binary frame of the terminal socket: a protobuf message of three strings: version, type and payload.

/** Frame types by name; the value is the one character on the wire. */
export const frameTypes = {
  raw: 'r',
  session: 's',
  resize: 'w',
  audit: 'a',
  fileRequest: 'f',
  fileDecision: 't',
  webauthn: 'n',
  close: 'c',
  error: 'e',
  latency: 'l',
} as const;
export type FrameType = (typeof frameTypes)[keyof typeof frameTypes];
const known: ReadonlySet<string> = new Set(Object.values(frameTypes));

export interface Frame {
  readonly type: FrameType;
  readonly payload: Uint8Array;
}

/** A frame that is not an envelope, with what was wrong. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame';
}

const VERSION_FIELD = 0x0a;
const TYPE_FIELD = 0x12;
const PAYLOAD_FIELD = 0x1a;
const VERSION_BYTE = 0x31; // '1'

/** A frame is at most this much longer than its payload, bytes. */
export const FRAME_HEAD_MOST_BYTES = 12;

/**
 * Encodes one frame: `0A 01 31  12 01 <type>  1A <varint length> <payload>`. With `memory`, which must hold the payload and
 * FRAME_HEAD_MOST_BYTES, the frame is written there.
 */
export function encodeFrame(type: FrameType, payload: Uint8Array, memory?: Uint8Array): Uint8Array {
  const lengthBytes =
    payload.length < 0x80
      ? 1
      : payload.length < 0x4000
        ? 2
        : payload.length < 0x20_0000
          ? 3
          : payload.length < 0x1000_0000
            ? 4
            : 5;
  const size = 7 + lengthBytes + payload.length;
  const frame = memory ? memory.subarray(0, size) : new Uint8Array(size);
  frame.set([VERSION_FIELD, 1, VERSION_BYTE, TYPE_FIELD, 1, type.charCodeAt(0), PAYLOAD_FIELD]);
  let at = 7;
  let rest = payload.length;
  while (rest >= 0x80) {
    frame[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  frame[at++] = rest;
  frame.set(payload, at);
  return frame;
}

/** Decodes one frame, fields in any order; unknown length-delimited or varint fields are skipped, as protobuf asks. Throws BadFrame. */
export function decodeFrame(bytes: Uint8Array): Frame {
  let at = 0;
  let version = '';
  let type = '';
  let payload: Uint8Array = new Uint8Array(0);
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) throw new BadFrame('the frame ends inside a number');
      value += (byte & 0x7f) * 2 ** shift;
      if ((byte & 0x80) === 0) return value;
    }
    throw new BadFrame('a number in the frame is longer than five bytes');
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    if (wire === 0) {
      varint();
      continue;
    }
    if (wire !== 2) throw new BadFrame(`wire type ${wire} is not used in this envelope`);
    const length = varint();
    if (at + length > bytes.length) throw new BadFrame('a field is longer than the frame');
    const field = bytes.subarray(at, at + length);
    at += length;
    if (tag === VERSION_FIELD) version = ascii(field);
    else if (tag === TYPE_FIELD) type = ascii(field);
    else if (tag === PAYLOAD_FIELD) payload = field;
  }
  if (version !== '1') throw new BadFrame(`the envelope's version is "${version}", not "1"`);
  if (!known.has(type)) throw new BadFrame(`the envelope's type "${type}" is not known`);
  return { type: type as FrameType, payload };
}

function ascii(field: Uint8Array): string {
  if (field.length > 8) throw new BadFrame('version and type are one character');
  return String.fromCharCode(...field);
}
