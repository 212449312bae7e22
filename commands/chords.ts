// Chords as text: one spelling for what a row says, what a person rebinds, and what a keyboard sends.

/** A stroke in canonical spelling, such as `ctrl+shift+k`, `alt+1`, `g`, `?`. */
export type Stroke = string;
/** One stroke, or the strokes of a sequence such as `g s`. */
export type Chord = readonly Stroke[];

/** The modifiers in the order they are spelled. `mod` is Command on macOS and Control elsewhere. */
const modifiers = ['ctrl', 'alt', 'shift', 'meta'] as const;
type Modifier = (typeof modifiers)[number];

/** Named keys by the name a row uses -> the name the browser uses. */
const namedKeys: Readonly<Record<string, string>> = {
  enter: 'Enter',
  escape: 'Escape',
  tab: 'Tab',
  space: ' ',
  backspace: 'Backspace',
  delete: 'Delete',
  insert: 'Insert',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  home: 'Home',
  end: 'End',
  pageup: 'PageUp',
  pagedown: 'PageDown',
};
const nameOfKey: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(namedKeys).map(([ours, theirs]) => [theirs, ours]),
);

const isFunctionKey = (key: string): boolean => /^f([1-9]|1\d|2[0-4])$/.test(key);
const isLetter = (key: string): boolean => /^[a-z]$/.test(key);
const isDigit = (key: string): boolean => /^[0-9]$/.test(key);

function spelled(held: ReadonlySet<Modifier>, key: string): Stroke {
  return [...modifiers.filter(modifier => held.has(modifier)), key].join('+');
}

function parseStroke(text: string, mac: boolean): Stroke | undefined {
  const parts = text.split('+');
  const key = parts.pop() ?? '';
  const held = new Set<Modifier>();
  for (const part of parts) {
    const modifier = part === 'mod' ? (mac ? 'meta' : 'ctrl') : modifiers.find(known => known === part);
    if (modifier === undefined || held.has(modifier)) return undefined;
    held.add(modifier);
  }
  const printable = key.length === 1 && /[!-~]/.test(key) && !/[A-Z+]/.test(key);
  if (!printable && namedKeys[key] === undefined && !isFunctionKey(key)) return undefined;
  // The character already says whether Shift was held, and on which layout that takes Shift is not ours to know.
  if (held.has('shift') && printable && !isLetter(key) && !isDigit(key)) return undefined;
  if (held.has('shift') && isDigit(key) && held.size === 1) return undefined;
  // Option types characters on macOS, so digits with Alt are digits with Control there.
  if (mac && isDigit(key) && held.has('alt') && held.size === 1) return spelled(new Set<Modifier>(['ctrl']), key);
  return spelled(held, key);
}

/** Reads one chord such as `mod+k` or `g s`. Undefined when it is not one. */
export function parseChord(text: string, mac: boolean): Chord | undefined {
  const strokes = text.split(' ').map(part => parseStroke(part, mac));
  return strokes.every(stroke => stroke !== undefined) && strokes.length <= 3 ? strokes : undefined;
}

/** A chord as rows spell it, for showing: what is really heard on this system, such as `ctrl+1` for `alt+1` on macOS. */
export function heardText(text: string, mac: boolean): string {
  return mac ? text.replace(/\balt\+([0-9])$/, 'ctrl+$1') : text;
}

/** Splits `home, g g` into the chords it lists. */
export function alternatives(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(', ');
}

/** What the keymap reads of a key event: a browser's KeyboardEvent fits. */
export interface KeyPress {
  readonly key: string;
  readonly code?: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  readonly repeat?: boolean;
  readonly isComposing?: boolean;
  readonly getModifierState?: (name: string) => boolean;
}

const modifierKeys: ReadonlySet<string> = new Set([
  'Shift',
  'Control',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'NumLock',
  'Fn',
  'Hyper',
  'Super',
  'OS',
]);

/** The stroke a key event stands for; undefined for a modifier alone, a dead key, or text that an input method is composing. */
export function strokeOf(event: KeyPress): Stroke | undefined {
  const { key } = event;
  if (
    event.isComposing === true ||
    key === 'Process' ||
    key === 'Dead' ||
    key === 'Unidentified' ||
    modifierKeys.has(key)
  )
    return undefined;
  const held = new Set<Modifier>();
  // AltGr reports Control and Alt on Windows, yet what is typed is a character.
  const typesCharacter = key.length === 1 && event.getModifierState?.('AltGraph') === true;
  if (event.ctrlKey && !typesCharacter) held.add('ctrl');
  if (event.altKey && !typesCharacter) held.add('alt');
  if (event.metaKey) held.add('meta');
  const name = keyName(event, held.size > 0);
  if (name === undefined) return undefined;
  if (event.shiftKey && (name.length > 1 || isLetter(name) || (isDigit(name) && held.size > 0))) held.add('shift');
  return spelled(held, name);
}

function keyName({ key, code = '' }: KeyPress, withModifier: boolean): string | undefined {
  const named = nameOfKey[key];
  if (named !== undefined) return named;
  const lower = key.toLowerCase();
  if (key.length > 1) return isFunctionKey(lower) ? lower : undefined;
  if (isLetter(lower)) return lower;
  // A layout without this Latin letter (or Option on macOS) still has the key: take it by its place.
  const place = /^Key([A-Z])$/.exec(code)?.[1];
  if (place !== undefined && (withModifier || /\p{L}/u.test(key))) return place.toLowerCase();
  // Digits need Shift on some layouts and other characters come with Option: with a modifier the place decides.
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1];
  if (digit !== undefined && withModifier) return digit;
  // The plus sign separates modifiers in a chord's spelling, and shares its key with the equals sign.
  return key === '+' ? '=' : lower;
}

/** Chords that a browser keeps for itself: pages never see them, or should not (specification of browsers, not ours). */
const keptByBrowser: ReadonlySet<Stroke> = new Set(
  ['ctrl', 'meta']
    .flatMap(modifier => ['w', 't', 'n', 'q'].flatMap(key => [`${modifier}+${key}`, spelledShift(modifier, key)]))
    .concat([
      'ctrl+tab',
      'ctrl+shift+tab',
      'ctrl+pageup',
      'ctrl+pagedown',
      'ctrl+shift+pageup',
      'ctrl+shift+pagedown',
      'alt+f4',
      'alt+tab',
      'f11',
      'f12',
    ]),
);
function spelledShift(modifier: string, key: string): Stroke {
  return modifier === 'ctrl' ? `ctrl+shift+${key}` : `shift+meta+${key}`;
}
export const browserKeeps = (stroke: Stroke): boolean => keptByBrowser.has(stroke);

/** Keys that shells and the programs in them need: never taken from a terminal. */
export function shellNeeds(chord: Chord): boolean {
  const [stroke = ''] = chord;
  if (chord.length > 1) return true;
  const parts = stroke.split('+');
  const key = parts.at(-1) ?? '';
  if (parts.length === 1) return !isFunctionKey(key) || key !== 'f1';
  if (parts.includes('meta')) return false;
  if (parts.includes('ctrl')) return !parts.includes('shift') && /^([a-z@[\\\]^_]|space)$/.test(key);
  return !(parts.includes('alt') && (isDigit(key) || key.startsWith('page')));
}
