// Fetches the segments of a recording as they are needed, keeps the last few, and asks for none of them twice at once.
import type { RecordingSegment, RecordingSummary } from '../../contract/recordings.ts';
import { readSegment, type Segment } from './segment.ts';

/** Segments kept: about 256 kB each, so some 3 MB; enough to walk to and fro around one place. */
const KEPT_SEGMENTS = 12;

export interface Loader {
  /** The segment that begins at a key frame. Throws what the call throws; asking again tries again. */
  load(index: number): Promise<Segment>;
  /** The same without waiting, when it is here. */
  ready(index: number): Segment | undefined;
  /** Index of the segment that a time lies in. */
  indexAt(ms: number): number;
  readonly count: number;
}

export function createLoader(
  summary: Pick<RecordingSummary, 'keyframes'>,
  fetchSegment: (index: number) => Promise<RecordingSegment>,
  keep = KEPT_SEGMENTS,
): Loader {
  /** In order of use, oldest first: a Map keeps the order of insertion. */
  const kept = new Map<number, Segment>();
  const asked = new Map<number, Promise<Segment>>();
  const { keyframes } = summary;

  function touch(index: number, segment: Segment): Segment {
    kept.delete(index);
    kept.set(index, segment);
    for (const oldest of kept.keys()) {
      if (kept.size <= keep) break;
      kept.delete(oldest);
    }
    return segment;
  }

  return {
    count: keyframes.length,
    ready(index) {
      const segment = kept.get(index);
      return segment && touch(index, segment);
    },
    load(index) {
      const here = kept.get(index);
      if (here) return Promise.resolve(touch(index, here));
      const running = asked.get(index);
      if (running) return running;
      const frame = keyframes[index];
      if (!frame) return Promise.reject(new RangeError(`The recording has no part ${index}`));
      const answer = fetchSegment(frame.index)
        .then(given => touch(index, readSegment(index, given)))
        .finally(() => asked.delete(index));
      asked.set(index, answer);
      return answer;
    },
    indexAt(ms) {
      let low = 0;
      let high = keyframes.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((keyframes[middle]?.ms ?? Number.POSITIVE_INFINITY) <= ms) low = middle;
        else high = middle;
      }
      return low;
    },
  };
}
