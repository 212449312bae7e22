// The sidecar `sid.idx`: what indexing found, so that it is done once. Lost or stale ones are made anew.
//
//   "POSTIDX6" | HMAC-SHA-256 of the rest up to the screens (32) | length u32 | zstd JSON RecordingIndex | packed screens
//
// Without the gateway's key nobody can write one that is believed; each screen's SHA-256 stands in the index.
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isAbsent } from './absent.ts';
import type { IndexResult } from './index-job.ts';
import type { RecordingIndex } from './recording-index.ts';
import type { Keyframe } from './terminal-index.ts';

const MAGIC = Buffer.from('POSTIDX6', 'latin1');
const MAC_BYTES = 32;
const FRONT_BYTES = MAGIC.length + MAC_BYTES + 4;
/** Most an index may unpack to: 10,000 marks and a key frame for each 256 kB of 100 GB, bytes. */
const INDEX_MOST_BYTES = 128 * 1024 * 1024;
const SCREEN_MOST_BYTES = 16 * 1024 * 1024;

export interface StoredIndex {
  readonly contents: RecordingIndex;
  /** Output that draws a key frame's screen, or what else was kept like one; '' for the first. null when the sidecar no longer holds it. */
  screen(keyframe: Pick<Keyframe, 'screen'>): Promise<string | null>;
}

/** An index held in memory. */
export function indexOf(result: IndexResult): StoredIndex {
  return {
    contents: result.contents,
    async screen({ screen }) {
      return screen ? unpack(result.screens.subarray(screen.at, screen.at + screen.bytes)) : '';
    },
  };
}

/** Writes the sidecar beside the recording: whole or not at all. */
export async function writeIndexFile(path: string, result: IndexResult, secret: Uint8Array): Promise<void> {
  const contents = zstdCompressSync(JSON.stringify(result.contents));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(contents.length);
  const rest = Buffer.concat([length, contents]);
  const draft = `${path}.new`;
  try {
    await using file = await open(draft, 'w', 0o600);
    await file.writeFile(Buffer.concat([MAGIC, macOf(secret, rest), rest, result.screens]));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await rename(draft, path);
}

/** null when there is none, or it is damaged, or another key wrote it, or it belongs to another state of the recording. */
export async function readIndexFile(path: string, size: number, secret: Uint8Array): Promise<StoredIndex | null> {
  let bytes: Buffer;
  try {
    await using file = await open(path, 'r');
    const front = Buffer.alloc(FRONT_BYTES);
    await file.read(front, 0, FRONT_BYTES, 0);
    const length = front.readUInt32LE(FRONT_BYTES - 4);
    if (!front.subarray(0, MAGIC.length).equals(MAGIC) || length > INDEX_MOST_BYTES) return null;
    bytes = Buffer.alloc(4 + length);
    await file.read(bytes, 0, bytes.length, FRONT_BYTES - 4);
    if (!timingSafeEqual(macOf(secret, bytes), front.subarray(MAGIC.length, MAGIC.length + MAC_BYTES))) return null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
  // The key has vouched for these bytes: this gateway wrote them.
  const contents = JSON.parse(
    zstdDecompressSync(bytes.subarray(4), { maxOutputLength: INDEX_MOST_BYTES }).toString('utf8'),
  ) as RecordingIndex;
  if (contents.size !== size) return null;
  const screensAt = FRONT_BYTES - 4 + bytes.length;
  return {
    contents,
    async screen({ screen }) {
      if (!screen) return '';
      const packed = Buffer.alloc(screen.bytes);
      try {
        await using file = await open(path, 'r');
        await file.read(packed, 0, packed.length, screensAt + screen.at);
      } catch (error) {
        if (isAbsent(error)) return null;
        throw error;
      }
      return hash('sha256', packed, 'hex') === screen.digest ? unpack(packed) : null;
    },
  };
}
const unpack = (packed: Uint8Array): string =>
  zstdDecompressSync(packed, { maxOutputLength: SCREEN_MOST_BYTES }).toString('utf8');
const macOf = (secret: Uint8Array, bytes: Uint8Array): Buffer => createHmac('sha256', secret).update(bytes).digest();
