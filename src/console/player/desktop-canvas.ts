// The screen that a desktop's recording is painted on: every picture builds on those before it, so that it begins at the beginning, or at a
// moment that was drawn after its session.
import type { Keyframe, RecordingSegment, RecordingSummary } from '../../contract/recordings.ts';
import { type DesktopReplay, readMoment } from '../desktop/replay.ts';
import type { Canvas } from './painter.ts';

/** `open` begins an empty screen in the element; `read` reads the moment that a part begins with. */
export function createDesktopCanvas(
  into: HTMLElement,
  open: (into: HTMLElement) => DesktopReplay,
  read = readMoment,
): Canvas & { dispose(): void } {
  let replay: DesktopReplay | null = null;
  interface Written {
    readonly output: string | Uint8Array;
    readonly done: (() => void) | undefined;
  }
  /** What waits until a moment is read; null: none is. */
  let waiting: Written[] | null = null;

  function feed(output: string | Uint8Array, done?: () => void): void {
    if (typeof output !== 'string' && replay) replay.feed(output, () => done?.());
    // The next frame shows it.
    else if (done) requestAnimationFrame(() => done());
  }
  function begin(): void {
    replay?.dispose();
    replay = open(into);
    // What waited was of the screen that is gone.
    for (const { done } of waiting ?? []) done?.();
    waiting = null;
  }
  function restore(screen: string, done?: () => void): void {
    const to = replay;
    const mine: Written[] = [];
    waiting = mine;
    const go = (): void => {
      done?.();
      if (waiting !== mine) return;
      waiting = null;
      for (const one of mine) feed(one.output, one.done);
    };
    read(screen).then(
      moment => {
        if (replay === to) to?.restore(moment);
        go();
      },
      // What follows is drawn on nothing: better than not at all.
      go,
    );
  }
  return {
    write(output, done) {
      if (typeof output === 'string' && output.startsWith('{')) restore(output, done);
      else if (typeof output === 'string' && output !== '') {
        // What resets a terminal.
        begin();
        done?.();
      } else if (waiting) waiting.push({ output, done });
      else feed(output, done);
    },
    resize: () => undefined,
    dispose: () => replay?.dispose(),
  };
}

/** Points that a player can start from, each with the parts that are played behind it. */
const groupsOf = (keyframes: readonly Keyframe[]): readonly (readonly Keyframe[])[] => {
  const groups: Keyframe[][] = [];
  for (const frame of keyframes)
    if (frame.isPart && groups.length > 0) groups.at(-1)?.push(frame);
    else groups.push([frame]);
  return groups;
};
/** A recording by the points that a player can start from alone. */
export const groupedSummary = (summary: RecordingSummary): RecordingSummary => ({
  ...summary,
  keyframes: groupsOf(summary.keyframes).flatMap(([first]) => first ?? []),
});
/** Fetches a point and all parts behind it, in their order. `told`: how many are there, of how many. */
export async function fetchGroup(
  { keyframes }: Pick<RecordingSummary, 'keyframes'>,
  first: number,
  segment: (index: number) => Promise<RecordingSegment>,
  told: (count: number, of: number) => void,
): Promise<RecordingSegment> {
  const group = groupsOf(keyframes).find(([one]) => one?.index === first) ?? [];
  const parts: RecordingSegment[] = [];
  for (const { index } of group) {
    parts.push(await segment(index));
    told(parts.length, group.length);
  }
  const [begun] = parts;
  if (!begun) throw new Error('The recording has no parts');
  // Base64 of each part is padded by itself: they are put together as bytes.
  const raw = parts.map(({ bytes }) => atob(bytes)).join('');
  return { ...begun, bytes: btoa(raw), prints: parts.flatMap(({ prints }) => prints) };
}
