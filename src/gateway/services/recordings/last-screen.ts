// The last screen of a recording, drawn from its last key frame in a thread of its own: whoever looks through a list must hold up nobody.
import type { RecordingSegment, ScreenPicture } from '../../../contract/recordings.ts';
import { createWorkerQueue } from '../worker-queue.ts';
import type { ApartRecording } from './apart.ts';
import type { StoredIndex } from './index-file.ts';
import type { RecordingIndex } from './recording-index.ts';
import type { Keyframe } from './terminal-index.ts';
import { segmentOf } from './terminal-playback.ts';

/** Pictures kept, some 5 kB each. */
const KEPT_MOST = 200;

/** What is drawn: the end of a file, or where that is elsewhere, what was read of it. */
export type LastScreenJob =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly contents: Pick<RecordingIndex, 'readable' | 'size'>;
      readonly from: Keyframe;
      /** Output that draws the key frame. */
      readonly screen: string;
    }
  | { readonly kind: 'segment'; readonly segment: RecordingSegment };

/** Draws last screens, and keeps the latest that were asked for. You must close it. */
export function createLastScreens() {
  const queue = createWorkerQueue<LastScreenJob, ScreenPicture>(new URL('./last-screen-worker.ts', import.meta.url));
  const kept = new Map<string, Promise<ScreenPicture>>();
  /** Draws what `find` answers, unless it is kept. */
  async function drawn(key: string, find: () => Promise<LastScreenJob | null>): Promise<ScreenPicture | null> {
    const before = kept.get(key);
    const job = before ? null : await find();
    const one = before ?? (job && queue.run(job));
    if (!one) return null;
    kept.delete(key);
    kept.set(key, one);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_MOST) break;
      kept.delete(oldest);
    }
    one.catch(() => kept.delete(key));
    return one;
  }
  return {
    /** null when the sidecar no longer holds the key frame. Throws what reading the file throws. */
    of: (path: string, index: StoredIndex): Promise<ScreenPicture | null> =>
      drawn(`${path} ${index.contents.digest}`, async () => {
        const { readable, size, keyframes } = index.contents;
        const from = keyframes.at(-1);
        const screen = from && (await index.screen(from));
        if (!from || typeof screen !== 'string') return null;
        return { kind: 'file', path, contents: { readable, size }, from, screen };
      }),
    /** The same of one that is elsewhere. */
    apart: (path: string, { index, openBytes }: ApartRecording): Promise<ScreenPicture | null> =>
      drawn(`${path} ${index.contents.digest}`, async () => {
        const segment = await segmentOf(openBytes, index, index.contents.keyframes.length - 1);
        return segment && { kind: 'segment', segment };
      }),
    close: queue.close,
  };
}
