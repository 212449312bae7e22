// Text as a terminal shows it: how wide it is, and nothing in it that a terminal obeys.
import stringWidth from 'string-width';
import { OBEYED } from '../../../../../contract/visible-text.ts';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const SHOWN: Readonly<Record<string, string>> = { '\n': '↵', '\r': '␍', '\t': '⇥' };

/** Cells that a text takes, without what a terminal would obey. */
export const widthOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text));

/** Other people's words on one line: ends of lines and tabs as signs, whatever a terminal obeys as U+FFFD. */
export const shown = (text: string): string =>
  text.replace(
    OBEYED,
    character => SHOWN[character] ?? (character === '\u200d' || character === '\u200c' ? character : '\ufffd'),
  );

/** What a person sees as one character each, with their place. */
export const charactersOf = (text: string): readonly { readonly text: string; readonly at: number }[] =>
  /^[ -~]*$/.test(text)
    ? Array.from(text, (character, at) => ({ text: character, at }))
    : Array.from(graphemes.segment(text), ({ segment, index }) => ({ text: segment, at: index }));

/** A line in pieces that are no wider than so many cells. */
export function folded(line: string, cells: number): readonly string[] {
  if (widthOf(line) <= cells) return [line];
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const { text } of charactersOf(line)) {
    const wide = widthOf(text);
    if (width + wide > cells && piece !== '') {
      pieces.push(piece);
      piece = '';
      width = 0;
    }
    piece += text;
    width += wide;
  }
  return [...pieces, piece];
}
