// The last screen of a recording, drawn from its last key frame in a thread of its own: whoever looks through a list must hold up nobody.
import type { ScreenPicture } from '../../../contract/recordings.ts';
import { createWorkerQueue } from '../worker-queue.ts';
import type { StoredIndex } from './index-file.ts';
import type { RecordingIndex } from './recording-index.ts';
import type { Keyframe } from './terminal-index.ts';

/** Pictures kept, some 5 kB each. */
const KEPT_MOST = 200;

export interface LastScreenJob {
  readonly path: string;
  readonly contents: Pick<RecordingIndex, 'readable' | 'size'>;
  readonly from: Keyframe;
  /** Output that draws the key frame. */
  readonly screen: string;
}

/** Draws last screens, and keeps the latest that were asked for. You must close it. */
export function createLastScreens() {
  const queue = createWorkerQueue<LastScreenJob, ScreenPicture>(new URL('./last-screen-worker.ts', import.meta.url));
  const kept = new Map<string, Promise<ScreenPicture>>();
  return {
    /** null when the sidecar no longer holds the key frame. Throws what reading the file throws. */
    async of(path: string, index: StoredIndex): Promise<ScreenPicture | null> {
      const { digest, readable, size, keyframes } = index.contents;
      const from = keyframes.at(-1);
      const screen = from && (await index.screen(from));
      if (!from || screen === null || screen === undefined) return null;
      const key = `${path} ${digest}`;
      const one = kept.get(key) ?? queue.run({ path, contents: { readable, size }, from, screen });
      kept.delete(key);
      kept.set(key, one);
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT_MOST) break;
        kept.delete(oldest);
      }
      one.catch(() => kept.delete(key));
      return one;
    },
    close: queue.close,
  };
}
