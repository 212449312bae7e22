// The last of a session's output, by absolute place, in memory that grows only as it is used.

export interface Ring {
  /** Place of the oldest byte held and of the next one to come, bytes since the session began. */
  readonly start: number;
  readonly end: number;
  /** `leaving` sees the bytes that make room, before they are gone and in one or two pieces, with the place of the first. */
  push(bytes: Uint8Array, leaving: (bytes: Uint8Array, at: number) => void): void;
  /** A copy. Places outside are cut off. */
  slice(from: number, to?: number): Buffer;
}

/** An idle session holds one prompt: start small, bytes. */
const FIRST_BYTES = 4 * 1024;

export function createRing(mostBytes: number): Ring {
  let memory = Buffer.allocUnsafeSlow(Math.min(FIRST_BYTES, mostBytes));
  let start = 0;
  let end = 0;

  function copy(from: number, to: number, into = Buffer.allocUnsafeSlow(to - from)): Buffer {
    const first = from % memory.length;
    const length = Math.min(to - from, memory.length - first);
    memory.copy(into, 0, first, first + length);
    memory.copy(into, length, 0, to - from - length);
    return into;
  }
  function grow(wanted: number): void {
    if (wanted <= memory.length || memory.length >= mostBytes) return;
    let size = memory.length;
    while (size < wanted && size < mostBytes) size = Math.min(mostBytes, size * 2);
    const held = copy(start, end);
    memory = Buffer.allocUnsafeSlow(size);
    put(held, start);
  }
  function put(bytes: Uint8Array, at: number): void {
    const first = at % memory.length;
    const length = Math.min(bytes.length, memory.length - first);
    memory.set(bytes.subarray(0, length), first);
    memory.set(bytes.subarray(length), 0);
  }
  return {
    get start() {
      return start;
    },
    get end() {
      return end;
    },
    push(bytes, leaving) {
      grow(end - start + bytes.length);
      for (let at = 0; at < bytes.length; at += memory.length) {
        const piece = bytes.subarray(at, at + memory.length);
        const over = end - start + piece.length - memory.length;
        if (over > 0) {
          const first = start % memory.length;
          const straight = Math.min(over, memory.length - first);
          leaving(memory.subarray(first, first + straight), start);
          if (over > straight) leaving(memory.subarray(0, over - straight), start + straight);
          start += over;
        }
        put(piece, end);
        end += piece.length;
      }
    },
    slice(from, to = end) {
      const first = Math.min(end, Math.max(start, from));
      return copy(first, Math.max(first, Math.min(end, to)));
    },
  };
}
