// The text that a terminal was sent, without what only moves its cursor: for searching, with the time of each part.

/** Escape sequences (CSI, OSC, DCS and their kin, two-character ones) and control characters other than the line's end. */
const unprinted =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]|[\x00-\x09\x0b-\x1f\x7f]/g;

/** Characters of a line that are worth showing in a list of hits. */
const LINE_CHARACTERS = 120;

export interface PrintedText {
  readonly text: string;
  /** Where each print's text begins, with its time, ms. */
  readonly starts: readonly { readonly at: number; readonly ms: number }[];
}

/** Only the text of some output; a sequence that ends behind it loses its rest. */
export const printedOf = (raw: string): string => raw.replace(unprinted, '');

/** The text of several prints, one behind the other; sequences cut between two prints are seen whole. */
export function printedText(prints: Iterable<{ readonly ms: number; readonly text: string }>): PrintedText {
  const marks: { raw: number; ms: number }[] = [];
  let raw = '';
  for (const print of prints) {
    marks.push({ raw: raw.length, ms: print.ms });
    raw += print.text;
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

/** When the character at `at` was printed, ms. */
export function timeAt(starts: PrintedText['starts'], at: number, otherwise: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle]?.at ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
    else high = middle;
  }
  return starts[low - 1]?.ms ?? otherwise;
}

/** The line around a place, cut to what a list shows: from its beginning, or from shortly before the place where that lies further on. */
export function lineAround(text: string, at: number): string {
  const from = text.lastIndexOf('\n', at) + 1;
  const to = text.indexOf('\n', at);
  const line = text.slice(at - from < LINE_CHARACTERS ? from : at - LINE_CHARACTERS / 2, to < 0 ? undefined : to);
  return line.trim().slice(0, LINE_CHARACTERS);
}
