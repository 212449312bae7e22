// Reads a recording file by position, a window at a time: never the whole of it.
import type { FileHandle } from 'node:fs/promises';
import type { ChunkHead } from './format.ts';
import { BadChunk, FILE_MAGIC, HEAD_BYTES, LINK_BYTES, linkOf, parseHead } from './format.ts';

/** How much is read at once, bytes. */
const WINDOW_BYTES = 512 * 1024;

export interface StoredChunk {
  readonly head: ChunkHead;
  /** As stored: `openBody` unpacks it. Valid until the next chunk is asked for. */
  readonly body: Buffer;
  readonly link: Buffer;
  /** Whether the link fits the chunk and the link before it. */
  readonly fits: boolean;
  /** Where it begins and where the next one begins, bytes into the file. */
  readonly position: number;
  readonly end: number;
}

/** Where reading stopped: at the end of the range, in the middle of a chunk, or at something that is no chunk. */
export interface Stop {
  readonly position: number;
  readonly reason: 'end' | 'torn' | 'bad';
  readonly problem: string;
}

export interface Range {
  readonly from: number;
  readonly to: number;
  /** Link of the chunk before `from`, 32 bytes. */
  readonly previous: Uint8Array;
}

/** The range of a whole file. */
export const wholeFile = (size: number): Range => ({
  from: FILE_MAGIC.length,
  to: size,
  previous: Buffer.alloc(LINK_BYTES),
});

/** Whether the file begins as a recording does. */
export async function hasMagic(file: FileHandle): Promise<boolean> {
  const start = Buffer.alloc(FILE_MAGIC.length);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  return bytesRead === start.length && start.equals(FILE_MAGIC);
}

/** The chunks of a range in order; the generator's return value says why there are no more. */
export async function* readChunks(file: FileHandle, range: Range): AsyncGenerator<StoredChunk, Stop, undefined> {
  let window = Buffer.alloc(0);
  let windowAt = range.from;
  let position = range.from;
  let previous: Uint8Array = Buffer.from(range.previous);
  const stop = (reason: Stop['reason'], problem = ''): Stop => ({ position, reason, problem });

  /** `length` bytes from `position + skip`, or null when the range ends before. */
  async function bytesAt(skip: number, length: number): Promise<Buffer | null> {
    if (position + skip + length > range.to) return null;
    if (position + skip + length > windowAt + window.length) {
      const wanted = Math.min(range.to - position, Math.max(WINDOW_BYTES, skip + length));
      const next = Buffer.allocUnsafe(wanted);
      let filled = 0;
      while (filled < wanted) {
        const { bytesRead } = await file.read(next, filled, wanted - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      window = next.subarray(0, filled);
      windowAt = position;
      if (skip + length > filled) return null;
    }
    return window.subarray(position + skip - windowAt, position + skip - windowAt + length);
  }

  while (position < range.to) {
    const headBytes = await bytesAt(0, HEAD_BYTES);
    if (!headBytes) return stop('torn');
    let head: ChunkHead;
    try {
      head = parseHead(headBytes);
    } catch (error) {
      if (error instanceof BadChunk) return stop('bad', error.message);
      throw error;
    }
    const whole = await bytesAt(0, HEAD_BYTES + head.length + LINK_BYTES);
    if (!whole) return stop('torn');
    const body = whole.subarray(HEAD_BYTES, HEAD_BYTES + head.length);
    const link = Buffer.from(whole.subarray(HEAD_BYTES + head.length));
    const fits = linkOf(previous, whole.subarray(0, HEAD_BYTES), body).equals(link);
    const end = position + whole.length;
    yield { head, body, link, fits, position, end };
    position = end;
    previous = link;
  }
  return stop('end');
}
