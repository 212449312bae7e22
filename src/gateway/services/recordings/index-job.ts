// One pass over a recording on behalf of the main loop: the outline, and the packed screens of its key frames.
import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { constants, zstdCompressSync } from 'node:zlib';
import type { Outline, OutlineRequest } from './outline.ts';
import { outlineOf } from './outline.ts';

export interface IndexJob {
  readonly path: string;
  readonly sid: string;
  readonly live: boolean;
  /** False = check the chain and the signature only. */
  readonly screens: boolean;
}
export interface IndexResult {
  readonly outline: Outline;
  /** All packed screens, one behind the other. */
  readonly screens: Uint8Array;
}

/** Throws what opening and reading the file throws, and BadChunk. */
export async function runIndexJob(job: IndexJob, openScreen: OutlineRequest['openScreen']): Promise<IndexResult> {
  await using file = await open(job.path, 'r');
  const parts: Uint8Array[] = [];
  let at = 0;
  const outline = await outlineOf(file, {
    sid: job.sid,
    live: job.live,
    openScreen: job.screens ? openScreen : null,
    onScreen(screen) {
      const packed = zstdCompressSync(screen, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
      parts.push(packed);
      at += packed.length;
      return { at: at - packed.length, bytes: packed.length, digest: hash('sha256', packed, 'hex') };
    },
  });
  return { outline, screens: Buffer.concat(parts) };
}
