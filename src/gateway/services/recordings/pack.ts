// Chunks of events packed together. While a session runs, a large chunk is packed alone and quickly; once it is over, its file is
// packed anew (repack.ts): many chunks at once, as well as zstd can.
//
//   plain body = count varint, head of a chunk*, kept bytes of a chunk*
//   head       = varint: distance of its ms from the one before * 2 + (1: it is one output, and only what was printed is kept)
//                varint: length of what is kept
//
// Heads stand apart because text that no numbers interrupt packs better.
import { constants, zstdCompressSync } from 'node:zlib';
import { outputHead } from './events.ts';
import type { ChunkHead, Memory, NewChunk } from './format.ts';
import { BODY_MOST_BYTES, badChunk, encodeChunk, KIND } from './format.ts';
import { cursorOf, pushVarint } from './varint.ts';

export type PlainChunk = Pick<NewChunk, 'ms' | 'plain'>;
/** A chunk of a pack as it was before. */
export interface UnpackedChunk {
  readonly head: ChunkHead;
  readonly body: Uint8Array;
  readonly link: Buffer;
}

/**
 * One pack ready to append, and the link for the chunk behind it: that of its last chunk. null when it would be no smaller, or larger
 * than a chunk may be. `level` is zstd's; times must not go back. `memory`: what it is put together in, several times over.
 */
export function encodePack(
  chunks: readonly PlainChunk[],
  start: Pick<NewChunk, 'sequence' | 'previous'>,
  level: number,
  memory: Memory = Buffer.allocUnsafe,
): { readonly bytes: Buffer; readonly link: Uint8Array } | null {
  const ms = chunks[0]?.ms ?? 0;
  const heads: number[] = [];
  const kept: Uint8Array[] = [];
  let { sequence, previous } = start;
  let last = ms;
  pushVarint(heads, chunks.length);
  for (const chunk of chunks) {
    const printed = printedIn(chunk.plain);
    const bytes = printed ?? chunk.plain;
    pushVarint(heads, (chunk.ms - last) * 2 + (printed ? 1 : 0));
    pushVarint(heads, bytes.length);
    kept.push(bytes);
    last = chunk.ms;
    previous = encodeChunk({ kind: KIND.events, ...chunk, sequence, previous }, memory).link;
    sequence += 1;
  }
  const parts = [Uint8Array.from(heads), ...kept];
  const plain = memory(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    plain.set(part, at);
    at += part.length;
  }
  const packed = zstdCompressSync(plain, {
    pledgedSrcSize: plain.length,
    params: { [constants.ZSTD_c_compressionLevel]: level },
  });
  if (plain.length > BODY_MOST_BYTES || packed.length >= plain.length) return null;
  return { bytes: encodeChunk({ kind: KIND.pack, ms, ...start, plain, packed }, memory).bytes, link: previous };
}

/** What was printed, of a body that is one output and nothing else. */
function printedIn(plain: Uint8Array): Uint8Array | null {
  const [type, distance] = outputHead(0);
  if (plain.length < 3 || plain[0] !== type || plain[1] !== distance) return null;
  const cursor = cursorOf(plain.subarray(2), badChunk);
  const length = cursor.varint();
  const from = 2 + cursor.at;
  return from + length === plain.length && outputHead(length).length === from ? plain.subarray(from) : null;
}

/** The chunks of a pack as they were before; `previous` is the link before it. Throws BadChunk. */
export function openPack(head: ChunkHead, plain: Uint8Array, previous: Uint8Array): UnpackedChunk[] {
  const cursor = cursorOf(plain, badChunk);
  const count = cursor.varint();
  // Each takes two bytes of heads at least: a larger figure is a lie.
  if (count === 0 || count > plain.length / 2) throw badChunk('a pack of another number of chunks than it says');
  const heads = Array.from({ length: count }, () => [cursor.varint(), cursor.varint()] as const);
  const chunks: UnpackedChunk[] = [];
  let { ms, sequence } = head;
  let before = previous;
  for (const [distance, length] of heads) {
    ms += Math.floor(distance / 2);
    const kept = cursor.take(length);
    const body = distance % 2 === 1 ? Buffer.concat([outputHead(length), kept]) : kept;
    const { link } = encodeChunk({ kind: KIND.events, ms, sequence, plain: body, previous: before });
    chunks.push({
      head: { kind: KIND.events, codec: 0, length: body.length, size: body.length, ms, sequence },
      body,
      link,
    });
    before = link;
    sequence += 1;
  }
  if (!cursor.isAtEnd) throw badChunk('a pack of another length than it says');
  return chunks;
}
