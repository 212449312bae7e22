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
/** What ends or interrupts plain text: ESC, and the controls that `control` reports. */
const MATTERING = [ESC, 0x05, 0x0e, 0x0f];
const CHARACTER_MOST_BYTES = 4;

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
  /** Follows the UTF-8 characters of text without controls. Only its last bytes can leave one half read. */
  function read(bytes: Uint8Array, from: number, to: number): void {
    for (let index = Math.max(from, to - CHARACTER_MOST_BYTES); index < to; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte < 0x80) missing = 0;
      else missing = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : Math.max(0, missing - 1);
    }
  }
  return {
    push(bytes, at) {
      // The next place of each byte that matters in text: searching for each is many times faster than looking at every byte.
      const next = MATTERING.map(() => -1);
      for (let index = 0; index < bytes.length; index += 1) {
        if (state !== 'ground') {
          step(bytes[index] ?? 0, at + index);
          continue;
        }
        let stop = bytes.length;
        for (let which = 0; which < next.length; which += 1) {
          let place = next[which] ?? 0;
          if (place < index) {
            place = bytes.indexOf(MATTERING[which] ?? 0, index);
            if (place < 0) place = bytes.length;
            next[which] = place;
          }
          if (place < stop) stop = place;
        }
        read(bytes, index, stop);
        index = stop;
        if (stop === bytes.length) return;
        missing = 0;
        const byte = bytes[stop] ?? 0;
        if (byte === ESC) step(byte, at + stop);
        else control(byte, at + stop);
      }
    },
    atRest: () => state === 'ground' && missing === 0,
  };
}
