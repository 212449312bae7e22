// Reads a recording file by position, a window at a time: never the whole of it.
import { open } from 'node:fs/promises';
import type { ChunkHead } from './format.ts';
import { BadChunk, FILE_MAGIC, HEAD_BYTES, KIND, LINK_BYTES, linkOf, openBody, parseHead } from './format.ts';
import type { UnpackedChunk } from './pack.ts';
import { openPack } from './pack.ts';

/** How much is read at once, bytes. */
const WINDOW_BYTES = 512 * 1024;

/** The bytes of a recording, wherever they are: a FileHandle is one. */
export interface RecordingBytes extends AsyncDisposable {
  /** Reads up to `length` bytes from `position` on into `into` at `offset`; 0: there are none. */
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<{ readonly size: number }>;
}
export type OpenBytes = () => Promise<RecordingBytes>;
/** Those of a file. */
export const bytesOfFile =
  (path: string): OpenBytes =>
  () =>
    open(path, 'r');

/** Where a chunk begins: bytes into the file, and how many chunks of the pack that begins there come before it. */
export interface Place {
  readonly position: number;
  readonly skip: number;
}
/** A chunk; what was packed with others stands for itself. */
export interface StoredChunk {
  readonly head: ChunkHead;
  /** Plain. Valid until the next chunk is asked for. */
  readonly body: Uint8Array;
  readonly link: Buffer;
  /** Whether the link fits the chunk and the link before it; in a range, of a file's beginning only. */
  readonly fits: boolean;
  readonly place: Place;
  /** Where the next one begins. */
  readonly next: Place;
  /** Bytes of the file up to its end, or its pack's. */
  readonly end: number;
}

/** Where reading stopped: at the end of the range, in the middle of a chunk, or at something that is no chunk. */
export interface Stop {
  readonly position: number;
  readonly reason: 'end' | 'torn' | 'bad';
  readonly problem: string;
}

export interface Range {
  readonly from: Place;
  /** What is behind is not read, bytes into the file. */
  readonly to: number;
}

/** What a file holds from a chunk on. */
export const rangeFrom = (from: Place, to: number): Range => ({ from, to });
/** The range of a whole file. */
export const wholeFile = (size: number): Range => rangeFrom({ position: FILE_MAGIC.length, skip: 0 }, size);
export const isBefore = (one: Place, other: Place): boolean =>
  one.position < other.position || (one.position === other.position && one.skip < other.skip);

/** Whether the file begins as a recording does. */
export async function hasMagic(file: Pick<RecordingBytes, 'read'>): Promise<boolean> {
  const start = Buffer.alloc(FILE_MAGIC.length);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  return bytesRead === start.length && start.equals(FILE_MAGIC);
}

/** The chunks of a range in order; the generator's return value says why there are no more. */
export async function* readChunks(
  file: Pick<RecordingBytes, 'read'>,
  range: Range,
): AsyncGenerator<StoredChunk, Stop, undefined> {
  let window = Buffer.alloc(0);
  let { position } = range.from;
  let { skip } = range.from;
  let windowAt = position;
  let previous: Uint8Array = Buffer.alloc(LINK_BYTES);
  const stop = (reason: Stop['reason'], problem = ''): Stop => ({ position, reason, problem });

  /** `length` bytes from `position` on, or null when the range ends before. */
  async function bytesHere(length: number): Promise<Buffer | null> {
    if (position + length > range.to) return null;
    if (position + length > windowAt + window.length) {
      const wanted = Math.min(range.to - position, Math.max(WINDOW_BYTES, length));
      const next = Buffer.allocUnsafe(wanted);
      let filled = 0;
      // What is elsewhere answers less than it was asked for: no more than what is wanted is then fetched.
      while (filled < length) {
        const { bytesRead } = await file.read(next, filled, wanted - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      window = next.subarray(0, filled);
      windowAt = position;
      if (length > filled) return null;
    }
    return window.subarray(position - windowAt, position - windowAt + length);
  }

  while (position < range.to) {
    const headBytes = await bytesHere(HEAD_BYTES);
    if (!headBytes) return stop('torn');
    let head: ChunkHead;
    try {
      head = parseHead(headBytes);
    } catch (error) {
      if (error instanceof BadChunk) return stop('bad', error.message);
      throw error;
    }
    const whole = await bytesHere(HEAD_BYTES + head.length + LINK_BYTES);
    if (!whole) return stop('torn');
    const stored = whole.subarray(HEAD_BYTES, HEAD_BYTES + head.length);
    const link = Buffer.from(whole.subarray(HEAD_BYTES + head.length));
    const fits = linkOf(previous, whole.subarray(0, HEAD_BYTES), stored).equals(link);
    const end = position + whole.length;
    let chunks: readonly UnpackedChunk[];
    try {
      const body = openBody(head, stored);
      chunks = head.kind === KIND.pack ? openPack(head, body, previous) : [{ head, body, link }];
    } catch (error) {
      if (error instanceof BadChunk) return stop('bad', error.message);
      throw error;
    }
    for (const [at, chunk] of chunks.entries()) {
      if (at < skip) continue;
      const next = at + 1 < chunks.length ? { position, skip: at + 1 } : { position: end, skip: 0 };
      yield { ...chunk, fits, place: { position, skip: at }, next, end };
    }
    position = end;
    skip = 0;
    previous = chunks.at(-1)?.link ?? link;
  }
  return stop('end');
}
