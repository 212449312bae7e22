// One pass over a recording on behalf of the main loop: the index, and the packed screens of its key frames.
import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { constants, zstdCompressSync } from 'node:zlib';
import { pieceDigests } from './pieces.ts';
import type { IndexRequest, RecordingIndex } from './recording-index.ts';
import { indexRecording } from './recording-index.ts';

export interface IndexJob {
  readonly path: string;
  readonly sid: string;
  readonly live: boolean;
  /** False = check the chain and the signature only. */
  readonly screens: boolean;
  /** Whether desktops are drawn, which takes as many seconds as they drew MB. */
  readonly desktops: boolean;
}
export interface IndexResult {
  readonly contents: RecordingIndex;
  /** All packed screens, one behind the other. */
  readonly screens: Uint8Array;
}

/** Throws what opening and reading the file throws, and BadChunk. */
export async function runIndexJob(
  job: IndexJob,
  openScreen: IndexRequest['openScreen'],
  openDrawing: IndexRequest['openDrawing'] = null,
): Promise<IndexResult> {
  await using file = await open(job.path, 'r');
  const parts: Uint8Array[] = [];
  let at = 0;
  const contents = await indexRecording(file, {
    sid: job.sid,
    live: job.live,
    openScreen: job.screens ? openScreen : null,
    openDrawing: job.desktops && !job.live ? openDrawing : null,
    onScreen(screen) {
      const packed = zstdCompressSync(screen, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
      parts.push(packed);
      at += packed.length;
      return { at: at - packed.length, bytes: packed.length, digest: hash('sha256', packed, 'hex') };
    },
  });
  const isWhole = job.screens && !job.live;
  const pieces = isWhole ? await pieceDigests(file, contents.size) : [];
  return { contents: { ...contents, pieces }, screens: Buffer.concat(parts) };
}
