// How much was printed when: counts of growing width while the length is unknown, 400 equal slices in the end.

/** Slices of the heat strip (contract/recordings.ts). */
const ACTIVITY_SLICES = 400;
/** Counts kept while reading: ten to a slice, so that a slice is off by a tenth at most. */
const COUNTS_MOST = 4096;

export interface Activity {
  add(ms: number, bytes: number): void;
  /** Bytes in each of 400 equal parts of `durationMs`. */
  slices(durationMs: number): number[];
}

export function createActivity(): Activity {
  let counts: number[] = [];
  let width = 1;
  return {
    add(ms, bytes) {
      while (ms / width >= COUNTS_MOST) {
        const halved: number[] = [];
        counts.forEach((count, index) => {
          halved[index >> 1] = (halved[index >> 1] ?? 0) + count;
        });
        counts = halved;
        width *= 2;
      }
      const index = Math.floor(ms / width);
      counts[index] = (counts[index] ?? 0) + bytes;
    },
    slices(durationMs) {
      const slices = new Array<number>(ACTIVITY_SLICES).fill(0);
      counts.forEach((count, index) => {
        const slice = Math.min(
          ACTIVITY_SLICES - 1,
          Math.floor((index * width * ACTIVITY_SLICES) / Math.max(1, durationMs)),
        );
        slices[slice] = (slices[slice] ?? 0) + count;
      });
      return slices;
    },
  };
}
