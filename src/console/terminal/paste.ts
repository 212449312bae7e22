// What a paste may do to a shell, decided by our own rule: the remote side cannot switch it off (bracketed mode can be forced on).

/** Above this a paste asks first, bytes of UTF-8: the limit Windows Terminal settled on. */
export const PASTE_ASKS_BYTES = 5 * 1024;

export interface PastePlan {
  /** What will be sent. */
  readonly text: string;
  /** The question to ask first, when one is due. */
  readonly ask?: { readonly title: string; readonly text: string; readonly action: string };
}

/** Ends and begins of bracketed paste, in both spellings of CSI: inside a paste they are an attack. */
const brackets = /(?:\x1b\[|\x9b)20[01]~/g;
/** Control characters that no paste needs; tab and line ends stay. */
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** Lines of the paste shown in the question, and their length, characters. */
const SHOWN_LINES = 5;
const SHOWN_CHARACTERS = 80;

/** Cleans a paste and says whether to ask. One short line goes straight through, unless a line end follows it: that would run it. */
export function planPaste(given: string): PastePlan {
  let text = given;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(brackets, '');
  }
  text = text.replace(controls, '');
  const lines = text.split(/\r\n|\r|\n/);
  const bytes = new TextEncoder().encode(text).length;
  if (lines.length === 1 && bytes <= PASTE_ASKS_BYTES) return { text };
  const runs = lines.length > 1;
  if (lines.at(-1) === '') lines.pop(); // the end of the last line, not a line of its own
  const counted = `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, ${bytes.toLocaleString('en')} bytes`;
  const shown = lines
    .slice(0, SHOWN_LINES)
    .map(line => (line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line));
  if (lines.length > SHOWN_LINES) shown.push('…');
  return {
    text,
    ask: {
      title: lines.length > 1 ? 'Paste several lines?' : runs ? 'Paste a line that runs at once?' : 'Paste this much?',
      text: `${runs ? 'The shell may run each line at once' : 'It goes to the shell in one piece'} (${counted}):\n${shown.join('\n')}`,
      action: 'Paste',
    },
  };
}
