// What a paste may do to a shell, decided by our own rule: the remote side cannot switch it off (bracketed mode can be forced on).
import { OBEYED } from '../../contract/visible-text.ts';

/** Above this a paste asks first, bytes of UTF-8: the limit Windows Terminal settled on. */
export const PASTE_ASKS_BYTES = 5 * 1024;

export interface Paste {
  /** What will be sent: without what no paste needs. */
  readonly text: string;
  readonly lines: number;
  /** Of `text`, in UTF-8. */
  readonly bytes: number;
  /** Characters that are left out. */
  readonly removed: number;
  /** Why it asks first: several lines, one line that a line end runs, or its size. Absent: it goes straight through. */
  readonly asks?: 'lines' | 'end' | 'size';
}

/** Ends and begins of bracketed paste, in both spellings of CSI: inside a paste they are an attack. */
const brackets = /(?:\x1b\[|\x9b)20[01]~/g;
/** Control characters that no paste needs; tab and line ends stay. */
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
const LINE_END = /\r\n|\r|\n/;

/** Cleans a paste and says whether to ask. One short line goes straight through, unless a line end follows it: that would run it. */
export function readPaste(given: string): Paste {
  let text = given;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(brackets, '');
  }
  text = text.replace(controls, '');
  const lines = text.split(LINE_END);
  const bytes = new TextEncoder().encode(text).length;
  const runs = lines.length > 1;
  if (lines.at(-1) === '' && runs) lines.pop(); // the end of the last line, not a line of its own
  const asks = bytes > PASTE_ASKS_BYTES ? 'size' : lines.length > 1 ? 'lines' : runs ? 'end' : undefined;
  return { text, lines: lines.length, bytes, removed: given.length - text.length, ...(asks && { asks }) };
}

/** The same words on one line that nothing runs. */
export const onOneLine = (text: string): string =>
  text
    .split(LINE_END)
    .map(line => line.trim())
    .filter(line => line !== '')
    .join(' ');

/** Most of a paste that is shown before it is sent, characters: more than anyone reads. */
const SHOWN_CHARACTERS = 20_000;

/** A paste as it is shown: what cannot be seen has a sign, line ends and tabs too. */
export function shownPaste(given: string): string {
  const shown = given
    .slice(0, SHOWN_CHARACTERS)
    .replace(/\r\n?/g, '\n')
    .replace(OBEYED, character => {
      const code = character.codePointAt(0) ?? 0;
      if (character === '\n') return '⏎\n';
      if (character === '\t') return '⇥\t';
      if (code < 0x20) return String.fromCodePoint(0x2400 + code); // the control pictures
      return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
    });
  const left = given.length - SHOWN_CHARACTERS;
  return left > 0 ? `${shown}…\n(${left.toLocaleString('en')} more characters)` : shown;
}
