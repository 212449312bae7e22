// Takes writes to the clipboard (OSC 52) out of what is shown to people who only watch: what a host prints must not reach the clipboard
// of somebody who did not open that session. Places in the output stay what they were, byte for byte.

export interface ClipboardFilter {
  /** The output without such sequences, as long as it was: the same memory where nothing had to go, else a copy. */
  apply(bytes: Uint8Array): Uint8Array;
}

const ESC = 0x1b;
const BEL = 0x07;
/** CAN and SUB end any sequence without its effect; clients then take the rest for text, which is why it becomes NUL. */
const CAN = 0x18;
const SUB = 0x1a;
const DEL = 0x7f;
/** U+0090 to U+009F in UTF-8 begin with this: `9D` behind it introduces an OSC, `9C` ends one. */
const C1_LEAD = 0xc2;
const C1_OSC = 0x9d;
const C1_ST = 0x9c;
const CLIPBOARD = 52;
/** Numbers are followed up to this: larger ones are no number of ours. */
const NUMBER_MOST = 100_000;

/**
 * `escape`: behind ESC. `number`: in the number of an OSC. `clipboard`: inside a clipboard sequence. Where terminals differ on what
 * they pass over inside a sequence, more is taken out rather than less.
 */
type State = 'text' | 'escape' | 'number' | 'clipboard';

/** Begins outside of any sequence. Feed it everything in order. */
export function createClipboardFilter(): ClipboardFilter {
  let state: State = 'text';
  let number = 0;
  /** Whether the byte before was the lead of a C1 control. */
  let led = false;

  function begin(next: State): void {
    state = next;
    number = 0;
  }
  /** Follows one byte; answers what goes out in its place. */
  function step(byte: number): number {
    const afterLead = led;
    led = byte === C1_LEAD;
    const wasClipboard = state === 'clipboard';
    if (byte === ESC) begin('escape');
    else if (byte === CAN || byte === SUB) begin('text');
    else if (wasClipboard) {
      if (byte === BEL || (afterLead && byte === C1_ST)) begin('text');
      return 0;
    } else if (afterLead && byte === C1_OSC) begin('number');
    else if (state === 'escape') {
      if (byte === 0x5d) begin('number');
      else if (byte >= 0x20 && byte < DEL) begin('text');
    } else if (state === 'number') {
      if (byte >= 0x30 && byte <= 0x39) number = Math.min(NUMBER_MOST, number * 10 + byte - 0x30);
      else if (byte === 0x3b && number === CLIPBOARD) {
        begin('clipboard');
        return CAN;
      } else if (byte === BEL || (byte >= 0x20 && byte <= DEL)) begin('text');
    }
    return byte;
  }
  return {
    apply(bytes) {
      let copy: Uint8Array | null = null;
      // Searching for the two bytes that matter in text is many times faster than looking at every byte.
      let introducer = -1;
      let lead = -1;
      for (let index = 0; index < bytes.length; index += 1) {
        if (state === 'text' && !led) {
          if (introducer < index) introducer = next(bytes, ESC, index);
          if (lead < index) lead = next(bytes, C1_LEAD, index);
          index = Math.min(introducer, lead);
          if (index === bytes.length) break;
        }
        const byte = bytes[index] ?? 0;
        const out = step(byte);
        if (out === byte) continue;
        copy ??= Uint8Array.from(bytes);
        copy[index] = out;
      }
      return copy ?? bytes;
    },
  };
}

const next = (bytes: Uint8Array, byte: number, from: number): number => {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
};
