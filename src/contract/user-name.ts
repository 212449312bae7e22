// What a new user may be called: the rules of RFC 8265 for user names (PRECIS UsernameCaseMapped), and what they leave open to be mistaken.

/** Longest user name, characters. */
const NAME_MOST_CHARACTERS = 255;
/** Letters, digits and marks of any script, and what ASCII prints (RFC 8264, IdentifierClass). */
const ALLOWED = /^[\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Nd}\p{Mn}\p{Mc}\x21-\x7e]+$/u;
/** Characters that nobody sees, and jamo that only old Hangul has (RFC 8264, 9.9 and 9.13). */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Scripts that are written together are one; the rest of Unicode counts as a script of its own. */
const scripts: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u,
];
const NO_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u;
/** Letters of Cyrillic, Greek and Armenian that are drawn like a Latin one (Unicode, confusables.txt), in lower case. */
const LIKE_LATIN = /^[аеорсухіјѕһԁԛԝѵҽӏгпкмтвηαιονρυχκτωγσօոսցհյզ]+$/u;

/** The spelling under which a name counts: composed, of ordinary width, in lower case (RFC 8265, 3.3.2). */
export const mappedUserName = (name: string): string =>
  name
    .replaceAll(/[\uff01-\uff5e]/g, wide => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .toLowerCase()
    .normalize('NFC');

/** Why a new user may not be called this; null when it may. */
export function refusedUserName(name: string): string | null {
  if (name === '') return 'must not be empty';
  if (name.length > NAME_MOST_CHARACTERS) return `at most ${NAME_MOST_CHARACTERS} characters`;
  if (!name.isWellFormed() || /\p{Cc}/u.test(name)) return 'no control characters or broken ones';
  if (BIDI_CONTROLS.test(name)) return 'no characters that turn the direction of text around';
  if (/\s/u.test(name)) return 'no spaces, also not at its ends';
  if (name.includes('/')) return 'no slashes';
  if (name === '.' || name === '..') return '"." and ".." are names of folders';
  const mapped = mappedUserName(name);
  if (mapped === 'system' || mapped.startsWith('system:'))
    return '"system" and names that begin with "system:" are the gateway\'s own';
  if (mapped !== name) return `must be written ${JSON.stringify(mapped)}: in lower case and composed`;
  if (UNSEEN.test(name)) return 'no characters that cannot be seen';
  if (!ALLOWED.test(name) || name.normalize('NFKC') !== name)
    return 'only letters, digits and the signs of an English keyboard';
  if (/^\p{M}/u.test(name)) return 'must not begin with a mark that belongs to a letter';
  return mistaken(name);
}

/** Names that could be taken for another one. */
function mistaken(name: string): string | null {
  const letters = [...name].filter(character => /\p{L}/u.test(character) && !NO_SCRIPT.test(character));
  const found = new Set(letters.map(letter => scripts.findIndex(script => script.test(letter))));
  if (found.size > 1) return 'letters of one script only: those of another may look the same';
  if (letters.length > 0 && !found.has(0) && LIKE_LATIN.test(letters.join('')))
    return 'its letters all look like Latin ones: write it in Latin letters';
  if (RIGHT_TO_LEFT.test(name) && !/^\p{L}[\p{L}\p{M}\p{Nd}._-]*$/u.test(name))
    return 'right to left: it must begin with a letter, and hold letters, digits and . _ - only';
  if (RIGHT_TO_LEFT.test(name) && /[._-]$/u.test(name)) return 'right to left: it must end with a letter or digit';
  return null;
}
