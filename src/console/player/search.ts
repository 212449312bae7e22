// Finds text in what a recording printed, segment by segment, so that a hit can be opened at its moment.
import { NEEDLE_CHARACTERS } from '../../contract/needle.ts';
import { lineAround, type PrintedText, printedText, timeAt } from '../../contract/printed-text.ts';
import type { Loader } from './loader.ts';
import type { Segment } from './segment.ts';

/** Most hits kept: more than a person walks through. */
export const HITS_MOST = 1000;

export interface Hit {
  readonly ms: number;
  /** The line it is in, cut to what fits. */
  readonly line: string;
}

/** The printed text of a segment without its control sequences. */
export function textOf({ bytes, events }: Pick<Segment, 'bytes' | 'events'>): PrintedText {
  const decoder = new TextDecoder();
  return printedText(
    events.flatMap(event =>
      event.kind === 'print'
        ? { ms: event.ms, text: decoder.decode(bytes.subarray(event.from, event.to), { stream: true }) }
        : [],
    ),
  );
}

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
      hits.push({ ms: timeAt(piece.starts, ends, tailMs), line: lineAround(whole, at) });
    }
    // One character less than is looked for, so that a word cut in two is found, and found once.
    tail = wanted.length > 1 ? whole.slice(1 - wanted.length) : '';
    tailMs = segment.events.at(-1)?.ms ?? segment.ms;
    on.progress(index + 1, loader.count, hits);
  }
  return hits;
}
