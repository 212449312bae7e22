// A segment of a recording as the painter reads it: the screen it begins with, and what happened when.
import type { RecordingSegment } from '../../contract/recordings.ts';

export type SegmentEvent =
  | { readonly ms: number; readonly kind: 'print'; readonly from: number; readonly to: number }
  | { readonly ms: number; readonly kind: 'resize'; readonly cols: number; readonly rows: number };

export interface Segment {
  readonly index: number;
  readonly ms: number;
  readonly cols: number;
  readonly rows: number;
  /** Terminal output that draws the first screen on a reset terminal. */
  readonly screen: string;
  readonly bytes: Uint8Array;
  /** In order of time; `from` and `to` index into `bytes`. */
  readonly events: readonly SegmentEvent[];
}

function fromBase64(text: string): Uint8Array {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at += 1) bytes[at] = raw.charCodeAt(at);
  return bytes;
}

/** Unpacks what the gateway answers. Prints that reach past the bytes are cut: the rest of a damaged recording stays playable. */
export function readSegment(index: number, given: RecordingSegment): Segment {
  const bytes = fromBase64(given.bytes);
  let from = 0;
  const events = given.prints.map((print): SegmentEvent => {
    if (print.length === 3) return { ms: print[0], kind: 'resize', cols: print[1], rows: print[2] };
    const to = Math.min(bytes.length, from + print[1]);
    const event: SegmentEvent = { ms: print[0], kind: 'print', from, to };
    from = to;
    return event;
  });
  return { index, ms: given.ms, cols: given.cols, rows: given.rows, screen: given.screen, bytes, events };
}

/** How many events are at or before a time. */
export function countUntil(events: readonly SegmentEvent[], ms: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.ms ?? Number.POSITIVE_INFINITY) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
