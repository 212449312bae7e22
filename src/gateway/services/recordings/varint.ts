// Numbers of the recording file: unsigned LEB128 below 2^53.

/** Multiplication instead of shifts, which end at 2^32. Negative numbers become 0. */
export function pushVarint(into: number[], value: number): void {
  let rest = Math.max(0, Math.round(value));
  while (rest >= 0x80) {
    into.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  into.push(rest);
}

export interface Cursor {
  /** Bytes read so far. */
  readonly at: number;
  readonly isAtEnd: boolean;
  byte(): number;
  varint(): number;
  /** A view of the next `length` bytes. */
  take(length: number): Uint8Array;
}

/** Reads bytes in order. `bad` makes the error that is thrown when they end too early. */
export function cursorOf(bytes: Uint8Array, bad: (text: string) => Error): Cursor {
  let at = 0;
  function byte(): number {
    const next = bytes[at];
    if (next === undefined) throw bad('a number runs past the end of the chunk');
    at += 1;
    return next;
  }
  return {
    get at() {
      return at;
    },
    get isAtEnd() {
      return at >= bytes.length;
    },
    byte,
    varint() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const next = byte();
        value += (next & 0x7f) * scale;
        if (!Number.isSafeInteger(value)) throw bad('a number is too large');
        if (next < 0x80) return value;
      }
    },
    take(length) {
      if (length > bytes.length - at) throw bad('an event runs past the end of the chunk');
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}
