// The screen that a desktop's recording is painted on: every picture builds on those before it, so that going back begins anew.
import type { RecordingSegment, RecordingSummary } from '../../contract/recordings.ts';
import type { DesktopReplay } from '../desktop/replay.ts';
import type { Canvas } from './painter.ts';

/** `open` begins an empty screen in the element. */
export function createDesktopCanvas(
  into: HTMLElement,
  open: (into: HTMLElement) => DesktopReplay,
): Canvas & { dispose(): void } {
  let replay: DesktopReplay | null = null;
  return {
    write(output, done) {
      if (typeof output !== 'string' && replay) return replay.feed(output, () => done?.());
      if (typeof output === 'string' && output !== '') {
        // What resets a terminal.
        replay?.dispose();
        replay = open(into);
      }
      // The next frame shows it.
      if (done) requestAnimationFrame(() => done());
    },
    resize: () => undefined,
    dispose: () => replay?.dispose(),
  };
}

/** A recording as one part, since none can be played without those before it. */
export const wholeSummary = (summary: RecordingSummary): RecordingSummary => ({
  ...summary,
  keyframes: summary.keyframes.slice(0, 1),
});
/** Fetches all parts in their order. `told`: how many are there. */
export async function fetchWhole(
  summary: RecordingSummary,
  segment: (index: number) => Promise<RecordingSegment>,
  told: (count: number) => void,
): Promise<RecordingSegment> {
  const parts: RecordingSegment[] = [];
  for (const { index } of summary.keyframes) {
    parts.push(await segment(index));
    told(parts.length);
  }
  const [first] = parts;
  if (!first) throw new Error('The recording has no parts');
  // Base64 of each part is padded by itself: they are put together as bytes.
  const raw = parts.map(({ bytes }) => atob(bytes)).join('');
  return { ...first, bytes: btoa(raw), prints: parts.flatMap(({ prints }) => prints) };
}
