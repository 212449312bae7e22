// Recordings that are in the bucket alone: opened by their index, and read piece by piece instead of being fetched whole.
import type { Archive } from './archive.ts';
import type { StoredIndex } from './index-file.ts';
import type { Indexes } from './indexes.ts';
import { createPieces, PIECE_BYTES } from './pieces.ts';
import type { OpenBytes } from './reader.ts';

/** Recordings kept open; each keeps some pieces. */
const OPEN_MOST = 8;
/** How long one that is open is read without asking the bucket whether it still has it, ms. */
const FRESH_MS = 60_000;

export interface ApartRecording {
  readonly index: StoredIndex;
  readonly openBytes: OpenBytes;
}
export interface Apart {
  /** null: it is to be had whole, because it is small or here already, or because its index or a piece of it is not what it was. */
  open(sid: string): Promise<ApartRecording | null>;
  forget(sid: string): void;
}

export function createApart(archive: Pick<Archive, 'apart'>, indexes: Pick<Indexes, 'beside'>): Apart {
  const opened = new Map<string, { readonly made: number; readonly one: Promise<ApartRecording | null> }>();
  const changed = new Set<string>();

  async function openOne(sid: string): Promise<ApartRecording | null> {
    const there = await archive.apart(sid);
    const index = there && (await indexes.beside(sid, there.size));
    if (!there || index?.contents.pieces.length !== Math.ceil(there.size / PIECE_BYTES)) return null;
    const pieces = createPieces({
      size: there.size,
      digests: index.contents.pieces,
      fetch: there.read,
      onChanged() {
        changed.add(sid);
        opened.delete(sid);
      },
    });
    return { index, openBytes: async () => pieces };
  }
  return {
    async open(sid) {
      if (changed.has(sid)) return null;
      const before = opened.get(sid);
      opened.delete(sid);
      const kept = before && Date.now() - before.made < FRESH_MS ? before : { made: Date.now(), one: openOne(sid) };
      opened.set(sid, kept);
      for (const oldest of opened.keys()) {
        if (opened.size <= OPEN_MOST) break;
        opened.delete(oldest);
      }
      try {
        const one = await kept.one;
        if (!one) opened.delete(sid);
        return one;
      } catch (error) {
        opened.delete(sid);
        throw error;
      }
    },
    forget: sid => void opened.delete(sid),
  };
}
