// Finds text in what a recording printed, segment by segment, so that a hit can be opened at its moment.
import type { Loader } from './loader.ts';
import type { Segment } from './segment.ts';

/** Most hits kept: more than a person walks through. */
export const HITS_MOST = 1000;
/** A needle may be this long, characters: one less of each segment is kept, so that a word cut in two is found, and found once. */
const NEEDLE_CHARACTERS = 200;

export interface Hit {
  readonly ms: number;
  /** The line it is in, cut to what fits. */
  readonly line: string;
}

/** Escape sequences (CSI, OSC, DCS and their kin, two-character ones) and control characters other than the line's end. */
const unprinted =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]|[\x00-\x09\x0b-\x1f\x7f]/g;

interface Piece {
  readonly text: string;
  /** Where each print's text begins, with its time. */
  readonly starts: readonly { readonly at: number; readonly ms: number }[];
}

/** The printed text of a segment without its control sequences; sequences cut between two prints are seen whole. */
export function textOf(segment: Segment): Piece {
  const raw = new TextDecoder().decode(segment.bytes);
  const decoder = new TextDecoder();
  const marks: { raw: number; ms: number }[] = [];
  let rawAt = 0;
  for (const event of segment.events) {
    if (event.kind !== 'print') continue;
    marks.push({ raw: rawAt, ms: event.ms });
    rawAt += decoder.decode(segment.bytes.subarray(event.from, event.to), { stream: true }).length;
  }
  let text = '';
  let from = 0;
  let mark = 0;
  const starts: { at: number; ms: number }[] = [];
  const take = (to: number): void => {
    for (let next = marks[mark]; next && next.raw <= to; next = marks[++mark]) {
      starts.push({ at: text.length + Math.max(0, next.raw - from), ms: next.ms });
    }
    text += raw.slice(from, to);
  };
  for (const match of raw.matchAll(unprinted)) {
    take(match.index);
    from = match.index + match[0].length;
  }
  take(raw.length);
  return { text, starts };
}

function timeAt(starts: Piece['starts'], at: number, otherwise: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle]?.at ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
    else high = middle;
  }
  return starts[low - 1]?.ms ?? otherwise;
}

/** Cells of a terminal line that are worth showing in a list of hits. */
const LINE_CHARACTERS = 120;

/**
 * Searches a whole recording, case aside. Tells progress after every segment; stops when the signal is aborted or HITS_MOST were found.
 * Throws what loading a segment throws.
 */
export async function findInRecording(
  loader: Loader,
  needle: string,
  on: { progress(done: number, of: number, hits: readonly Hit[]): void },
  signal: AbortSignal,
): Promise<readonly Hit[]> {
  const wanted = needle.slice(0, NEEDLE_CHARACTERS);
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
  const hits: Hit[] = [];
  let tail = '';
  let tailMs = 0;
  for (let index = 0; index < loader.count && hits.length < HITS_MOST && wanted !== ''; index += 1) {
    const segment = await loader.load(index);
    if (signal.aborted) return hits;
    const piece = textOf(segment);
    const whole = tail + piece.text;
    for (const match of whole.matchAll(pattern)) {
      if (hits.length >= HITS_MOST) break;
      const at = match.index;
      const ends = at + wanted.length - 1 - tail.length;
      const lineFrom = whole.lastIndexOf('\n', at) + 1;
      const lineTo = whole.indexOf('\n', at);
      hits.push({
        ms: timeAt(piece.starts, ends, tailMs),
        line: whole
          .slice(lineFrom, lineTo < 0 ? undefined : lineTo)
          .trim()
          .slice(0, LINE_CHARACTERS),
      });
    }
    tail = wanted.length > 1 ? whole.slice(1 - wanted.length) : '';
    tailMs = segment.events.at(-1)?.ms ?? segment.ms;
    on.progress(index + 1, loader.count, hits);
  }
  return hits;
}
