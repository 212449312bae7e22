// Memory for large frames, used again once the network has taken them: bulk output would otherwise be the collector's main work.

import { FRAME_HEAD_MOST_BYTES } from '../../contract/envelope.ts';
import { RAW_MOST_BYTES } from '../../contract/terminal.ts';
import { givenBack } from '../services/reused-memory.ts';

/** Frames below this come and go too cheaply to be kept, bytes. */
const LARGE_BYTES = 4096;
/** Holds every frame of terminal output. */
const KEPT_BYTES = RAW_MOST_BYTES + FRAME_HEAD_MOST_BYTES;
/** A socket that has shown much output keeps 128 kB, bulk output never waits for more. */
const KEPT_MOST = 8;

export interface FrameMemory {
  /** At least so many bytes, of any content; undefined where memory of one's own is as good. */
  take(bytes: number): Uint8Array | undefined;
  /** Only what nobody reads from or writes to any more. */
  giveBack(memory: Uint8Array | undefined): void;
}

export function createFrameMemory(): FrameMemory {
  const kept: Uint8Array[] = [];
  return {
    take(bytes) {
      if (bytes < LARGE_BYTES || bytes > KEPT_BYTES) return undefined;
      return kept.pop() ?? Buffer.allocUnsafeSlow(KEPT_BYTES);
    },
    giveBack(memory) {
      if (!memory) return;
      givenBack(memory);
      if (kept.length < KEPT_MOST) kept.push(memory);
    },
  };
}
