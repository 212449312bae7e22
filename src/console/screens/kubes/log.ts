// The lines of a log as a page holds them: what comes in pieces becomes whole lines, and the oldest go.
import { printedOf } from '../../../contract/printed-text.ts';

/** Lines that a page holds. */
export const LINES_MOST = 10_000;

export interface LogLines {
  readonly lines: readonly string[];
  /** The last one is not whole yet. */
  readonly rest: string;
  /** Some that came are not held any more. */
  readonly isCut: boolean;
}
export const noLines: LogLines = { lines: [], rest: '', isCut: false };

/** Without the colours and moves that programs print for terminals. */
export function withText({ lines, rest, isCut }: LogLines, text: string): LogLines {
  const pieces = (rest + text).split('\n');
  const last = pieces.pop() ?? '';
  const all = [...lines, ...pieces.map(printedOf)];
  return { lines: all.slice(-LINES_MOST), rest: last, isCut: isCut || all.length > LINES_MOST };
}

/** All lines, or those that hold a text, whatever its case. */
export function linesWith({ lines, rest }: LogLines, text: string): readonly string[] {
  const all = rest === '' ? lines : [...lines, printedOf(rest)];
  const wanted = text.toLowerCase();
  return wanted === '' ? all : all.filter(line => line.toLowerCase().includes(wanted));
}
