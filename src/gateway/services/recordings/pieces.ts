// A recording by pieces of the same size, each with a checksum of its own in the index: so one that is elsewhere is read in part, and
// what is read is known to be what was indexed.
import { hash } from 'node:crypto';
import { Failure } from '../../../contract/failure.ts';
import type { RecordingBytes } from './reader.ts';

/** Size of all pieces but the last, bytes: a second's worth of a line of 2 Mbit/s. */
export const PIECE_BYTES = 256 * 1024;
/** Pieces kept in memory of one recording: those that a player walks to and fro in. */
const KEPT_MOST = 8;

const digestOf = (piece: Uint8Array): string => hash('sha256', piece, 'base64');

/** SHA-256 of each piece of a file that no longer changes, in base64. */
export async function pieceDigests(file: Pick<RecordingBytes, 'read'>, size: number): Promise<string[]> {
  const digests: string[] = [];
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let from = 0; from < size; from += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, size - from);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(piece, filled, length - filled, from + filled);
      if (bytesRead === 0) return [];
      filled += bytesRead;
    }
    digests.push(digestOf(piece.subarray(0, length)));
  }
  return digests;
}

export interface PiecesSource {
  readonly size: number;
  readonly digests: readonly string[];
  /** Bytes from one place to another. */
  readonly fetch: (from: number, to: number) => Promise<Uint8Array>;
  /** Hears, before whoever reads fails, that a piece is not what was indexed. */
  readonly onChanged: () => void;
}

/** Fetches what is read of it, neighbours together, and nothing twice while it is kept. `read` throws Failure changed, and what `fetch` throws. */
export function createPieces({ size, digests, fetch, onChanged }: PiecesSource): RecordingBytes {
  const kept = new Map<number, Promise<Buffer>>();
  const endOf = (number: number): number => Math.min(size, (number + 1) * PIECE_BYTES);

  function checked(bytes: Buffer, number: number): Buffer {
    if (digestOf(bytes) === digests[number]) return bytes;
    onChanged();
    throw new Failure(
      'changed',
      'A part of this recording was changed where it is kept. Open it again: it is then read whole, and shows from where on.',
    );
  }
  /** Asks once for all pieces of a range that are not here. */
  function want(first: number, last: number): Promise<Buffer>[] {
    for (let at = first; at <= last; at += 1) {
      if (kept.has(at)) continue;
      let end = at;
      while (end < last && !kept.has(end + 1)) end += 1;
      const begin = at;
      const answer = fetch(begin * PIECE_BYTES, endOf(end)).then(Buffer.from);
      for (let number = begin; number <= end; number += 1) {
        const piece = answer.then(bytes =>
          checked(bytes.subarray((number - begin) * PIECE_BYTES, endOf(number) - begin * PIECE_BYTES), number),
        );
        piece.catch(() => kept.delete(number));
        kept.set(number, piece);
      }
      at = end;
    }
    const wanted: Promise<Buffer>[] = [];
    for (let number = first; number <= last; number += 1) {
      const piece = kept.get(number) as Promise<Buffer>;
      kept.delete(number);
      kept.set(number, piece);
      wanted.push(piece);
    }
    for (const oldest of kept.keys()) {
      if (kept.size <= Math.max(KEPT_MOST, wanted.length)) break;
      kept.delete(oldest);
    }
    return wanted;
  }
  return {
    async read(into, offset, length, position) {
      const end = Math.min(size, position + length);
      if (end <= position) return { bytesRead: 0 };
      const first = Math.floor(position / PIECE_BYTES);
      const wanted = want(first, Math.floor((end - 1) / PIECE_BYTES));
      for (const [index, piece] of wanted.entries()) {
        const at = (first + index) * PIECE_BYTES;
        const from = Math.max(position, at);
        (await piece).copy(into, offset + from - position, from - at, Math.min(end, at + PIECE_BYTES) - at);
      }
      return { bytesRead: end - position };
    },
    stat: async () => ({ size }),
    async [Symbol.asyncDispose]() {},
  };
}
