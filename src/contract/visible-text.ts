// Other people's words on somebody's screen: what terminals obey and what nobody sees is refused where it comes in, and taken out of
// whatever is printed in a terminal.
import * as z from 'zod/mini';

/** Control characters (C0, C1, escape), separators of lines, direction marks, and tags and marks without a shape. Not the joiners of scripts. */
const UNSEEN =
  /[\p{Cc}\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/u;
const UNSEEN_IN_LINES = new RegExp(`(?![\\n\\t])(?:${UNSEEN.source})`, 'u');
/** What terminals obey or what turns the order of letters round: also every other character that only formats. */
export const OBEYED = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const why = (text: string, unseen: RegExp): string | null => {
  const [character] = unseen.exec(text) ?? [];
  if (character === undefined) return null;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `must not hold the character U+${code}, which is not shown and may change what is shown around it`;
};
/** Why a text of one line may not be shown to others, or null. */
export const refusedText = (text: string): string | null => why(text, UNSEEN);
/** The same for a text of several lines: new lines and tabs may stay. */
export const refusedLines = (text: string): string | null => why(text, UNSEEN_IN_LINES);

/** Schema checks. Their message names the character; the path of the issue names the field. */
export const visible = z.refine<string>(text => refusedText(text) === null, {
  error: ({ input }) => refusedText(String(input)) ?? '',
});
export const visibleLines = z.refine<string>(text => refusedLines(text) === null, {
  error: ({ input }) => refusedLines(String(input)) ?? '',
});

/** One line for a terminal: nothing that is printed makes it do anything but show letters. */
export const plainText = (text: string): string => text.replace(OBEYED, '\ufffd');
