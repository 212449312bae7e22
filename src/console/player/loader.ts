// Fetches the segments of a recording as they are needed, caches the last few, and asks for none of them twice at once.
import type { RecordingSegment, RecordingSummary } from '../../contract/recordings.ts';
import { readSegment, type Segment } from './segment.ts';

/** Segments cached: about 256 kB each, so some 3 MB; enough to walk to and fro around one place. */
const CACHED_SEGMENTS = 12;

export interface Loader {
  /** The segment that begins at a key frame. Throws what the call throws; asking again tries again. */
  load(index: number): Promise<Segment>;
  /** The same without waiting, when it is here. */
  ready(index: number): Segment | undefined;
  /** Index of the segment that a time lies in. */
  indexAt(ms: number): number;
  readonly count: number;
  /** The recording has grown: its last segment is fetched again, and there may be more. */
  extend(summary: Pick<RecordingSummary, 'keyframes'>): void;
}

export function createLoader(
  summary: Pick<RecordingSummary, 'keyframes'>,
  fetchSegment: (index: number) => Promise<RecordingSegment>,
  keep = CACHED_SEGMENTS,
): Loader {
  /** In order of use, oldest first: a Map keeps the order of insertion. */
  const cache = new Map<number, Segment>();
  const pending = new Map<number, Promise<Segment>>();
  let { keyframes } = summary;

  function touch(index: number, segment: Segment): Segment {
    cache.delete(index);
    cache.set(index, segment);
    for (const oldest of cache.keys()) {
      if (cache.size <= keep) break;
      cache.delete(oldest);
    }
    return segment;
  }

  return {
    get count() {
      return keyframes.length;
    },
    extend(grown) {
      cache.delete(keyframes.length - 1);
      pending.delete(keyframes.length - 1);
      keyframes = grown.keyframes;
    },
    ready(index) {
      const segment = cache.get(index);
      return segment && touch(index, segment);
    },
    load(index) {
      const here = cache.get(index);
      if (here) return Promise.resolve(touch(index, here));
      const running = pending.get(index);
      if (running) return running;
      const frame = keyframes[index];
      if (!frame) return Promise.reject(new RangeError(`The recording has no part ${index}`));
      const answer = fetchSegment(frame.index)
        .then(given => touch(index, readSegment(index, given)))
        .finally(() => pending.delete(index));
      pending.set(index, answer);
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
