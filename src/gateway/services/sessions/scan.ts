// Follows terminal output byte by byte: where a sequence begins and ends, and whether a place is inside one.

export type SequenceKind = 'esc' | 'csi' | 'osc' | 'dcs' | 'control';
/** A whole sequence. `body`: what stands between the introducer and the end, one character per byte; for csi with its final letter. */
export type OnSequence = (kind: SequenceKind, body: string, start: number, end: number) => void;

export interface Scan {
  /** Reads on. `at` is the place of the first byte, as `start` and `end` of sequences count. */
  push(bytes: Uint8Array, at: number): void;
  /** Whether no sequence and no UTF-8 character is half read. */
  atRest(): boolean;
}

/** Longer sequences are followed to their end, but their body is reported as '', bytes. */
const BODY_MOST_BYTES = 4096;

const ESC = 0x1b;
const CAN = 0x18;
const SUB = 0x1a;
const BEL = 0x07;
const DEL = 0x7f;

type State = 'ground' | 'escape' | 'csi' | 'osc' | 'dcs' | 'text';

export function createScan(onSequence: OnSequence): Scan {
  let state: State = 'ground';
  let start = 0;
  let body = '';
  let tooLong = false;
  /** Continuation bytes that the last UTF-8 lead byte still asks for. */
  let missing = 0;

  function begin(next: State): void {
    state = next;
    body = '';
    tooLong = false;
  }
  function gather(byte: number): void {
    if (body.length >= BODY_MOST_BYTES) tooLong = true;
    else body += String.fromCharCode(byte);
  }
  function finish(kind: SequenceKind, end: number): void {
    state = 'ground';
    onSequence(kind, tooLong ? '' : body, start, end);
  }
  function control(byte: number, place: number): void {
    // Bell, enquiry, shift out and in; tabs, line ends and the like change no mode.
    if (byte === 0x05 || byte === 0x0e || byte === 0x0f)
      onSequence('control', String.fromCharCode(byte), place, place + 1);
  }
  function afterEscape(byte: number, place: number): void {
    // Stray bytes above ASCII: a terminal drops those that are no character.
    if (byte >= DEL) return;
    if (byte < 0x20) control(byte, place);
    else if (byte < 0x30) gather(byte);
    else if (body === '' && byte === 0x5b) begin('csi');
    else if (body === '' && byte === 0x5d) begin('osc');
    else if (body === '' && byte === 0x50) begin('dcs');
    // SOS, PM, APC: text that ends as a DCS does and means nothing here.
    else if (body === '' && (byte === 0x58 || byte === 0x5e || byte === 0x5f)) begin('text');
    else {
      gather(byte);
      finish('esc', place + 1);
    }
  }
  function csi(byte: number, place: number): void {
    if (byte < 0x20) control(byte, place);
    else if (byte < DEL) {
      gather(byte);
      if (byte >= 0x40) finish('csi', place + 1);
    }
  }
  function step(byte: number, place: number): void {
    if (byte === CAN || byte === SUB) state = 'ground';
    else if (byte === ESC) {
      // ESC ends a string: with `\` behind it, properly.
      if (state === 'osc' || state === 'dcs') finish(state, place);
      start = place;
      begin('escape');
    } else if (state === 'escape') afterEscape(byte, place);
    else if (state === 'csi') csi(byte, place);
    else if (state === 'osc' && byte === BEL) finish('osc', place + 1);
    else if (state === 'osc' || state === 'dcs') gather(byte);
  }
  return {
    push(bytes, at) {
      for (let index = 0; index < bytes.length; index += 1) {
        const byte = bytes[index] ?? 0;
        if (state !== 'ground') {
          step(byte, at + index);
          continue;
        }
        if (byte >= 0x80) {
          missing = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : Math.max(0, missing - 1);
          continue;
        }
        missing = 0;
        if (byte === ESC) step(byte, at + index);
        else if (byte < 0x20) control(byte, at + index);
      }
    },
    atRest: () => state === 'ground' && missing === 0,
  };
}
