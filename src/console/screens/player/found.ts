// The way from one recording in which a text stands to the next: they are asked for again, newest first, as the list shows them.
import type { FoundRecording } from '../../../contract/audit.ts';
import { recordingThing } from '../../../features/recording.ts';
import type { Thing } from '../../../features/thing.ts';

/** Pages of found recordings that are looked through for this one. */
const PAGES_MOST = 20;

interface Beside {
  readonly id: string;
  readonly recording: NonNullable<Thing['recording']>;
  /** The first place of the text, ms since the session began. */
  readonly ms: number;
}

/** The recording before (-1) or after `sid` among those found; null when there is none. Throws what asking throws. */
export async function foundBeside(
  page: (
    startKey: string | undefined,
  ) => Promise<{ readonly recordings: readonly FoundRecording[]; readonly startKey: string }>,
  sid: string,
  by: 1 | -1,
): Promise<Beside | null> {
  let before: Beside | null = null;
  let isBehind = false;
  let startKey: string | undefined;
  for (let read = 0; read < PAGES_MOST && startKey !== ''; read += 1) {
    const answer = await page(startKey);
    for (const { event, places } of answer.recordings) {
      const thing = recordingThing(event);
      if (!thing?.recording) continue;
      const one: Beside = { id: thing.id, recording: thing.recording, ms: places[0]?.ms ?? 0 };
      if (isBehind) return one;
      if (one.id === sid) {
        if (by < 0) return before;
        isBehind = true;
      }
      before = one;
    }
    startKey = answer.startKey;
  }
  return null;
}
